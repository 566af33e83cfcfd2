// Whether a delivery proves what it has to: a token, credentials, Proctor's signature, a JWT. Says for each what is wrong.
import { createHmac, timingSafeEqual } from "node:crypto";
import { createRemoteJWKSet, jwtVerify, type JWTVerifyGetKey } from "jose";
import { messageOf } from "../../../core/message-of.ts";
import type { Clock } from "../../../core/ports/clock.ts";
import type { PushVerification } from "../../../core/push-script.ts";

/** Resolves to the result of each check: `ok`, `missing`, or what is wrong. Undefined where nothing is checked. */
export type VerifyDelivery = (
  headers: Headers,
  body: Uint8Array,
) => Promise<Record<string, string> | undefined>;

const TOLERANCE_SECONDS = 300;

export function createVerifyDelivery(verification: PushVerification, clock: Clock): VerifyDelivery {
  const {
    token,
    authorization,
    secret,
    tolerance_seconds: tolerance = TOLERANCE_SECONDS,
    jwt,
  } = verification;
  const keys = jwt === undefined ? undefined : createRemoteJWKSet(new URL(jwt.jwks_url));
  return async (headers, body) => {
    const checks: Record<string, string> = {};
    if (token !== undefined) checks["token"] = compare(headers.get("x-a2a-notification-token"), token);
    if (authorization !== undefined) {
      checks["authorization"] = compare(headers.get("authorization"), authorization);
    }
    if (secret !== undefined) {
      const signed = { header: headers.get("x-proctor-signature"), body, secret, tolerance };
      checks["signature"] = checkSignature(signed, clock.now());
    }
    if (jwt !== undefined && keys !== undefined) {
      checks["jwt"] = await checkJwt(headers.get("authorization"), keys, { ...jwt, now: clock.now() });
    }
    return Object.keys(checks).length === 0 ? undefined : checks;
  };
}

function compare(given: string | null, wanted: string): string {
  if (given === null) return "missing";
  return given === wanted ? "ok" : "wrong";
}

interface Signed {
  header: string | null;
  body: Uint8Array;
  secret: string;
  tolerance: number;
}

/** Checks a signature (docs/reference/webhooks.md): `t=<unix seconds>,v1=<hex>`, over `<t>.<body>`. */
function checkSignature({ header, body, secret, tolerance }: Signed, nowMs: number): string {
  if (header === null) return "missing";
  const [, seconds, digest] = /^t=(\d{1,15}),v1=([0-9a-f]{64})$/.exec(header) ?? [];
  if (seconds === undefined || digest === undefined) return "malformed";
  const wanted = createHmac("sha256", secret).update(`${seconds}.`).update(body).digest();
  if (!timingSafeEqual(wanted, Buffer.from(digest, "hex"))) return "wrong";
  return Math.abs(nowMs / 1000 - Number(seconds)) <= tolerance ? "ok" : "too old or too new";
}

interface JwtRules {
  issuer?: string;
  audience?: string;
  now: number;
}

async function checkJwt(
  header: string | null,
  keys: JWTVerifyGetKey,
  { issuer, audience, now }: JwtRules,
): Promise<string> {
  const [, token] = /^Bearer +(\S+)$/i.exec(header ?? "") ?? [];
  if (token === undefined) return "missing";
  try {
    await jwtVerify(token, keys, {
      currentDate: new Date(now),
      requiredClaims: ["exp"],
      ...(issuer !== undefined && { issuer }),
      ...(audience !== undefined && { audience }),
    });
    return "ok";
  } catch (error) {
    return messageOf(error);
  }
}
