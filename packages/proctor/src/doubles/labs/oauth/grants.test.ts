// The grants of the mock OAuth server but the one with a code, rule by rule, over a real socket.
import { decodeJwt, decodeProtectedHeader } from "jose";
import { describe, expect, it } from "vitest";
import { basic, startOAuth } from "../../../../test/support/doubles/oauth-lab.ts";

const CREDENTIALS = { grant_type: "client_credentials" };
const DEVICE = "urn:ietf:params:oauth:grant-type:device_code";

describe("The client credentials grant of the OAuth lab", () => {
  it.each(["RS256", "ES256"] as const)(
    "gives a signed access token by %s and no refresh token",
    async (algorithm) => {
      const lab = await startOAuth({ algorithm, token_seconds: 120, audience: "https://agent.example" });
      const { status, headers, body } = await lab.token({ ...CREDENTIALS, scope: "read" });
      expect(status).toBe(200);
      expect([headers.get("cache-control"), headers.get("pragma")]).toEqual(["no-store", "no-cache"]);
      expect(Object.keys(body).toSorted()).toEqual(["access_token", "expires_in", "scope", "token_type"]);
      expect(body).toMatchObject({ token_type: "Bearer", expires_in: 120, scope: "read" });
      const token = String(body["access_token"]);
      expect(decodeProtectedHeader(token)).toMatchObject({ alg: algorithm, typ: "at+jwt" });
      const now = lab.clock.now() / 1000;
      expect(decodeJwt(token)).toMatchObject({
        iss: lab.url,
        sub: "test",
        aud: "https://agent.example",
        client_id: "test",
        scope: "read",
        iat: now,
        exp: now + 120,
      });
      expect(await lab.verify(token, { scopes: ["read"] })).toMatchObject({ ok: true, scopes: ["read"] });
    },
  );

  it("takes the secret in the header, form-encoded as RFC 6749 asks", async () => {
    const lab = await startOAuth({ clients: [{ id: "a b", secret: "p:w%" }] });
    expect((await lab.token(CREDENTIALS, basic("a+b", "p%3Aw%25"))).status).toBe(200);
    expect((await lab.token(CREDENTIALS, basic("a+b", "p:w%"))).body["error"]).toBe("invalid_client");
  });

  it.each([
    ["no client at all", { client_id: "" }, {}],
    ["an unknown client", { client_id: "other", client_secret: "secret" }, {}],
    ["a wrong secret", { client_id: "test", client_secret: "wrong" }, {}],
    ["a missing secret", { client_id: "test" }, {}],
    ["a wrong secret in the header", {}, basic("test", "wrong")],
    ["another scheme", {}, { authorization: "Bearer x" }],
  ])("refuses %s with 401 and the scheme that would do", async (_what, fields, headers) => {
    const lab = await startOAuth();
    const answer = await lab.token({ ...CREDENTIALS, ...fields }, headers);
    expect([answer.status, answer.body["error"]]).toEqual([401, "invalid_client"]);
    expect(answer.headers.get("www-authenticate")).toMatch(/^Basic realm=/);
  });

  it.each([
    ["two ways to authenticate", { client_secret: "secret" }, basic("test", "secret"), "invalid_request"],
    [
      "another client_id than the header's",
      { client_id: "other" },
      basic("test", "secret"),
      "invalid_request",
    ],
    ["no grant type", { grant_type: "" }, {}, "invalid_request"],
    ["a grant type that there is not", { grant_type: "password" }, {}, "unsupported_grant_type"],
    ["the name of a property of objects", { grant_type: "constructor" }, {}, "unsupported_grant_type"],
    ["an unknown scope", { scope: "read admin" }, {}, "invalid_scope"],
  ])("refuses %s with 400", async (_what, fields, headers, error) => {
    const lab = await startOAuth();
    const answer = await lab.token({ ...CREDENTIALS, ...fields }, headers);
    expect([answer.status, answer.body["error"]]).toEqual([400, error]);
  });

  it("is not for public clients, nor for clients whose grants leave it out", async () => {
    const lab = await startOAuth({
      clients: [{ id: "public" }, { id: "web", secret: "secret", grants: ["authorization_code"] }],
    });
    expect((await lab.token({ ...CREDENTIALS, client_id: "public" })).body["error"]).toBe(
      "unauthorized_client",
    );
    expect((await lab.token(CREDENTIALS, basic("web", "secret"))).body["error"]).toBe("unauthorized_client");
  });

  it("gives a client no scope that is not its own", async () => {
    const lab = await startOAuth({ clients: [{ id: "test", secret: "secret", scopes: ["read"] }] });
    expect((await lab.token({ ...CREDENTIALS, scope: "write" })).body["error"]).toBe("invalid_scope");
    expect((await lab.token(CREDENTIALS)).body["scope"]).toBe("read");
  });
});

