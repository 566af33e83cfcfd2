// What to look for when a value must stay hidden: which texts follow from it, and in which encodings each may appear.
import type { Json } from "./json.ts";
import {
  BASE64,
  base64Spelling,
  characterSpelling,
  dumpTailSpelling,
  foldedBase64Spelling,
  foldedHexSpelling,
  hex,
  hexSpelling,
  type SpellingNode,
  utf8,
} from "./redact-spelling.ts";

export interface Secret {
  name: string;
  value: string;
}

/** A row of characters. The row is found once `acceptFrom` of them are read; the rest is taken along when present. */
export interface Pattern {
  readonly name: string;
  readonly length: number;
  readonly acceptFrom: number;
  /** Returns the spellings of the character at `index`, made when a text first gets that far. */
  spelling(index: number): SpellingNode;
}

/** Anything shorter cannot be told from ordinary text: hiding `no` would hide half of a log. */
const MIN_SECRET_LENGTH = 4;

/** Lines and JSON strings inside a value are secrets of their own from this length on. */
const MIN_PART_LENGTH = 8;

/** Fewer base64 digits than this say too little to be looked for without the partly known ones around them. */
const MIN_BASE64_DIGITS = 6;

const ORDINARY_WORDS = new Set(["true", "false", "null", "none"]);
const PEM_BOUNDARY = /^-----(?:BEGIN|END) [A-Z0-9 ]+-----$/;

/** Returns every text that must not appear, with the name to show instead; the longest first, so that it names a tie. */
export function hiddenTexts(secrets: readonly Secret[]): Secret[] {
  const names = new Map<string, string>();
  for (const { name, value } of secrets) {
    for (const text of [value.trim(), ...partsOf(value)]) {
      if (!isOrdinary(text) && !names.has(text)) names.set(text, name);
    }
  }
  return Array.from(names, ([value, name]) => ({ name, value })).sort(
    (a, b) => b.value.length - a.value.length,
  );
}

function isOrdinary(text: string): boolean {
  return text.length < MIN_SECRET_LENGTH || ORDINARY_WORDS.has(text.toLowerCase());
}

function partsOf(value: string): string[] {
  const parts = [...value.split(/\r\n|\r|\n/), ...jsonStrings(value)]
    .flatMap((part) => part.split(/\r\n|\r|\n/))
    .map((part) => part.trim())
    .filter((part) => part.length >= MIN_PART_LENGTH && !PEM_BOUNDARY.test(part));
  // A program may have read the digits as a number and lost the last of them.
  if (/^\s*\d{16,}\s*$/.test(value)) parts.push(String(Number(value)));
  return parts;
}

/** Credentials are often a JSON document, which an agent may parse and show piece by piece. */
function jsonStrings(value: string): string[] {
  if (!/^\s*[[{]/.test(value)) return [];
  const found: string[] = [];
  try {
    JSON.parse(value, (_key, item: Json) => {
      if (typeof item === "string") found.push(item);
      return item;
    });
  } catch {
    // Not JSON, so it has no parts.
  }
  return found;
}

export function patternsOf({ name, value }: Secret): Pattern[] {
  const patterns = [plainPattern(name, value)];
  for (const inner of innerTexts(value)) {
    const bytes = utf8(inner);
    patterns.push(hexPattern(name, bytes));
    for (const offset of [0, 1, 2]) patterns.push(base64Pattern(name, bytes, offset));
  }
  for (const inner of encodedTexts(value)) {
    for (const offset of [0, 1, 2]) patterns.push(base64Pattern(name, utf8(inner), offset));
  }
  return patterns;
}

/** Returns the value as it may stand in text that was encoded a second time: its base64 digits wherever it falls among others, and its hex. */
function encodedTexts(value: string): Set<string> {
  const bytes = utf8(value);
  const texts = new Set([Array.from(bytes, (byte) => hex(byte, 2)).join("")]);
  for (const offset of [0, 1, 2]) {
    const digits = wholeDigits(bytes, offset);
    if (digits.length < MIN_BASE64_DIGITS) continue;
    texts.add(digits).add(digits.replaceAll("+", "-").replaceAll("/", "_"));
  }
  return texts;
}

/** Returns the base64 digits that `bytes` alone decide, when `offset` foreign bytes stand before them. */
function wholeDigits(bytes: Uint8Array, offset: number): string {
  const firstBit = offset * 8;
  const first = Math.ceil(firstBit / 6);
  const end = Math.floor((firstBit + bytes.length * 8) / 6);
  let digits = "";
  for (let digit = first; digit < end; digit++) {
    digits += BASE64[knownBits(bytes, digit * 6 - firstBit).bits] ?? "";
  }
  return digits;
}

/** Returns the value as it may stand in a document that was encoded as a whole. */
function innerTexts(value: string): Set<string> {
  const json = JSON.stringify(value).slice(1, -1);
  return new Set([
    value,
    json,
    json.replaceAll("/", "\\/"),
    json.replaceAll(/[\u0080-\uffff]/g, (unit) => `\\u${hex(unit.charCodeAt(0), 4)}`),
    encodeURIComponent(value.replaceAll(/\p{Surrogate}/gu, "\ufffd")),
  ]);
}

function plainPattern(name: string, value: string): Pattern {
  const characters = Array.from(value);
  return {
    name,
    length: characters.length,
    acceptFrom: characters.length,
    spelling: (index) => characterSpelling(characters[index] ?? ""),
  };
}

function hexPattern(name: string, bytes: Uint8Array): Pattern {
  return {
    name,
    // One more, which is what follows on the last line of a dump.
    length: bytes.length + 1,
    acceptFrom: bytes.length,
    spelling(index) {
      if (index === bytes.length) return dumpTailSpelling("tail");
      return (index === 0 ? hexSpelling : foldedHexSpelling)(bytes[index] ?? 0);
    },
  };
}

/**
 * The base64 digits of `bytes` when `offset` (0 to 2) foreign bytes stand before them in their group of three. A digit that
 * shares bits with a foreign byte is known in part only: behind the row it is taken along, before it left alone, but when
 * the row is short both are needed.
 */
function base64Pattern(name: string, bytes: Uint8Array, offset: number): Pattern {
  const firstBit = offset * 8;
  const endBit = firstBit + bytes.length * 8;
  const firstFull = Math.ceil(firstBit / 6);
  const endFull = Math.floor(endBit / 6);
  const end = Math.ceil(endBit / 6);
  const short = endFull - firstFull < MIN_BASE64_DIGITS;
  const first = short ? Math.floor(firstBit / 6) : firstFull;
  const padding = (3 - ((offset + bytes.length) % 3)) % 3;
  return {
    name,
    length: end - first + padding,
    acceptFrom: (short ? end : endFull) - first,
    spelling(index) {
      const digit = first + index;
      if (digit >= end) return characterSpelling("=");
      const { mask, bits } = knownBits(bytes, digit * 6 - firstBit);
      return (index === 0 ? base64Spelling : foldedBase64Spelling)(mask, bits);
    },
  };
}

/** Returns the six bits from position `from`, and a mask of those that lie inside `bytes`. */
function knownBits(bytes: Uint8Array, from: number): { mask: number; bits: number } {
  let mask = 0;
  let bits = 0;
  for (let position = from; position < from + 6; position++) {
    const byte = position < 0 ? undefined : bytes[position >> 3];
    mask = (mask << 1) | (byte === undefined ? 0 : 1);
    bits = (bits << 1) | (((byte ?? 0) >> (7 - (position & 7))) & 1);
  }
  return { mask, bits };
}
