// What can be asked about a token that is in use: whether it is good (RFC 7662), whose it is (OpenID Connect Core 1.0, section 5.3), and that it
// be worth nothing any more (RFC 7009).
import { decodeJwt } from "jose";
import type { JsonObject } from "../../../../core/json.ts";
import { emptyResponse, jsonResponse } from "../../../../runtime/http/respond.ts";
import { authenticateClient } from "../authenticate-client.ts";
import { formOf, need } from "../form.ts";
import type { AccessToken, RefreshToken } from "../grant-store.ts";
import { createTokenGuard } from "../guard.ts";
import type { LabDeps, Visit } from "../lab-deps.ts";
import { OAuthError } from "../oauth-error.ts";

export async function answerIntrospect(parts: LabDeps, visit: Visit): Promise<Response> {
  const form = formOf(visit.parameters);
  const client = authenticateClient(parts.settings, visit.request, form);
  visit.note({ client_id: client.id });
  const token = need(form, "token");
  const refresh = parts.store.refreshTokens.get(token);
  if (refresh !== undefined) return jsonResponse(aboutRefreshToken(parts, refresh));
  const verified = await parts.verify(token);
  // Nothing is said about a token that is not active (RFC 7662, section 2.2).
  if (!verified.ok) return jsonResponse({ active: false });
  const { claims } = verified;
  const username = parts.store.accessTokens.get(claims.jti ?? "")?.family.userId;
  return jsonResponse({
    active: true,
    token_type: "Bearer",
    ...(username !== undefined && { username }),
    ...claims,
  });
}

function aboutRefreshToken({ store, issuer }: LabDeps, token: RefreshToken): JsonObject {
  const { family, used, expiresAtMs } = token;
  if (used || family.revoked || store.isOver(token)) return { active: false };
  const { clientId, userId = clientId, scopes } = family;
  return {
    active: true,
    iss: issuer(),
    client_id: clientId,
    sub: userId,
    scope: scopes.join(" "),
    exp: Math.floor(expiresAtMs / 1000),
  };
}

export async function answerRevoke({ settings, store }: LabDeps, visit: Visit): Promise<Response> {
  const form = formOf(visit.parameters);
  const client = authenticateClient(settings, visit.request, form);
  visit.note({ client_id: client.id });
  const token = need(form, "token");
  const refresh = store.refreshTokens.get(token);
  const access = refresh === undefined ? store.accessTokens.get(idOf(token)) : undefined;
  const found: RefreshToken | AccessToken | undefined = refresh ?? access;
  // An unknown token counts as revoked (RFC 7009, section 2.2).
  if (found === undefined) return emptyResponse(200);
  if (found.family.clientId !== client.id) {
    throw new OAuthError("invalid_grant", "the token was issued to another client");
  }
  if (refresh) refresh.family.revoked = true;
  if (access) access.revoked = true;
  return emptyResponse(200);
}

export async function answerUserinfo({ settings, store, verify }: LabDeps, visit: Visit): Promise<Response> {
  const { request } = visit;
  const refused = await createTokenGuard(verify)(request, { scopes: ["openid"] });
  if (refused) return refused;
  const token = (request.headers.get("authorization") ?? "").replace(/^Bearer +/i, "");
  const { userId = "" } = store.accessTokens.get(idOf(token))?.family ?? {};
  return jsonResponse({ ...settings.users.get(userId)?.claims, sub: userId });
}

/** Returns the `jti` of a token of this server; empty where it has none. */
function idOf(token: string): string {
  try {
    return decodeJwt(token).jti ?? "";
  } catch {
    return "";
  }
}
