// The authorization code grant of the mock OAuth server, rule by rule, over a real socket.
import { decodeJwt } from "jose";
import { describe, expect, it } from "vitest";
import {
  basic,
  CALLBACK,
  CHALLENGE,
  codeForm,
  startOAuth,
  VERIFIER,
} from "../../../../test/support/doubles/oauth-lab.ts";

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
