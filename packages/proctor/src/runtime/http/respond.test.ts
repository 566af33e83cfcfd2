import { describe, expect, it } from "vitest";
import { ProctorError } from "../../core/errors.ts";
import { emptyResponse, errorDocument, errorResponse, jsonResponse } from "./respond.ts";

describe("responses", () => {
  it("are JSON that nobody keeps, unless a header says otherwise", async () => {
    const response = jsonResponse({ a: 1 }, 201, { location: "/a" });
    expect(response.status).toBe(201);
    expect(Object.fromEntries(response.headers)).toEqual({
      "content-type": "application/json",
      "cache-control": "no-store",
      location: "/a",
    });
    expect(await response.text()).toBe('{"a":1}');
    expect(jsonResponse({}, 200, { "cache-control": "no-cache" }).headers.get("cache-control")).toBe(
      "no-cache",
    );
  });

  it("can have no body", () => {
    const response = emptyResponse(204);
    expect(response.status).toBe(204);
    expect(response.body).toBeNull();
  });

  it("say what is wrong in one form, with the headers that belong to the error", async () => {
    const error = new ProctorError("PAYLOAD_TOO_LARGE", "too much", { details: { limit: 1 } });
    const response = errorResponse(error, { "x-more": "1" });
    expect(response.status).toBe(413);
    expect(response.headers.get("connection")).toBe("close");
    expect(response.headers.get("x-more")).toBe("1");
    expect(await response.json()).toEqual({
      error: "Payload Too Large",
      code: "PAYLOAD_TOO_LARGE",
      message: "too much",
      details: { limit: 1 },
    });
    expect(errorDocument(new ProctorError("INVALID_REQUEST", "no"), 422)).toEqual({
      error: "Unprocessable Entity",
      code: "INVALID_REQUEST",
      message: "no",
    });
  });
});
