// What can be done with the tokens of the mock OAuth server: found out about, verified, revoked; and what is wrong with them on demand.
import { createRemoteJWKSet, jwtVerify } from "jose";
import { describe, expect, it } from "vitest";
import { basic, bearer, startOAuth, type StartedOAuth } from "../../../../test/support/doubles/oauth-lab.ts";
import type { TokenFault } from "../../../core/oauth-script.ts";

const CREDENTIALS = { grant_type: "client_credentials" };

async function tokenOf(lab: StartedOAuth, fields: Record<string, string> = {}): Promise<string> {
  return String((await lab.token({ ...CREDENTIALS, ...fields })).body["access_token"]);
}

describe("The metadata of the OAuth lab", () => {
  it.each(["openid-configuration", "oauth-authorization-server"])("is at /.well-known/%s", async (name) => {
    const lab = await startOAuth({ clients: [{ id: "a", secret: "b", grants: ["client_credentials"] }] });
    const response = await fetch(`${lab.url}/.well-known/${name}`);
    expect(await response.json()).toMatchObject({
      issuer: lab.url,
      token_endpoint: `${lab.url}/token`,
      jwks_uri: `${lab.url}/jwks`,
      grant_types_supported: ["client_credentials"],
      code_challenge_methods_supported: ["S256"],
    });
  });

  it("names the issuer of the script", async () => {
    const lab = await startOAuth({ issuer: "https://id.example" });
    expect(lab.issuer).toBe("https://id.example");
    const metadata = await (await fetch(`${lab.url}/.well-known/openid-configuration`)).json();
    expect(metadata).toMatchObject({ issuer: "https://id.example", token_endpoint: `${lab.url}/token` });
  });
});

describe("The keys of the OAuth lab", () => {
  const currentDate = new Date("2026-01-01T00:00:01Z");
  const verifyRemotely = (lab: StartedOAuth, token: string): Promise<unknown> =>
    jwtVerify(token, createRemoteJWKSet(new URL(`${lab.url}/jwks`)), { issuer: lab.url, currentDate });

  it("verify tokens with a library that fetches the key set", async () => {
    const lab = await startOAuth({ algorithm: "RS256" });
    await expect(verifyRemotely(lab, await tokenOf(lab))).resolves.toMatchObject({
      payload: { sub: "test" },
    });
    const { keys } = (await (await fetch(`${lab.url}/jwks`)).json()) as { keys: object[] };
    expect(keys.map((key) => Object.keys(key).toSorted())).toEqual([["alg", "e", "kid", "kty", "n", "use"]]);
  });

  it("are replaced on demand; the former one verifies until it is dropped", async () => {
    const lab = await startOAuth();
    const before = await tokenOf(lab);
    const kid = await lab.rollover();
    const after = await tokenOf(lab);
    expect(JSON.parse(Buffer.from(after.split(".")[0] ?? "", "base64url").toString())).toMatchObject({ kid });
    await expect(verifyRemotely(lab, before)).resolves.toBeDefined();
    await expect(verifyRemotely(lab, after)).resolves.toBeDefined();
    await lab.rollover();
    await expect(verifyRemotely(lab, before)).rejects.toThrow(/no applicable key/);
    expect(await lab.verify(before)).toMatchObject({
      ok: false,
      reason: "the key set has no key of this kid",
    });
  });

  it("are replaced after as many tokens as the script says, even for requests at the same time", async () => {
    const lab = await startOAuth({ keys: { rollover_after: 2, keep: 9 } });
    const tokens = await Promise.all(Array.from({ length: 6 }, () => tokenOf(lab)));
    const kids = tokens.map((token) => token.split(".")[0]);
    expect(new Set(kids).size).toBe(3);
    const counts = [...new Set(kids)].map((kid) => kids.filter((other) => other === kid).length);
    expect(counts).toEqual([2, 2, 2]);
  });

  it("drop the former one at once where the script keeps none", async () => {
    const lab = await startOAuth({ keys: { keep: 0 } });
    const token = await tokenOf(lab);
    await lab.rollover();
    expect(await lab.verify(token)).toMatchObject({ ok: false });
  });
});

