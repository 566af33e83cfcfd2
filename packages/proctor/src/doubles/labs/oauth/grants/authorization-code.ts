// A code and the proof that its bearer asked for it (RFC 6749, section 4.1.3; RFC 7636, section 4.6).
import { hash } from "node:crypto";
import type { JsonObject } from "../../../../core/json.ts";
import { need } from "../form.ts";
import { issueTokens } from "../issue-tokens.ts";
import { OAuthError } from "../oauth-error.ts";
import type { Grant } from "./grant.ts";

export const authorizationCode: Grant = async (parts, { client, form, fault }): Promise<JsonObject> => {
  const { store } = parts;
  const code = store.codes.get(need(form, "code"));
  if (code === undefined || code.family.clientId !== client.id) {
    throw new OAuthError("invalid_grant", "the code is not one of this client");
  }
  if (code.used) {
    // A code that is used twice was stolen, so all tokens that were issued for it are revoked (RFC 6749, section 4.1.2).
    code.family.revoked = true;
    throw new OAuthError("invalid_grant", "the code was used before; its tokens are revoked");
  }
  if (store.isOver(code)) throw new OAuthError("invalid_grant", "the code has expired");
  const { redirect_uri: redirectUri, code_verifier: verifier } = form;
  if (redirectUri === undefined ? code.redirectNamed : redirectUri !== code.redirectUri) {
    throw new OAuthError("invalid_grant", "redirect_uri is not the one that the code was sent to");
  }
  if (verifier === undefined) throw new OAuthError("invalid_grant", "code_verifier is missing");
  if (hash("sha256", verifier, "buffer").toString("base64url") !== code.challenge) {
    throw new OAuthError("invalid_grant", "code_verifier does not fit the code_challenge");
  }
  code.used = true;
  const refresh = client.grants.includes("refresh_token");
  return issueTokens(parts, { client, family: code.family, refresh, fault });
};
