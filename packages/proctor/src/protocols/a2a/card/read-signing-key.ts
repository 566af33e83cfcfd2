// The private key that cards are signed with, from the text of a file: PEM, or a JSON Web Key. What verifiers need of it is public.
import { createPrivateKey, createPublicKey, type JsonWebKey, type KeyObject } from "node:crypto";
import { calculateJwkThumbprint, type JWK } from "jose";
import { isJsonObject, type JsonObject } from "../../../core/json.ts";
import { messageOf } from "../../../core/message-of.ts";
import { SIGNATURE_ALGORITHMS } from "./signature-algorithms.ts";

export interface SigningKey {
  privateKey: KeyObject;
  algorithm: string;
  /** The name by which verifiers know the public key: `kid` of a JSON Web Key, or its thumbprint (RFC 7638). */
  keyId: string;
  /** The public half, as key sets list it. */
  publicKey: JWK;
}

/** Throws an Error that says what is wrong, and never quotes the key. */
export async function readSigningKey(text: string): Promise<SigningKey> {
  const given = jwkIn(text);
  const privateKey = privateKeyOf(given ?? text);
  const { kty, crv, x, y, n, e } = createPublicKey(privateKey).export({ format: "jwk" });
  const named = { kty, crv, x, y, n, e };
  // Only what a public key has.
  const bare = Object.fromEntries(Object.entries(named).filter(([, value]) => value !== undefined)) as JWK;
  const algorithm = algorithmOf(privateKey, given?.["alg"]);
  const { kid } = given ?? {};
  const keyId = typeof kid === "string" && kid !== "" ? kid : await calculateJwkThumbprint(bare);
  return { privateKey, algorithm, keyId, publicKey: { ...bare, kid: keyId, alg: algorithm, use: "sig" } };
}

function jwkIn(text: string): JsonObject | undefined {
  if (!text.trimStart().startsWith("{")) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    if (isJsonObject(value)) return value;
  } catch {
    // The parser's message may quote the key.
  }
  throw new Error("it is no JSON Web Key");
}

function privateKeyOf(given: JsonObject | string): KeyObject {
  try {
    if (typeof given === "string") return createPrivateKey(given);
    // The system decides whether it is a key.
    return createPrivateKey({ key: given as JsonWebKey, format: "jwk" });
  } catch (error) {
    const form = typeof given === "string" ? "PEM" : "a JSON Web Key";
    throw new Error(`it is no private key without a password, as ${form}: ${reasonOf(error)}`, {
      cause: error,
    });
  }
}

/** Messages of the system name the problem; those of OpenSSL only give a code. */
function reasonOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : messageOf(error);
}

const CURVES: Readonly<Record<string, string>> = {
  prime256v1: "ES256",
  secp384r1: "ES384",
  secp521r1: "ES512",
};
/** Fewest bits of an RSA key whose signatures are accepted. */
const MIN_RSA_BITS = 2048;

function algorithmOf(key: KeyObject, wanted: unknown): string {
  const { namedCurve = "", modulusLength = 0 } = key.asymmetricKeyDetails ?? {};
  const possible = possibleAlgorithms(key.asymmetricKeyType, CURVES[namedCurve]);
  const [usual] = possible;
  if (usual === undefined) {
    throw new Error(`no card is signed with a key of its kind; there are ${SIGNATURE_ALGORITHMS.join(", ")}`);
  }
  if (key.asymmetricKeyType === "rsa" && modulusLength < MIN_RSA_BITS) {
    throw new Error(`an RSA key needs ${MIN_RSA_BITS} bits, and it has ${modulusLength}`);
  }
  if (wanted === undefined) return usual;
  const chosen = possible.find((algorithm) => algorithm === wanted);
  if (chosen === undefined) throw new Error(`its "alg" must be one of ${possible.join(", ")}`);
  return chosen;
}

/** Returns the usual algorithm first. */
function possibleAlgorithms(type: string | undefined, byCurve: string | undefined): readonly string[] {
  switch (type) {
    case "ec":
      return byCurve === undefined ? [] : [byCurve];
    case "rsa":
      return ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512"];
    case "ed25519":
      return ["EdDSA", "Ed25519"];
    default:
      return [];
  }
}
