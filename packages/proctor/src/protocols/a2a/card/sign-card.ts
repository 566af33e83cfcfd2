// Signs a card of A2A 1.0: a JSON Web Signature over its canonical text. Specification 1.0, section 8.4.2.
import { FlattenedSign, type CryptoKey, type JWK, type KeyObject } from "jose";
import type { JsonObject } from "../../../core/json.ts";
import { SIGNATURE_ALGORITHMS } from "./signature-algorithms.ts";
import { signedContent, type ContentForm } from "./signed-content.ts";

export interface CardSigningKey {
  privateKey: CryptoKey | KeyObject | JWK;
  /** Algorithm of the signature: `ES256`, `RS256`, `EdDSA`, … */
  algorithm: string;
  /** The name by which verifiers know the public key. */
  keyId: string;
  /** URL at which the public key is published, as a JSON Web Key Set. */
  keySetUrl?: string;
}

/** Resolves with the card and one more signature. The present ones stay: several keys may sign while one replaces another. */
export async function signCard<T extends JsonObject>(
  card: T,
  key: CardSigningKey,
  form: ContentForm = "specification",
): Promise<T & { signatures: JsonObject[] }> {
  const { privateKey, algorithm, keyId, keySetUrl } = key;
  if (!SIGNATURE_ALGORITHMS.includes(algorithm)) {
    throw new TypeError(
      `A card is signed with one of ${SIGNATURE_ALGORITHMS.join(", ")}, not with ${algorithm}`,
    );
  }
  const content = new TextEncoder().encode(signedContent(card, form));
  const { protected: header, signature } = await new FlattenedSign(content)
    .setProtectedHeader({
      alg: algorithm,
      typ: "JOSE",
      kid: keyId,
      ...(keySetUrl !== undefined && { jku: keySetUrl }),
    })
    .sign(privateKey);
  const others = Array.isArray(card["signatures"]) ? (card["signatures"] as JsonObject[]) : [];
  return { ...card, signatures: [...others, { protected: header ?? "", signature }] };
}
