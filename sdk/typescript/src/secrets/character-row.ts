// The characters of a text, each of which may be plain, JSON-escaped (even JSON in JSON), percent-encoded, form-encoded or an
// HTML entity.
import type { Row } from "./rows.ts";

const SHORT_ESCAPES: Readonly<Record<string, string>> = {
  "\n": "n",
  "\r": "r",
  "\t": "t",
  "\b": "b",
  "\f": "f",
};
const ENTITIES: Readonly<Record<string, readonly string[]>> = {
  "&": ["&amp;"],
  "<": ["&lt;"],
  ">": ["&gt;"],
  '"': ["&quot;", "&#34;"],
  "'": ["&apos;", "&#39;"],
};

/**
 * A `%` or `&` of the hidden text itself may be read as a plain character or as the beginning of an escape. `escapedFirst` says
 * which: a text that was encoded has no plain ones, and one that was not encoded has no escapes.
 */
export function characterRow(hidden: string, escapedFirst = false): Row {
  const characters = Array.from(hidden);
  return {
    length: characters.length,
    starts: `${hidden.charAt(0)}\\%+&`,
    read(index, text, at) {
      const character = characters[index] ?? "";
      if (character === "\\") return readBackslash(text, at, index > 0);
      const here = text[at];
      const plain = text.startsWith(character, at) ? at + character.length : -1;
      if (plain !== -1 && !(escapedFirst && (character === "%" || character === "&"))) return plain;
      if (here === "%") return Math.max(readPercent(character, text, at), plain);
      if (here === "+" && character === " ") return at + 1;
      // The backslash of this escape may already have been read as one of the secret.
      if (here === "\\" || (index > 0 && text[at - 1] === "\\")) return readEscape(character, text, at);
      const entity =
        here === "&" ? ENTITIES[character]?.find((name) => text.startsWith(name, at)) : undefined;
      return entity === undefined ? plain : at + entity.length;
    },
  };
}

/** How many backslashes stand for one depends on how often the text was escaped, which is unknown: a whole run is read as one. */
function readBackslash(text: string, at: number, mayBeRead: boolean): number {
  if (text[at] === "\\") return skipBackslashes(text, at);
  if (text[at] === "%") return readPercent("\\", text, at);
  return mayBeRead && text[at - 1] === "\\" ? at : -1;
}

function readPercent(character: string, text: string, at: number): number {
  const code = character.charCodeAt(0);
  const expected =
    code < 128
      ? `%${hex(code, 2)}`
      : Array.from(Buffer.from(character), (byte) => `%${hex(byte, 2)}`).join("");
  return sameHex(text, at, expected) ? at + expected.length : -1;
}

function readEscape(character: string, text: string, from: number): number {
  let at = skipBackslashes(text, from);
  const short = SHORT_ESCAPES[character] ?? character;
  if (text.startsWith(short, at)) return at + short.length;
  for (let index = 0; index < character.length; index++) {
    if (index > 0) at = skipBackslashes(text, at);
    if (!sameHex(text, at, `u${hex(character.charCodeAt(index), 4)}`)) return -1;
    at += 5;
  }
  return at;
}

/** Longest run of backslashes that is read: escaping a backslash four times makes sixteen of it. */
const MAX_BACKSLASHES = 16;

function skipBackslashes(text: string, from: number): number {
  let at = from;
  while (text[at] === "\\" && at - from < MAX_BACKSLASHES) at++;
  return at;
}

const hex = (value: number, digits: number): string => value.toString(16).padStart(digits, "0");
const sameHex = (text: string, at: number, expected: string): boolean =>
  text.slice(at, at + expected.length).toLowerCase() === expected;