describe("The refresh token grant of the OAuth lab", () => {
  const refreshWith = (token: string | undefined) => ({
    grant_type: "refresh_token",
    refresh_token: String(token),
  });

  it("replaces the refresh token, and revokes the family when the former one comes again", async () => {
    const lab = await startOAuth();
    const first = await lab.login("read");
    const second = (await lab.token(refreshWith(first["refresh_token"]))).body;
    expect(second["refresh_token"]).not.toBe(first["refresh_token"]);
    expect(await lab.verify(String(second["access_token"]))).toMatchObject({ ok: true });
    const reused = await lab.token(refreshWith(first["refresh_token"]));
    expect([reused.status, reused.body["error"]]).toEqual([400, "invalid_grant"]);
    for (const token of [first["access_token"], second["access_token"]]) {
      expect(await lab.verify(String(token))).toMatchObject({ ok: false, reason: "the token was revoked" });
    }
    expect((await lab.token(refreshWith(second["refresh_token"]))).body["error"]).toBe("invalid_grant");
  });

  it("keeps the refresh token where the script turns rotation off", async () => {
    const lab = await startOAuth({ rotate_refresh_tokens: false });
    const { refresh_token: token } = await lab.login("read");
    const answer = await lab.token(refreshWith(token));
    expect([answer.status, answer.body["refresh_token"]]).toEqual([200, undefined]);
    expect((await lab.token(refreshWith(token))).status).toBe(200);
  });

  it("narrows scopes and never widens them", async () => {
    const lab = await startOAuth();
    const { refresh_token: token } = await lab.login("read write");
    const wider = await lab.token({ ...refreshWith(token), scope: "read profile" });
    expect(wider.body["error"]).toBe("invalid_scope");
    const { body } = await lab.token({ ...refreshWith(token), scope: "read" });
    expect(body["scope"]).toBe("read");
    // The family keeps its scopes: the next refresh may have them again.
    expect((await lab.token(refreshWith(body["refresh_token"]))).body["scope"]).toBe("read write");
  });

  it("refuses another client's token, and one whose time is over", async () => {
    const lab = await startOAuth({
      refresh_seconds: 60,
      clients: [
        { id: "test", secret: "secret" },
        { id: "thief", secret: "secret" },
      ],
    });
    const { refresh_token: token } = await lab.login("read");
    expect((await lab.token(refreshWith(token), basic("thief", "secret"))).body["error"]).toBe(
      "invalid_grant",
    );
    lab.clock.advance(60_000);
    expect((await lab.token(refreshWith(token))).body["error_description"]).toBe(
      "the refresh token has expired",
    );
  });

  it("is offered to no client whose grants leave it out", async () => {
    const lab = await startOAuth({
      clients: [{ id: "test", secret: "secret", grants: ["authorization_code"] }],
    });
    expect(await lab.login("read")).not.toHaveProperty("refresh_token");
  });
});

describe("The device code grant of the OAuth lab", () => {
  it("gives codes and addresses, and tokens after the polls that the script wants", async () => {
    const lab = await startOAuth({ device: { answers: ["pending", "pending", "approve"], interval: 1 } });
    const { status, body } = await lab.post("/device_authorization", { scope: "openid read" });
    expect(status).toBe(200);
    expect(body).toMatchObject({ verification_uri: `${lab.url}/device`, expires_in: 600, interval: 1 });
    expect(body["user_code"]).toMatch(/^[B-Z]{4}-[B-Z]{4}$/);
    const poll = { grant_type: DEVICE, device_code: String(body["device_code"]) };
    for (const _ of [1, 2]) {
      const waiting = await lab.token(poll);
      expect([waiting.status, waiting.body["error"]]).toEqual([400, "authorization_pending"]);
      lab.clock.advance(1000);
    }
    const done = await lab.token(poll);
    expect(done.body).toMatchObject({ scope: "openid read", id_token: expect.any(String) });
    lab.clock.advance(1000);
    expect((await lab.token(poll)).body["error"]).toBe("invalid_grant");
  });

  it("asks a client that polls too fast to slow down, by five seconds each time", async () => {
    const lab = await startOAuth({ device: { answers: ["pending", "approve"], interval: 2 } });
    const { body } = await lab.post("/device_authorization", {});
    const poll = { grant_type: DEVICE, device_code: String(body["device_code"]) };
    expect((await lab.token(poll)).body["error"]).toBe("authorization_pending");
    lab.clock.advance(1000);
    expect((await lab.token(poll)).body["error"]).toBe("slow_down");
    lab.clock.advance(2000);
    expect((await lab.token(poll)).body["error"]).toBe("slow_down");
    lab.clock.advance(12_000);
    expect((await lab.token(poll)).status).toBe(200);
  });

  it.each([
    ["deny", "access_denied"],
    ["expire", "expired_token"],
    ["slow_down", "slow_down"],
  ] as const)("answers %s with %s", async (answer, error) => {
    const lab = await startOAuth({ device: { answers: [answer] } });
    const { body } = await lab.post("/device_authorization", {});
    const refused = await lab.token({ grant_type: DEVICE, device_code: String(body["device_code"]) });
    expect([refused.status, refused.body["error"]]).toEqual([400, error]);
  });

  it("expires by the clock", async () => {
    const lab = await startOAuth({ device: { answers: ["pending"], expires_in: 5 } });
    const { body } = await lab.post("/device_authorization", {});
    lab.clock.advance(5000);
    const refused = await lab.token({ grant_type: DEVICE, device_code: String(body["device_code"]) });
    expect(refused.body["error"]).toBe("expired_token");
  });

  it.each([
    ["approve", 200],
    ["deny", 400],
  ] as const)("follows the user who visits the page: %s", async (decision, status) => {
    const lab = await startOAuth({ consent: { decision }, device: { answers: ["pending"], interval: 0 } });
    const { body } = await lab.post("/device_authorization", {});
    const poll = { grant_type: DEVICE, device_code: String(body["device_code"]) };
    expect((await lab.token(poll)).body["error"]).toBe("authorization_pending");
    const page = await fetch(String(body["verification_uri_complete"]));
    expect([page.status, await page.text()]).toEqual([
      200,
      expect.stringContaining("You may close this page"),
    ]);
    expect((await lab.token(poll)).status).toBe(status);
  });

  it("knows no user code that it has not given", async () => {
    const lab = await startOAuth();
    expect((await fetch(`${lab.url}/device?user_code=BCDF-GHJK`)).status).toBe(400);
  });
});
