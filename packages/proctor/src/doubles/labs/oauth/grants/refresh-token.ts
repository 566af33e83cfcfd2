// A new access token for a refresh token, which is replaced. One that comes twice was stolen: its whole family is revoked (RFC 6749, section 6;
// RFC 9700, section 4.14).
import type { JsonObject } from "../../../../core/json.ts";
import { chooseScopes } from "../choose-scopes.ts";
import { need } from "../form.ts";
import { issueTokens } from "../issue-tokens.ts";
import { OAuthError } from "../oauth-error.ts";
import type { Grant } from "./grant.ts";

export const refreshToken: Grant = async (parts, { client, form, fault }): Promise<JsonObject> => {
  const { store, settings } = parts;
  const token = store.refreshTokens.get(need(form, "refresh_token"));
  if (token === undefined || token.family.clientId !== client.id) {
    throw new OAuthError("invalid_grant", "the refresh token is not one of this client");
  }
  const { family } = token;
  if (token.used) {
    family.revoked = true;
    throw new OAuthError("invalid_grant", "the refresh token was used before; its family is revoked");
  }
  if (family.revoked) throw new OAuthError("invalid_grant", "the refresh token was revoked");
  if (store.isOver(token)) throw new OAuthError("invalid_grant", "the refresh token has expired");
  const scopes = chooseScopes(form["scope"], family.scopes);
  if (settings.rotate) token.used = true;
  return issueTokens(parts, { client, family, scopes, refresh: settings.rotate, fault });
};
