// Signs the cards that a server gives out, each once: a signature has chance in it, and the same card should stay the same bytes.
import { createHash } from "node:crypto";
import type { JsonObject } from "../../../core/json.ts";
import type { SigningKey } from "./read-signing-key.ts";
import { signCard } from "./sign-card.ts";
import { signedContent, type ContentForm } from "./signed-content.ts";

/** `forms` are the texts that verifiers may compute from the card; each distinct text gets a signature. */
export type CardSigner = (
  card: JsonObject,
  options: { keySetUrl: string; forms: readonly ContentForm[] },
) => Promise<JsonObject>;

/** Cards that are remembered; the oldest are forgotten first. */
const MAX_REMEMBERED = 256;

export function createCardSigner(key: SigningKey): CardSigner {
  const known = new Map<string, Promise<JsonObject>>();

  async function sign(
    card: JsonObject,
    keySetUrl: string,
    forms: readonly ContentForm[],
  ): Promise<JsonObject> {
    let signed = card;
    const contents = new Set<string>();
    for (const form of forms) {
      const content = signedContent(card, form);
      if (!contents.has(content)) signed = await signCard(signed, { ...key, keySetUrl }, form);
      contents.add(content);
    }
    return signed;
  }

  return (card, { keySetUrl, forms }) => {
    const id = createHash("sha256")
      .update(JSON.stringify([card, keySetUrl, forms]))
      .digest("hex");
    const signing = known.get(id) ?? sign(card, keySetUrl, forms);
    if (!known.has(id)) {
      const [oldest] = known.keys();
      if (known.size >= MAX_REMEMBERED && oldest !== undefined) known.delete(oldest);
      known.set(id, signing);
    }
    return signing;
  };
}
