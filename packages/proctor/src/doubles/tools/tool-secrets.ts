// What of a set of tools must never be written down: all its secrets, and their words.
import type { Secret } from "../../core/redact.ts";
import type { ToolSet } from "../../core/tools.ts";
import { secretsOfTools } from "../../engine/tool-secrets.ts";

const MIN_WORD_LENGTH = 8;

/** Returns the secrets of a set. The second word of `Bearer abc…` is one by itself, and may turn up alone. */
export function toolSecrets(set: ToolSet): Secret[] {
  return secretsOfTools(set).flatMap(({ name, value }) => {
    const words = value.split(/\s+/).filter((word) => word.length >= MIN_WORD_LENGTH && word !== value);
    return [value, ...words].map((text) => ({ name, value: text }));
  });
}
