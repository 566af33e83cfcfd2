// Says whether a card of A2A 1.0 was signed by somebody whose key is known. Specification 1.0, section 8.4.3. Fetches nothing by itself.
import {
  base64url,
  createLocalJWKSet,
  decodeProtectedHeader,
  errors,
  flattenedVerify,
  type JSONWebKeySet,
} from "jose";
import { isJsonObject, type Json, type JsonObject } from "../../../core/json.ts";
import { messageOf } from "../../../core/message-of.ts";
import { SIGNATURE_ALGORITHMS } from "./signature-algorithms.ts";
import { CONTENT_FORMS, signedContent, uncoveredFields, type ContentForm } from "./signed-content.ts";

/** Sources of public keys. */
export interface CardKeys {
  /** Trusted keys. */
  known: JSONWebKeySet;
  /** When absent, the address that a signature names (`jku`) is never asked: the author of the card chose that address too. */
  fetched?: {
    allows(url: URL): boolean;
    /** Fetches the key set at an allowed address. Rejects where there is none. */
    fetch(url: URL, signal: AbortSignal): Promise<Json>;
  };
}

export type SignatureVerdict =
  | {
      verdict: "valid";
      keyId: string;
      algorithm: string;
      form: ContentForm;
      /** Paths that the signature does not cover, because its maker does not sign fields that it does not know. */
      uncovered: string[];
    }
  | { verdict: "invalid" | "unverifiable"; why: string; keyId?: string };

export type CardVerdict =
  | { verdict: "unsigned" }
  /** Verdict of the best signature, and those of all signatures in order. */
  | (SignatureVerdict & { signatures: SignatureVerdict[] });

/** Most signatures that are checked: each costs a computation, and a card can carry thousands. */
const MAX_SIGNATURES = 16;

export async function verifyCard(
  card: JsonObject,
  keys: CardKeys,
  signal: AbortSignal,
): Promise<CardVerdict> {
  const given = Array.isArray(card["signatures"]) ? card["signatures"] : [];
  if (given.length === 0) return { verdict: "unsigned" };
  const signatures: SignatureVerdict[] = [];
  for (const signature of given.slice(0, MAX_SIGNATURES)) {
    signatures.push(await verifySignature(card, signature, keys, signal));
  }
  const best =
    signatures.find(({ verdict }) => verdict === "valid") ??
    signatures.find(({ verdict }) => verdict === "invalid") ??
    signatures[0] ??
    unverifiable("none of its signatures was looked at");
  return { ...best, signatures };
}

async function verifySignature(
  card: JsonObject,
  signature: Json,
  keys: CardKeys,
  signal: AbortSignal,
): Promise<SignatureVerdict> {
  const header = headerOf(signature);
  if (typeof header === "string") return { verdict: "invalid", why: header };
  const { keyId, algorithm, keySetUrl, parts } = header;
  const key = await keyOf(header, keys, keySetUrl, signal);
  if (typeof key === "string") return { ...unverifiable(key), keyId };
  for (const form of CONTENT_FORMS) {
    const payload = base64url.encode(signedContent(card, form));
    try {
      await flattenedVerify({ ...parts, payload }, key, { algorithms: [...SIGNATURE_ALGORITHMS] });
      return { verdict: "valid", keyId, algorithm, form, uncovered: uncoveredFields(card, form) };
    } catch (error) {
      if (error instanceof errors.JWSSignatureVerificationFailed) continue;
      return { verdict: "invalid", why: messageOf(error), keyId };
    }
  }
  return { verdict: "invalid", why: "the signature does not fit the card", keyId };
}

interface SignatureHeader {
  keyId: string;
  algorithm: string;
  keySetUrl?: string;
  parts: { protected: string; signature: string; header?: JsonObject };
}

/** Returns what the protected header says, or what is wrong with it. */
function headerOf(signature: Json): SignatureHeader | string {
  if (!isJsonObject(signature)) return "the signature is no object";
  const { protected: encoded, signature: value, header } = signature;
  if (typeof encoded !== "string" || typeof value !== "string")
    return "it has no `protected` and `signature`";
  let said: { alg?: unknown; kid?: unknown; jku?: unknown };
  try {
    said = decodeProtectedHeader({ protected: encoded });
  } catch {
    return "its protected header cannot be read";
  }
  const { alg, kid, jku } = said;
  if (typeof kid !== "string" || kid === "") return "its protected header has no `kid`";
  if (typeof alg !== "string" || !SIGNATURE_ALGORITHMS.includes(alg)) {
    return `its algorithm is none of ${SIGNATURE_ALGORITHMS.join(", ")}`;
  }
  return {
    keyId: kid,
    algorithm: alg,
    ...(typeof jku === "string" && { keySetUrl: jku }),
    parts: { protected: encoded, signature: value, ...(isJsonObject(header) && { header }) },
  };
}

type Key = Awaited<ReturnType<ReturnType<typeof createLocalJWKSet>>>;

/** Resolves with the key, or why there is none. */
async function keyOf(
  { keyId, algorithm }: SignatureHeader,
  { known, fetched }: CardKeys,
  keySetUrl: string | undefined,
  signal: AbortSignal,
): Promise<Key | string> {
  const header = { alg: algorithm, kid: keyId };
  const own = await keyIn(known, header);
  if (own) return own;
  const unknown = `no key that is known has the id ${JSON.stringify(keyId)} and fits ${algorithm}`;
  if (keySetUrl === undefined) return unknown;
  const url = URL.canParse(keySetUrl) ? new URL(keySetUrl) : undefined;
  if (!url || fetched?.allows(url) !== true)
    return `${unknown}, and asking the address in \`jku\` is not allowed`;
  try {
    const set = await fetched.fetch(url, signal);
    const found = isKeySet(set) ? await keyIn(set, header) : undefined;
    return found ?? `${unknown}, nor does one at the address in \`jku\``;
  } catch (error) {
    return `the keys at the address in \`jku\` cannot be had: ${messageOf(error)}`;
  }
}

async function keyIn(set: JSONWebKeySet, header: { alg: string; kid: string }): Promise<Key | undefined> {
  try {
    return await createLocalJWKSet(set)(header);
  } catch {
    return undefined;
  }
}

function isKeySet(value: Json): value is Json & JSONWebKeySet {
  return isJsonObject(value) && Array.isArray(value["keys"]) && value["keys"].every(isJsonObject);
}

function unverifiable(why: string): { verdict: "unverifiable"; why: string } {
  return { verdict: "unverifiable", why };
}
