// Says whether an access token is good, and if not, why: what a resource server has to find out (RFC 9068, section 4).
import { createLocalJWKSet, errors, jwtVerify, type JWTPayload } from "jose";
import { messageOf } from "../../../core/message-of.ts";
import type { LabDeps } from "./lab-deps.ts";

export interface VerifyOptions {
  /** Scopes that the token must have. */
  scopes?: readonly string[];
  /** The audience that the token must name; the server's own when absent. */
  audience?: string;
}

export type Verified =
  | { ok: true; claims: JWTPayload; scopes: readonly string[] }
  | {
      ok: false;
      /** The code of RFC 6750, section 3.1, and the status that goes with it. */
      error: "invalid_token" | "insufficient_scope";
      status: 401 | 403;
      reason: string;
    };

export type VerifyToken = (token: string, options?: VerifyOptions) => Promise<Verified>;

type VerifyParts = Pick<LabDeps, "settings" | "keys" | "store" | "clock" | "issuer">;

export function createVerify({ settings, keys, store, clock, issuer }: VerifyParts): VerifyToken {
  const audiences = [...settings.clients.values()].flatMap(({ audience }) => audience ?? []);
  return async (token, { scopes: needed = [], audience } = {}) => {
    let claims: JWTPayload;
    try {
      const verified = await jwtVerify(token, createLocalJWKSet(keys.jwks()), {
        issuer: issuer(),
        audience: audience ?? [settings.audience ?? issuer(), ...audiences],
        algorithms: [keys.algorithm],
        typ: "at+jwt",
        requiredClaims: ["exp", "jti"],
        currentDate: new Date(clock.now()),
      });
      claims = verified.payload;
    } catch (error) {
      return refused(reasonOf(error));
    }
    const known = store.accessTokens.get(claims.jti ?? "");
    if (known === undefined) return refused("the server does not know the token");
    if (known.revoked || known.family.revoked) return refused("the token was revoked");
    const scopes = typeof claims["scope"] === "string" ? claims["scope"].split(" ") : [];
    const missing = needed.filter((scope) => !scopes.includes(scope));
    if (missing.length === 0) return { ok: true, claims, scopes };
    const reason = `the token lacks the scope ${missing.join(" ")}`;
    return { ok: false, error: "insufficient_scope", status: 403, reason };
  };
}

function refused(reason: string): Verified {
  return { ok: false, error: "invalid_token", status: 401, reason };
}

function reasonOf(error: unknown): string {
  if (error instanceof errors.JWTExpired) return "the token has expired";
  if (error instanceof errors.JWKSNoMatchingKey) return "the key set has no key of this kid";
  if (error instanceof errors.JWSSignatureVerificationFailed) return "the signature is wrong";
  if (error instanceof errors.JOSEAlgNotAllowed) return "the algorithm is not the one of the server";
  if (error instanceof errors.JWTClaimValidationFailed) {
    if (error.claim === "iss") return "the issuer is another one";
    if (error.claim === "aud") return "the audience is another one";
    if (error.claim === "nbf") return "the token is not valid yet";
    if (error.claim === "typ") return "this is no access token";
  }
  return `this is no token: ${messageOf(error)}`;
}
