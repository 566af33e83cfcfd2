// The small words of verdicts: counts, lists, values cut to a length that can be read.
import type { Json } from "../../core/json.ts";
import { printable, quote } from "../../core/printable.ts";

const SHOWN = 10;
const VALUE_CHARS = 120;

/** Returns a count with its noun: `1 call`, `3 calls`. */
export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

/** The names in quotes, separated by commas; only the first ten. */
export function quoted(names: readonly string[]): string {
  const shown = names.slice(0, SHOWN).map((name) => quote(name));
  const more = names.length - shown.length;
  return `${shown.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

/** Returns words such as ` (and 2 more)`, to follow the first of several. */
export function andMore(total: number): string {
  return total > 1 ? ` (and ${total - 1} more)` : "";
}

/** The text without half a character at its end, as cutting may leave one. */
export function wholeCharacters(text: string): string {
  return text.replace(/[\uD800-\uDBFF]$/, "");
}

/** The text, or its first `limit` characters and an ellipsis. */
export function cut(text: string, limit: number): string {
  return text.length > limit ? `${text.slice(0, limit)}…` : text;
}

/** A value as JSON, shortened. */
export function shown(value: Json | undefined, limit = VALUE_CHARS): string {
  if (value === undefined) return "nothing";
  return printable(cut(JSON.stringify(value), limit));
}
