// A hidden text as the rows of units to look for: its characters, its hex digits, its base64 digits in the three places
// where it may start. Each unit is read in any of its spellings, so that mixtures of escapes are found too.
import { base64Row } from "./base64-row.ts";
import { characterRow } from "./character-row.ts";

export interface Row {
  /** Number of units. */
  readonly length: number;
  /** Characters that the first unit may begin with. */
  readonly starts: string;
  /** Reads the unit `index` at position `at` of a text. Returns the position after it, or -1 when something else is there. */
  read(index: number, text: string, at: number): number;
}

export function rowsOf(hidden: string): Row[] {
  // A text that is encoded as a part of something larger may have been escaped before.
  const inner = new Set([
    hidden,
    JSON.stringify(hidden).slice(1, -1),
    encodeURIComponent(hidden.toWellFormed()),
  ]);
  const encoded = Array.from(inner, (text) => Buffer.from(text)).flatMap((bytes) => [
    hexRow(bytes),
    ...[0, 1, 2].map((offset) => base64Row(bytes, offset)),
  ]);
  // Binary content is searched with each byte as one character (latin1).
  const bytes = Buffer.from(hidden).toString("latin1");
  const rows = [characterRow(hidden), ...encoded];
  if (/[%&]/.test(hidden)) rows.push(characterRow(hidden, true));
  if (bytes !== hidden) rows.push(characterRow(bytes));
  return rows;
}

/** Separators that tools print between the bytes of a hex dump. */
const BETWEEN = " :\r\n\t";

function hexRow(bytes: Uint8Array): Row {
  const digits = (index: number): string => (bytes[index] ?? 0).toString(16).padStart(2, "0");
  const first = digits(0).charAt(0);
  return {
    length: bytes.length,
    starts: first + first.toUpperCase(),
    read(index, text, from) {
      const at = index > 0 && from < text.length && BETWEEN.includes(text.charAt(from)) ? from + 1 : from;
      return text.slice(at, at + 2).toLowerCase() === digits(index) ? at + 2 : -1;
    },
  };
}
