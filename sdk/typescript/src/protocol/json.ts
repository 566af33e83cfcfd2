// JSON as values, and the checks that every message from outside goes through first.

export type Json = string | number | boolean | null | Json[] | JsonObject;

export interface JsonObject {
  [name: string]: Json;
}

/** Levels of nesting that are accepted: more than a real message has, and few enough for recursion. */
const MAX_DEPTH = 200;

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Throws a SyntaxError for text that is not JSON, or that is nested too deeply to be walked by recursion. */
export function parseJson(text: string): unknown {
  if (isTooDeep(text)) throw new SyntaxError(`nested more than ${MAX_DEPTH} levels deep`);
  return JSON.parse(text);
}

/** Converts a value as JSON would: dates become strings, undefined disappears. Throws a TypeError when it cannot be written. */
export function toJson(value: unknown): Json | undefined {
  const text = JSON.stringify(value);
  // JSON.stringify returns undefined for functions and undefined, whatever its type says.
  return text === undefined ? undefined : (parseJson(text) as Json);
}

const QUOTE = 34;
const BACKSLASH = 92;
const OPENING = new Set([91, 123]);
const CLOSING = new Set([93, 125]);

/** Counts brackets outside of strings. */
function isTooDeep(text: string): boolean {
  if (text.length <= MAX_DEPTH) return false;
  let depth = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === QUOTE) index = endOfString(text, index);
    else if (OPENING.has(code)) depth++;
    else if (CLOSING.has(code)) depth--;
    if (depth > MAX_DEPTH) return true;
  }
  return false;
}

/** Returns the index of the quote that ends the string which begins at `start`. */
function endOfString(text: string, start: number): number {
  for (let quote = text.indexOf('"', start + 1); quote !== -1; quote = text.indexOf('"', quote + 1)) {
    let before = quote;
    while (text.charCodeAt(before - 1) === BACKSLASH) before--;
    if ((quote - before) % 2 === 0) return quote;
  }
  return text.length;
}
