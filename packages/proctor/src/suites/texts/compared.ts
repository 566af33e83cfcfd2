// What was expected and what was found, side by side, in a size that a report can hold.
import type { Json, JsonObject } from "../../core/json.ts";
import { wholeCharacters } from "./words.ts";

const MAX_CHARS = 4000;

/** The pair for the `details` of a verdict. */
export function compared(expected: Json, actual: Json | undefined): JsonObject {
  return { expected: shorten(expected), ...(actual !== undefined && { actual: shorten(actual) }) };
}

/** A value that is too large becomes the beginning of its text. */
export function shorten(value: Json, limit = MAX_CHARS): Json {
  if (value === null || typeof value === "number" || typeof value === "boolean") return value;
  if (typeof value !== "string" && JSON.stringify(value).length <= limit) return value;
  const text = typeof value === "string" ? value : JSON.stringify(value, undefined, 2);
  return text.length <= limit ? text : `${wholeCharacters(text.slice(0, limit - 1))}…`;
}
