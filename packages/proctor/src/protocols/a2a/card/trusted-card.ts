// Whether a card is trusted by the keys of an agent's options. What a signature covers is verify-card.ts.
import type { JSONWebKeySet } from "jose";
import { isJsonObject, type Json, type JsonObject } from "../../../core/json.ts";
import { verifyCard } from "./verify-card.ts";

/** Resolves with undefined when one of its signatures is by one of the keys. No address that a card names is asked for others. */
export async function whyNotTrusted(
  received: Json,
  keys: readonly JsonObject[],
  signal: AbortSignal,
): Promise<string | undefined> {
  if (!isJsonObject(received)) return "it is no JSON object";
  // jose decides whether they are keys.
  const known = { keys } as unknown as JSONWebKeySet;
  const verdict = await verifyCard(received, { known }, signal);
  switch (verdict.verdict) {
    case "valid":
      return undefined;
    case "unsigned":
      return "it is not signed";
    default:
      return verdict.why;
  }
}
