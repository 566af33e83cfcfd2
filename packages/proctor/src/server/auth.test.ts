import { describe, expect, it } from "vitest";
import { ProctorError, type ErrorCode } from "../core/errors.ts";
import { createHarness, RUN } from "../../test/support/server/app-harness.ts";
import { isLoopback } from "../runtime/addresses/is-loopback.ts";
import { assertSafeBind, createAuth } from "./auth.ts";

interface Asked {
  method?: string;
  url?: string;
  headers?: Record<string, string>;
}

/** "ok", or the code of the refusal. */
function ask(
  policy: ReturnType<typeof createAuth>,
  { method = "GET", url = "/runs", headers = {} }: Asked,
  open = false,
) {
  const request = new Request(`http://127.0.0.1:3001${url}`, { method, headers });
  try {
    void policy.check(request, open);
    return "ok";
  } catch (error) {
    return ProctorError.is(error) ? error.code : "thrown";
  }
}

describe("a hub with tokens", () => {
  const policy = createAuth({ tokens: ["first-token", "second-token"], host: "0.0.0.0" });
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

  it("answers whoever holds one of them, under any name", () => {
    expect(ask(policy, { headers: bearer("first-token") })).toBe("ok");
    expect(ask(policy, { headers: { ...bearer("second-token"), host: "hub.example" } })).toBe("ok");
    expect(ask(policy, { headers: { authorization: "bearer second-token" } })).toBe("ok");
  });

  it.each([
    {},
    { authorization: "" },
    { authorization: "Bearer" },
    { authorization: "Bearer " },
    { authorization: "Bearer wrong" },
    { authorization: "Bearer first-token second-token" },
    { authorization: "Basic first-token" },
    { authorization: "first-token" },
    { cookie: "token=first-token" },
  ])("refuses %j", (headers) => {
    expect(ask(policy, { headers })).toBe("UNAUTHORIZED");
  });

  it("takes a token from the query only for a stream, which a browser cannot give headers", () => {
    const url = "/runs/x/events?access_token=first-token";
    const accept = "text/event-stream";
    expect(ask(policy, { url, headers: { accept } })).toBe("ok");
    expect(ask(policy, { url })).toBe("UNAUTHORIZED");
    expect(ask(policy, { url, method: "POST", headers: { accept } })).toBe("UNAUTHORIZED");
    expect(ask(policy, { url: "/runs/x/events?access_token=wrong", headers: { accept } })).toBe(
      "UNAUTHORIZED",
    );
  });

  it("refuses another site's page when it would change something, even with the token", () => {
    const headers = { ...bearer("first-token"), origin: "https://evil.example" };
    for (const method of ["POST", "PUT", "DELETE", "PATCH"]) {
      expect(ask(policy, { method, headers })).toBe("FORBIDDEN");
    }
    expect(ask(policy, { method: "GET", headers })).toBe("ok");
    const own = { ...bearer("first-token"), origin: "http://127.0.0.1:3001" };
    expect(ask(policy, { method: "POST", headers: own })).toBe("ok");
    const proxied = { ...bearer("first-token"), origin: "https://hub.example", host: "hub.example" };
    expect(ask(policy, { method: "POST", headers: proxied })).toBe("ok");
  });

  it("leaves health, readiness and the reference open, and says how to ask for the rest", async () => {
    const { send } = createHarness({ tokens: ["first-token"] });
    for (const path of ["/healthz", "/readyz", "/docs", "/openapi.json", "/"]) {
      expect((await send("GET", path)).status).toBe(200);
    }
    for (const path of ["/runs", "/agents", "/metrics", "/nothing"]) {
      const { status, headers, body } = await send("GET", path);
      expect([status, body.code]).toEqual([401, "UNAUTHORIZED"]);
      expect(headers.get("www-authenticate")).toMatch(/^Bearer/);
    }
  });

  it("never shows or logs a token", async () => {
    const { send, logs } = createHarness({ tokens: ["first-token"] });
    const headers = { accept: "text/event-stream", authorization: "Bearer SECRET-GUESS" };
    const { text } = await send("GET", "/runs/x/events?access_token=SECRET-GUESS", { headers });
    expect(text + JSON.stringify(logs)).not.toContain("SECRET-GUESS");
  });
});

describe("a hub without tokens", () => {
  const policy = createAuth({ tokens: [""], host: "127.0.0.1" });

  it.each(["127.0.0.1:3001", "localhost:3001", "LOCALHOST", "hub.localhost", "[::1]:3001", "127.1.2.3"])(
    "answers to the name %s",
    (host) => {
      expect(ask(policy, { headers: { host } })).toBe("ok");
    },
  );

  it.each([
    "evil.example",
    "127.0.0.1.evil.example",
    "localhost.evil.example:3001",
    "192.168.0.1",
    "[::2]",
    "127.evil",
  ])("refuses the name %s, which may have been rebound", (host) => {
    expect(ask(policy, { headers: { host } })).toBe("FORBIDDEN");
  });

  it("answers to the name it is bound to", () => {
    const named = createAuth({ tokens: [], host: "Workstation" });
    expect(ask(named, { headers: { host: "workstation:3001" } })).toBe("ok");
  });

  it.each(["https://evil.example", "null", "http://127.0.0.1:9999", "http://localhost:3001", "garbage"])(
    "refuses a page from %s, whatever it asks",
    (origin) => {
      expect(ask(policy, { headers: { origin, host: "127.0.0.1:3001" } })).toBe("FORBIDDEN");
      expect(ask(policy, { method: "POST", headers: { origin, host: "127.0.0.1:3001" } }, true)).toBe(
        "FORBIDDEN",
      );
    },
  );

  it("answers its own pages", () => {
    const headers = { origin: "http://localhost:3001", host: "localhost:3001" };
    expect(ask(policy, { method: "POST", headers })).toBe("ok");
  });

  it("starts nothing for another site", async () => {
    const { send, hub } = createHarness();
    const { status, body } = await send("POST", "/runs", {
      json: RUN,
      headers: { origin: "https://evil.example" },
    });
    expect([status, body.code]).toEqual([403, "FORBIDDEN"]);
    expect(hub.calls).toEqual([]);
  });
});

describe("binding a hub", () => {
  const refusal = (host: string, closed: boolean): ErrorCode | undefined => {
    try {
      assertSafeBind(host, closed);
      return undefined;
    } catch (error) {
      return ProctorError.is(error) ? error.code : "INTERNAL_ERROR";
    }
  };

  it.each(["127.0.0.1", "::1", "localhost", "127.9.9.9"])("to %s needs no token", (host) => {
    expect(refusal(host, false)).toBeUndefined();
    expect(isLoopback(host)).toBe(true);
  });

  it.each(["0.0.0.0", "::", "192.168.1.5", "hub.example", "", "127.0.0.1.example"])(
    "to %j needs one",
    (host) => {
      expect(refusal(host, false)).toBe("UNSAFE_BIND");
      expect(refusal(host, true)).toBeUndefined();
    },
  );

  it("says what, why and what next", () => {
    expect(() => assertSafeBind("0.0.0.0", false)).toThrow(
      /0\.0\.0\.0 without a token.*run programs.*\n.*PROCTOR_TOKEN/s,
    );
  });
});
