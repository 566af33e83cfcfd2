// Clients that others wrote meet the mock OAuth server: the OAuth client of the MCP SDK.
import {
  discoverAuthorizationServerMetadata,
  exchangeAuthorization,
  fetchToken,
  ClientCredentialsProvider,
  refreshAuthorization,
  startAuthorization,
} from "@modelcontextprotocol/client";
import { describe, expect, it } from "vitest";
import { CALLBACK, startOAuth } from "../../../../test/support/doubles/oauth-lab.ts";

const clientInformation = { client_id: "test", client_secret: "secret" };

describe("The OAuth client of the MCP SDK at the OAuth lab", () => {
  it("discovers the server, logs in with PKCE, and refreshes its token", async () => {
    const lab = await startOAuth();
    const metadata = await discoverAuthorizationServerMetadata(lab.url);
    if (metadata === undefined) throw new Error("no metadata was found");
    expect(metadata.issuer).toBe(lab.url);
    const { authorizationUrl, codeVerifier } = await startAuthorization(lab.url, {
      metadata,
      clientInformation,
      redirectUrl: CALLBACK,
      scope: "openid read",
      state: "s",
    });
    const sent = await fetch(authorizationUrl, { redirect: "manual" });
    const { searchParams } = new URL(sent.headers.get("location") ?? "");
    const tokens = await exchangeAuthorization(lab.url, {
      metadata,
      clientInformation,
      authorizationCode: searchParams.get("code") ?? "",
      iss: searchParams.get("iss") ?? "",
      codeVerifier,
      redirectUri: CALLBACK,
    });
    expect(await lab.verify(tokens.access_token, { scopes: ["read"] })).toMatchObject({ ok: true });
    const refreshToken = tokens.refresh_token ?? "";
    const refreshed = await refreshAuthorization(lab.url, { metadata, clientInformation, refreshToken });
    expect(refreshed.refresh_token).not.toBe(refreshToken);
    const again = refreshAuthorization(lab.url, { metadata, clientInformation, refreshToken });
    // Which error the client throws depends on the class of responses that this process has; the lab knows what it answered.
    await expect(again).rejects.toThrow("OAuth error");
    expect(lab.requests().at(-1)).toMatchObject({ status: 400, error: "invalid_grant" });
  });

  it("gets a token for itself", async () => {
    const lab = await startOAuth();
    const metadata = await discoverAuthorizationServerMetadata(lab.url);
    if (metadata === undefined) throw new Error("no metadata was found");
    const provider = new ClientCredentialsProvider({
      clientId: "test",
      clientSecret: "secret",
      expectedIssuer: lab.url,
    });
    const tokens = await fetchToken(provider, lab.url, { metadata, scope: "read" });
    expect(await lab.verify(tokens.access_token)).toMatchObject({ ok: true });
  });
});
