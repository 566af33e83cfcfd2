// The base64 digits of some bytes, as they look when other bytes may come before and after them.
import type { Row } from "./rows.ts";

const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const VALUES = new Map([
  ...Array.from(DIGITS, (digit, value) => [digit, value] as const),
  ["-", 62],
  ["_", 63],
]);

/** Base64 encodes groups of three bytes. `offset` (0 to 2) is the number of foreign bytes at the start of the first group. */
export function base64Row(bytes: Uint8Array, offset: number): Row {
  const firstBit = offset * 8;
  const firstDigit = Math.floor(firstBit / 6);
  const endDigit = Math.ceil((firstBit + bytes.length * 8) / 6);
  const fits = (digit: number, value: number): boolean => agrees(bytes, digit * 6 - firstBit, value);
  return {
    length: endDigit - firstDigit,
    starts: Array.from(VALUES)
      .flatMap(([digit, value]) => (fits(firstDigit, value) ? [digit] : []))
      .join(""),
    read(index, text, from) {
      const at = index > 0 ? skipBreaks(text, from) : from;
      const value = VALUES.get(text.charAt(at));
      return value !== undefined && fits(firstDigit + index, value) ? at + 1 : -1;
    },
  };
}

/** Skips line breaks, because long base64 is written over several lines. */
function skipBreaks(text: string, from: number): number {
  let at = from;
  while (text[at] === "\n" || text[at] === "\r") at++;
  return at;
}

/** Whether the six bits of `value` equal those of `bytes` from bit `from` on. Bits outside of `bytes` may have any value. */
function agrees(bytes: Uint8Array, from: number, value: number): boolean {
  for (let bit = 0; bit < 6; bit++) {
    const position = from + bit;
    const byte = position < 0 ? undefined : bytes[position >> 3];
    if (byte !== undefined && ((byte >> (7 - (position & 7))) & 1) !== ((value >> (5 - bit)) & 1))
      return false;
  }
  return true;
}
