// Makes tokens: access tokens that are JWTs (RFC 9068), id tokens, and refresh tokens that mean nothing outside of the server.
import { hash, randomUUID } from "node:crypto";
import type { JsonObject } from "../../../core/json.ts";
import type { TokenFault } from "../../../core/oauth-script.ts";
import { newSecret, type Family } from "./grant-store.ts";
import type { SignatureFault } from "./key-ring.ts";
import type { LabDeps } from "./lab-deps.ts";
import type { KnownClient } from "./settings.ts";

interface IssueRequest {
  client: KnownClient;
  family: Family;
  /** Scopes of this access token; those of the family when absent. */
  scopes?: readonly string[];
  /** True when a new refresh token is issued with the access token. */
  refresh: boolean;
  fault: TokenFault | undefined;
}

const ELSEWHERE = "https://somebody-else.example";
const HOUR_SECONDS = 3600;

/** Returns the successful answer of the token endpoint (RFC 6749, section 5.1). */
export async function issueTokens(deps: LabDeps, request: IssueRequest): Promise<JsonObject> {
  const { settings, store } = deps;
  const { family, refresh, fault } = request;
  const asked = request.scopes ?? family.scopes;
  const scopes = fault === "wrong_scope" ? ["unrelated"] : asked;
  const accessToken = await signAccessToken(deps, { ...request, scopes });
  const answer: JsonObject = {
    access_token: accessToken,
    token_type: "Bearer",
    expires_in: settings.tokenSeconds,
    scope: scopes.join(" "),
  };
  if (refresh) {
    const token = newSecret();
    store.refreshTokens.set(token, {
      family,
      expiresAtMs: store.endOf(settings.refreshSeconds),
      used: false,
    });
    answer["refresh_token"] = token;
  }
  if (asked.includes("openid") && family.userId !== undefined) {
    answer["id_token"] = await signIdToken(deps, request, accessToken);
  }
  return answer;
}

async function signAccessToken(
  { settings, store, keys, clock, issuer }: LabDeps,
  { client, family, scopes = [], fault }: IssueRequest,
): Promise<string> {
  const now = Math.floor(clock.now() / 1000);
  const jti = randomUUID();
  store.accessTokens.set(jti, {
    family,
    scopes,
    expiresAtMs: store.endOf(settings.tokenSeconds),
    revoked: false,
  });
  const audience = client.audience ?? settings.audience ?? issuer();
  const early = fault === "expired" ? -settings.tokenSeconds - HOUR_SECONDS : 0;
  return keys.sign(
    {
      iss: fault === "wrong_issuer" ? ELSEWHERE : issuer(),
      sub: family.userId ?? client.id,
      aud: fault === "wrong_audience" ? ELSEWHERE : audience,
      client_id: client.id,
      scope: scopes.join(" "),
      jti,
      iat: now + early,
      exp: now + early + settings.tokenSeconds,
      ...(fault === "not_yet_valid" && { nbf: now + HOUR_SECONDS }),
    },
    { type: "at+jwt", fault: signatureFault(fault) },
  );
}

/** Signs an ID token (OpenID Connect Core 1.0, sections 2 and 3.1.3.6). */
function signIdToken(
  { settings, keys, clock, issuer }: LabDeps,
  { client, family: { userId = "", nonce } }: IssueRequest,
  accessToken: string,
): Promise<string> {
  const now = Math.floor(clock.now() / 1000);
  const half = hash("sha256", accessToken, "buffer").subarray(0, 16);
  return keys.sign(
    {
      ...settings.users.get(userId)?.claims,
      iss: issuer(),
      sub: userId,
      aud: client.id,
      iat: now,
      exp: now + settings.tokenSeconds,
      at_hash: half.toString("base64url"),
      ...(nonce !== undefined && { nonce }),
    },
    { type: "JWT" },
  );
}

function signatureFault(fault: TokenFault | undefined): SignatureFault | undefined {
  return fault === "bad_signature" || fault === "unknown_kid" || fault === "unsigned" ? fault : undefined;
}
