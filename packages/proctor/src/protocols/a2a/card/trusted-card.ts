// Whether a card is what somebody we trust has signed: JWS over its canonical JSON without `signatures` (A2A 1.0, section 8.4). Keys come
// from the agent's options; `jku` of a signature is never fetched.
import { compactVerify, importJWK, type JWK } from "jose";
import { canonicalJson } from "../../../core/canonical-json.ts";
import { isJsonObject, type Json, type JsonObject } from "../../../core/json.ts";

const ALGORITHMS = ["ES256", "ES384", "ES512", "RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "EdDSA"];
const MAX_SIGNATURES = 16;

/** Undefined when one signature is by one of the keys; otherwise why none is. */
export async function whyNotTrusted(
  received: Json,
  keys: readonly JsonObject[],
): Promise<string | undefined> {
  if (!isJsonObject(received)) return "it is no JSON object";
  const { signatures, ...card } = received;
  if (!Array.isArray(signatures) || signatures.length === 0) return "it is not signed";
  const payloads = [canonicalJson(card)];
  for (const signature of signatures.slice(0, MAX_SIGNATURES)) {
    for (const key of keysFor(signature, keys)) {
      for (const payload of payloads) if (await isSignedBy(signature, payload, key)) return undefined;
    }
  }
  return "none of its signatures is by a key of options.card_keys";
}

/** The keys that a signature may be by: the one it names, or all that have no name. */
function keysFor(signature: Json, keys: readonly JsonObject[]): JsonObject[] {
  const kid = headerOf(signature)?.["kid"];
  return keys.filter((key) => key["kid"] === undefined || kid === undefined || key["kid"] === kid);
}

async function isSignedBy(signature: Json, payload: string, key: JsonObject): Promise<boolean> {
  if (!isJsonObject(signature)) return false;
  const { protected: header, signature: value } = signature;
  if (typeof header !== "string" || typeof value !== "string") return false;
  const body = Buffer.from(payload).toString("base64url");
  try {
    const alg = headerOf(signature)?.["alg"];
    // The schema of the options has checked that it is a key; whether it fits is jose's to say.
    const imported = await importJWK(key as JWK, typeof alg === "string" ? alg : undefined);
    await compactVerify(`${header}.${body}.${value}`, imported, { algorithms: ALGORITHMS });
    return true;
  } catch {
    return false;
  }
}

function headerOf(signature: Json): JsonObject | undefined {
  if (!isJsonObject(signature) || typeof signature["protected"] !== "string") return undefined;
  try {
    const header: unknown = JSON.parse(Buffer.from(signature["protected"], "base64url").toString());
    return isJsonObject(header) ? header : undefined;
  } catch {
    return undefined;
  }
}
