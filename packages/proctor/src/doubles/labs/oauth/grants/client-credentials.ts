// The client asks for itself (RFC 6749, section 4.4).
import type { JsonObject } from "../../../../core/json.ts";
import { chooseScopes } from "../choose-scopes.ts";
import { issueTokens } from "../issue-tokens.ts";
import { OAuthError } from "../oauth-error.ts";
import type { Grant } from "./grant.ts";

export const clientCredentials: Grant = async (parts, { client, form, fault }): Promise<JsonObject> => {
  if (client.secret === undefined) {
    throw new OAuthError("unauthorized_client", "a public client cannot ask for itself");
  }
  const userless = client.scopes.filter((scope) => scope !== "openid" && scope !== "offline_access");
  const scopes = chooseScopes(form["scope"], form["scope"] === undefined ? userless : client.scopes);
  const family = { clientId: client.id, scopes, revoked: false };
  return issueTokens(parts, { client, family, refresh: false, fault });
};
