import { describe, expect, it } from "vitest";
import { clientOrigin } from "./client-origin.ts";

const seen = (headers: Record<string, string>) =>
  clientOrigin(new Request("http://127.0.0.1:3001/a/b?c", { headers }));

describe("where a client reached the server", () => {
  it.each([
    ["nobody in between", {}, "http://127.0.0.1:3001", ""],
    [
      "a proxy with TLS",
      { "x-forwarded-proto": "HTTPS", "x-forwarded-host": "hub.example" },
      "https://hub.example",
      "",
    ],
    ["two proxies", { "x-forwarded-host": "outer.example:8443, inner" }, "http://outer.example:8443", ""],
    ["an IPv6 host", { "x-forwarded-host": "[2001:db8::1]:80" }, "http://[2001:db8::1]", ""],
    [
      "a prefix that was taken away",
      { "x-forwarded-prefix": "/team/hub/" },
      "http://127.0.0.1:3001",
      "/team/hub",
    ],
  ])("is told with %s", (_, headers, origin, prefix) => {
    expect(seen(headers)).toEqual({ origin, prefix });
  });

  it.each([
    [{ "x-forwarded-host": "evil.example/path" }],
    [{ "x-forwarded-host": "user@evil.example" }],
    [{ "x-forwarded-host": "a b" }],
    [{ "x-forwarded-proto": "javascript" }],
    [{ "x-forwarded-prefix": "//evil.example" }],
    [{ "x-forwarded-prefix": "/a/../b" }],
    [{ "x-forwarded-prefix": "/a?b" }],
  ])("is not changed by %j", (headers) => {
    expect(seen(headers)).toEqual({ origin: "http://127.0.0.1:3001", prefix: "" });
  });
});
