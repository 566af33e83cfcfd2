// The grants of the mock OAuth server, rule by rule, over a real socket.
import { decodeJwt, decodeProtectedHeader } from "jose";
import { describe, expect, it } from "vitest";
import {
  basic,
  CALLBACK,
  CHALLENGE,
  codeForm,
  startOAuth,
  VERIFIER,
} from "../../../../test/support/doubles/oauth-lab.ts";

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

describe("The authorization code grant of the OAuth lab", () => {
  it("sends the user back with a code, the state and the issuer, and exchanges the code", async () => {
    const lab = await startOAuth();
    const { status, location } = await lab.authorize({ scope: "openid read", nonce: "n-1" });
    expect(status).toBe(302);
    expect(`${location?.origin}${location?.pathname}`).toBe(CALLBACK);
    expect(location?.searchParams.get("state")).toBe("s t&te");
    expect(location?.searchParams.get("iss")).toBe(lab.url);
    const { body } = await lab.token(codeForm(location?.searchParams.get("code") ?? ""));
    expect(body).toMatchObject({ scope: "openid read", refresh_token: expect.any(String) });
    expect(decodeJwt(String(body["id_token"]))).toMatchObject({
      iss: lab.url,
      sub: "alice",
      aud: "test",
      nonce: "n-1",
      name: "Alice",
      at_hash: expect.any(String),
    });
  });

  it.each([
    ["no challenge", { code_challenge: "" }, "invalid_request"],
    ["the method plain", { code_challenge_method: "plain" }, "invalid_request"],
    ["no method, which means plain", { code_challenge_method: "" }, "invalid_request"],
    ["a challenge that is no SHA-256", { code_challenge: "short" }, "invalid_request"],
    ["another response type", { response_type: "token" }, "unsupported_response_type"],
    ["no response type", { response_type: "" }, "invalid_request"],
    ["an unknown scope", { scope: "admin" }, "invalid_scope"],
  ])("tells the client at its own address about %s", async (_what, fields, error) => {
    const lab = await startOAuth();
    const { status, location } = await lab.authorize(fields);
    expect([status, location?.searchParams.get("error")]).toEqual([302, error]);
    expect(location?.searchParams.get("state")).toBe("s t&te");
    expect(location?.searchParams.has("code")).toBe(false);
    expect(lab.requests().at(-1)?.error).toBe(error);
  });

  it.each([
    ["an unknown client", { client_id: "other" }],
    ["no client", { client_id: "" }],
    ["an address that the client has not", { redirect_uri: "https://evil.example/callback" }],
    [
      "an address that only begins like the client's",
      { redirect_uri: "https://app.example/callback/../evil" },
    ],
    ["a fragment", { redirect_uri: "https://app.example/callback#x" }],
    ["no address where there are several", { redirect_uri: "" }],
  ])("sends nobody anywhere for %s", async (_what, fields) => {
    const redirect_uris = ["https://app.example/callback", "http://127.0.0.1/callback"];
    const lab = await startOAuth({ clients: [{ id: "test", secret: "secret", redirect_uris }] });
    const { status, location, body } = await lab.authorize(fields);
    expect([status, location]).toEqual([400, undefined]);
    expect(JSON.parse(body)).toMatchObject({ error: "invalid_request" });
  });

  it("takes any port of a registered loopback address, and no other path", async () => {
    const redirect_uris = ["http://127.0.0.1/callback"];
    const lab = await startOAuth({ clients: [{ id: "test", secret: "secret", redirect_uris }] });
    expect((await lab.authorize({ redirect_uri: "http://127.0.0.1:51515/callback" })).status).toBe(302);
    expect((await lab.authorize({ redirect_uri: "http://127.0.0.1:51515/other" })).status).toBe(400);
    expect((await lab.authorize({ redirect_uri: "http://127.0.0.1:1@evil.example/callback" })).status).toBe(
      400,
    );
  });

  it("lets a client without registered addresses use this machine alone", async () => {
    const lab = await startOAuth();
    expect((await lab.authorize({ redirect_uri: "https://app.example/callback" })).status).toBe(400);
    expect((await lab.authorize({ redirect_uri: "javascript:alert(1)" })).status).toBe(400);
  });

  it("refuses as the user does", async () => {
    const lab = await startOAuth({ consent: { decision: "deny" } });
    expect((await lab.authorize()).location?.searchParams.get("error")).toBe("access_denied");
  });

  it("revokes what a code gave when the code comes a second time", async () => {
    const lab = await startOAuth();
    const { location } = await lab.authorize({ scope: "read" });
    const form = codeForm(location?.searchParams.get("code") ?? "");
    const { body } = await lab.token(form);
    expect(await lab.verify(String(body["access_token"]))).toMatchObject({ ok: true });
    const again = await lab.token(form);
    expect([again.status, again.body["error"]]).toEqual([400, "invalid_grant"]);
    expect(await lab.verify(String(body["access_token"]))).toMatchObject({
      ok: false,
      reason: "the token was revoked",
    });
    const refreshed = await lab.token({
      grant_type: "refresh_token",
      refresh_token: String(body["refresh_token"]),
    });
    expect(refreshed.body["error"]).toBe("invalid_grant");
  });

  it.each([
    ["a wrong verifier", { code_verifier: "b".repeat(43) }],
    ["no verifier", { code_verifier: "" }],
    ["the challenge as the verifier", { code_verifier: CHALLENGE }],
    ["another redirect_uri", { redirect_uri: `${CALLBACK}/` }],
    ["no redirect_uri though the code's request had one", { redirect_uri: "" }],
    ["a code that was never given", { code: "invented" }],
  ])("refuses the exchange with %s, and the code stays good", async (_what, fields) => {
    const lab = await startOAuth();
    const { location } = await lab.authorize();
    const form = codeForm(location?.searchParams.get("code") ?? "");
    const refused = await lab.token({ ...form, ...fields });
    expect([refused.status, refused.body["error"]]).toEqual([400, "invalid_grant"]);
    expect((await lab.token(form)).status).toBe(200);
  });

  it("refuses the exchange by another client, and after the code's time", async () => {
    const lab = await startOAuth({
      code_seconds: 30,
      clients: [
        { id: "test", secret: "secret" },
        { id: "thief", secret: "secret" },
      ],
    });
    const { location } = await lab.authorize();
    const form = codeForm(location?.searchParams.get("code") ?? "");
    expect((await lab.token(form, basic("thief", "secret"))).body["error"]).toBe("invalid_grant");
    lab.clock.advance(30_000);
    expect((await lab.token(form)).body).toMatchObject({
      error: "invalid_grant",
      error_description: "the code has expired",
    });
  });

  it("serves public clients, which prove themselves by the verifier alone", async () => {
    const lab = await startOAuth({ clients: [{ id: "app" }] });
    const { location } = await lab.authorize({ client_id: "app" });
    const form = { ...codeForm(location?.searchParams.get("code") ?? ""), client_id: "app" };
    expect((await lab.token({ ...form, code_verifier: VERIFIER.replace("a", "b") })).status).toBe(400);
    expect((await lab.token(form)).status).toBe(200);
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
