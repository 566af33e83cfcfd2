// Rewrites the strings, keys and bare words of a JSON text and leaves every other byte alone: no tree is built, so depth,
// big numbers, repeated keys and layout survive.
import { endOfString } from "./json-depth.ts";

interface JsonToken {
  readonly kind: "key" | "string" | "bare";
  /** Where the token begins in the text, quotes included. */
  readonly start: number;
  readonly end: number;
  /** Text of the token: decoded for keys and strings, as written for bare words (numbers, true, false, null). */
  readonly value: string;
}

/** Returns the text with tokens replaced: `replace` returns the new string value of a token, or undefined to leave it unchanged. */
export function rewriteJson(text: string, replace: (token: JsonToken) => string | undefined): string {
  const open: Set<string>[] = [];
  let out = "";
  let copied = 0;
  for (const token of tokensOf(text, open)) {
    const replacement = replace(token);
    if (replacement === undefined) {
      if (token.kind === "key") open.at(-1)?.add(token.value);
      continue;
    }
    const value = token.kind === "key" ? uniqueKey(open.at(-1), replacement) : replacement;
    out += text.slice(copied, token.start) + JSON.stringify(value);
    copied = token.end;
  }
  return out + text.slice(copied);
}

/** Returns a key that is not taken: two hidden keys of one object must not become the same, or a reader would lose one of the values. */
function uniqueKey(keys: Set<string> | undefined, key: string): string {
  let unique = key;
  for (let count = 2; keys?.has(unique); count++) unique = `${key}~${count}`;
  keys?.add(unique);
  return unique;
}

/** `open` holds the keys seen so far of each object that is open at the current token. */
function* tokensOf(text: string, open: Set<string>[]): Generator<JsonToken> {
  let index = 0;
  while (index < text.length) {
    const code = text.charCodeAt(index);
    if (code === 0x22) {
      const end = Math.min(endOfString(text, index) + 1, text.length);
      yield { kind: isKey(text, end) ? "key" : "string", start: index, end, value: decode(text, index, end) };
      index = end;
    } else if (isStructure(code)) {
      if (code === 0x7b) open.push(new Set());
      if (code === 0x7d) open.pop();
      index++;
    } else {
      let end = index + 1;
      while (end < text.length && text.charCodeAt(end) !== 0x22 && !isStructure(text.charCodeAt(end))) end++;
      yield { kind: "bare", start: index, end, value: text.slice(index, end) };
      index = end;
    }
  }
}

const STRUCTURE = new Set(Array.from("{}[]:, \t\r\n", (character) => character.charCodeAt(0)));
const isStructure = (code: number): boolean => STRUCTURE.has(code);

function isKey(text: string, end: number): boolean {
  let index = end;
  while (index < text.length && " \t\r\n".includes(text.charAt(index))) index++;
  return text.charAt(index) === ":";
}

function decode(text: string, start: number, end: number): string {
  const raw = text.slice(start + 1, end - 1);
  if (!raw.includes("\\") && text.charAt(end - 1) === '"' && end - start > 1) return raw;
  try {
    return String(JSON.parse(text.slice(start, end)));
  } catch {
    return text.slice(start + 1, end);
  }
}
