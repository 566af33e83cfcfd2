import { expect, it } from "vitest";
import { ProctorError } from "../../core/errors.ts";
import { ApiError, asApiError, errorResponse } from "./api-error.ts";

it.each([
  [400, "invalid_request_error"],
  [402, "insufficient_quota"],
  [429, "rate_limit_error"],
  [502, "server_error"],
])("a refusal with %i is called %s, as OpenAI's API does", async (status, type) => {
  const response = errorResponse(new ApiError(status, "no", { param: "model", headers: { "x-a": "1" } }));
  expect(response.status).toBe(status);
  expect(response.headers.get("x-a")).toBe("1");
  expect(await response.json()).toEqual({ error: { message: "no", type, param: "model", code: null } });
});

it("an error of the hub becomes one of OpenAI's API on one line, with its headers", async () => {
  const error = new ProctorError("PAYLOAD_TOO_LARGE", "the body is too large\nsend less");
  const response = errorResponse(asApiError(error, { "retry-after": "1" }));
  expect(response.status).toBe(413);
  expect(response.headers.get("connection")).toBe("close");
  expect(response.headers.get("retry-after")).toBe("1");
  expect(await response.json()).toMatchObject({
    error: { message: "the body is too large; send less", code: "request_too_large" },
  });
});