describe("A token of the OAuth lab", () => {
  it.each<[TokenFault, string]>([
    ["expired", "the token has expired"],
    ["not_yet_valid", "the token is not valid yet"],
    ["wrong_audience", "the audience is another one"],
    ["wrong_issuer", "the issuer is another one"],
    ["bad_signature", "the signature is wrong"],
    ["unknown_kid", "the key set has no key of this kid"],
    ["unsigned", "the algorithm is not the one of the server"],
  ])("that is %s on demand is refused because %s, and the next one is good", async (token, reason) => {
    const lab = await startOAuth({ faults: [{ at: "token", token, times: 1 }] });
    const answer = await lab.token(CREDENTIALS);
    expect([answer.status, answer.body["expires_in"]]).toEqual([200, 3600]);
    const bad = String(answer.body["access_token"]);
    expect(await lab.verify(bad)).toMatchObject({ ok: false, error: "invalid_token", status: 401, reason });
    expect(await lab.verify(await tokenOf(lab))).toMatchObject({ ok: true });
    expect(lab.requests()[0]?.faults).toEqual([token]);
  });

  it("with the wrong scope is refused with 403", async () => {
    const lab = await startOAuth({ faults: [{ at: "token", token: "wrong_scope" }] });
    const token = await tokenOf(lab, { scope: "read" });
    expect(await lab.verify(token, { scopes: ["read"] })).toMatchObject({
      ok: false,
      error: "insufficient_scope",
      status: 403,
      reason: "the token lacks the scope read",
    });
  });

  it("expires by the clock", async () => {
    const lab = await startOAuth({ token_seconds: 10 });
    const token = await tokenOf(lab);
    lab.clock.advance(9000);
    expect(await lab.verify(token)).toMatchObject({ ok: true });
    lab.clock.advance(1000);
    expect(await lab.verify(token)).toMatchObject({ ok: false, reason: "the token has expired" });
  });

  it("is an access token: an id token is not taken for one", async () => {
    const lab = await startOAuth();
    const { id_token: idToken } = await lab.login("openid");
    expect(await lab.verify(String(idToken), { audience: "test" })).toMatchObject({
      ok: false,
      reason: "this is no access token",
    });
  });

  it("opens the guard; everybody else hears why not, as RFC 6750 says", async () => {
    const lab = await startOAuth();
    const ask = (headers: Record<string, string>): Promise<Response | undefined> =>
      lab.guard(new Request("http://agent.example/", { headers }), { scopes: ["write"] });
    expect(await ask(bearer(await tokenOf(lab, { scope: "write" })))).toBeUndefined();
    const none = await ask({});
    expect([none?.status, none?.headers.get("www-authenticate")]).toEqual([401, 'Bearer realm="proctor"']);
    const garbage = await ask(bearer("garbage"));
    expect(garbage?.status).toBe(401);
    expect(garbage?.headers.get("www-authenticate")).toMatch(
      /^Bearer realm="proctor", error="invalid_token", error_des/,
    );
    const narrow = await ask(bearer(await tokenOf(lab, { scope: "read" })));
    expect(narrow?.status).toBe(403);
    expect(narrow?.headers.get("www-authenticate")).toContain('error="insufficient_scope"');
    expect(narrow?.headers.get("www-authenticate")).toContain('scope="write"');
  });
});

describe("The introspection of the OAuth lab", () => {
  it("tells clients about active tokens, and nothing about others", async () => {
    const lab = await startOAuth();
    const { access_token: access, refresh_token: refresh } = await lab.login("openid read");
    const { body } = await lab.post("/introspect", { token: String(access) });
    expect(body).toMatchObject({
      active: true,
      token_type: "Bearer",
      client_id: "test",
      username: "alice",
      scope: "openid read",
      exp: lab.clock.now() / 1000 + 3600,
    });
    expect((await lab.post("/introspect", { token: String(refresh) })).body).toMatchObject({ active: true });
    for (const token of ["invented", `${String(access)}x`]) {
      expect((await lab.post("/introspect", { token })).body).toEqual({ active: false });
    }
    lab.clock.advance(3_600_000);
    expect((await lab.post("/introspect", { token: String(access) })).body).toEqual({ active: false });
  });

  it("is for clients alone, and needs a token to speak of", async () => {
    const lab = await startOAuth();
    expect((await lab.post("/introspect", { token: "x" }, basic("test", "wrong"))).status).toBe(401);
    expect((await lab.post("/introspect", {})).body["error"]).toBe("invalid_request");
  });
});

describe("The revocation of the OAuth lab", () => {
  it("ends an access token alone, and with a refresh token its family", async () => {
    const lab = await startOAuth();
    const { access_token: access, refresh_token: refresh } = await lab.login("read");
    const one = await lab.post("/revoke", { token: String(access), token_type_hint: "refresh_token" });
    expect([one.status, one.body]).toEqual([200, {}]);
    expect(await lab.verify(String(access))).toMatchObject({ ok: false, reason: "the token was revoked" });
    const next = (await lab.token({ grant_type: "refresh_token", refresh_token: String(refresh) })).body;
    await lab.post("/revoke", { token: String(next["refresh_token"]) });
    expect(await lab.verify(String(next["access_token"]))).toMatchObject({ ok: false });
    expect((await lab.post("/introspect", { token: String(next["refresh_token"]) })).body).toEqual({
      active: false,
    });
  });

  it("answers 200 for a token that nobody knows, and refuses another client's", async () => {
    const lab = await startOAuth({
      clients: [
        { id: "test", secret: "secret" },
        { id: "thief", secret: "secret" },
      ],
    });
    expect((await lab.post("/revoke", { token: "invented" })).status).toBe(200);
    const { access_token: token } = await lab.login("read");
    const refused = await lab.post("/revoke", { token: String(token) }, basic("thief", "secret"));
    expect([refused.status, refused.body["error"]]).toEqual([400, "invalid_grant"]);
    expect(await lab.verify(String(token))).toMatchObject({ ok: true });
  });
});

describe("The user information of the OAuth lab", () => {
  it("is for tokens with the scope openid", async () => {
    const lab = await startOAuth({ users: [{ id: "bob", claims: { name: "Bob" } }] });
    const ask = (headers: Record<string, string>): Promise<Response> =>
      fetch(`${lab.url}/userinfo`, { headers });
    const { access_token: token } = await lab.login("openid");
    expect(await (await ask(bearer(token))).json()).toEqual({ sub: "bob", name: "Bob" });
    expect((await ask({})).status).toBe(401);
    const narrow = await ask(bearer(await tokenOf(lab, { scope: "read" })));
    expect([narrow.status, narrow.headers.get("www-authenticate")]).toEqual([
      403,
      expect.stringContaining("openid"),
    ]);
  });
});
