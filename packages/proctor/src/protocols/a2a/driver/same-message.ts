// Tells whether a message of ours is among those that an agent has. Its id alone does not say so: clients may give one to several messages.
import type { A2aMessage } from "../model.ts";

/** Equal for two messages with the same id and the same text. */
export function messageKey({ messageId, parts }: A2aMessage): string {
  const texts = parts.flatMap(({ text }) => (typeof text === "string" ? [text] : []));
  return JSON.stringify([messageId, texts.join("")]);
}
