// A hidden text as the rows of units to look for: its characters, its hex digits, its base64 digits in the three places
// where it may start. Each unit is read in any of its spellings, so that mixtures of escapes are found too.
import { base64Row } from "./base64-row.ts";
import { characterRow } from "./character-row.ts";

export interface Row {
  /** How many units it has. */
  readonly length: number;
  /** Characters that may stand where it starts. */
  readonly starts: string;
  /** Reads the unit at `index` from a text; returns the position behind it, or -1. */
  read(index: number, text: string, at: number): number;
}

export function rowsOf(hidden: string): Row[] {
  // Inside of something that was encoded as a whole, it may have been escaped before.
  const inner = new Set([
    hidden,
    JSON.stringify(hidden).slice(1, -1),
    encodeURIComponent(hidden.toWellFormed()),
  ]);
  const encoded = Array.from(inner, (text) => Buffer.from(text)).flatMap((bytes) => [
    hexRow(bytes),
    ...[0, 1, 2].map((offset) => base64Row(bytes, offset)),
  ]);
  // As the bytes of binary content look when each is shown as one character.
  const bytes = Buffer.from(hidden).toString("latin1");
  const rows = [characterRow(hidden), ...encoded];
  if (/[%&]/.test(hidden)) rows.push(characterRow(hidden, true));
  if (bytes !== hidden) rows.push(characterRow(bytes));
  return rows;
}

/** Tools put these between the bytes. */
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
