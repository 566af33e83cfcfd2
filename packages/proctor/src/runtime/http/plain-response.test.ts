import { describe, expect, it } from "vitest";
import { addPlainHeader, isPlain, plainParts, plainResponse } from "./plain-response.ts";

describe("A plain response", () => {
  it("is written from its parts, with the length of its bytes", () => {
    const response = plainResponse('{"ü":1}', 201, { "content-type": "application/json" });

    expect(addPlainHeader(response, "x-trace-id", "abc")).toBe(true);
    expect(addPlainHeader(response, "content-type", "text/plain")).toBe(true);

    expect(plainParts(response)).toEqual({
      status: 201,
      body: '{"ü":1}',
      headers: ["content-type", "application/json", "x-trace-id", "abc", "content-length", "8"],
    });
  });

  it("declares no length where it has no body", () => {
    expect(plainParts(plainResponse(null, 204, { allow: "GET" }))?.headers).toEqual(["allow", "GET"]);
  });

  it("can be used as the Response that it stands for", async () => {
    const response = plainResponse('{"a":1}', 404, { "content-type": "application/json" });
    addPlainHeader(response, "x-trace-id", "abc");

    expect({ status: response.status, ok: response.ok }).toEqual({ status: 404, ok: false });
    expect(Object.fromEntries(response.headers)).toEqual({
      "content-type": "application/json",
      "x-trace-id": "abc",
    });
    expect(await response.clone().text()).toBe('{"a":1}');
    expect(await response.json()).toEqual({ a: 1 });
    expect(response.bodyUsed).toBe(true);
  });

  it("is no longer written from its parts once somebody has changed it as a Response", () => {
    const response = plainResponse("a", 200, {});
    response.headers.set("x-more", "1");

    expect(isPlain(response)).toBe(false);
    expect(plainParts(response)).toBeUndefined();
    expect(addPlainHeader(response, "x-trace-id", "abc")).toBe(false);
    expect(plainParts(new Response("a"))).toBeUndefined();
  });
});
