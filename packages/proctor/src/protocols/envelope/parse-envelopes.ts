// JSON text with envelopes, parsed like any other, but for one thing: a timestamp in nanoseconds is a number that no double holds, and
// rounding it does no harm.
import { ProctorError } from "../../core/errors.ts";
import { isTooDeep } from "../../core/json-depth.ts";
import { findInexactNumbers } from "../../core/json-numbers.ts";
import type { Json } from "../../core/json.ts";
import { parseJson } from "../../core/parse-json.ts";

const TIMESTAMP = /^(?:\d+\.)?timestamp$/;

/** Throws INVALID_REQUEST. */
export function parseEnvelopes(sent: string | Uint8Array): Json {
  try {
    return parseJson(sent);
  } catch (error) {
    const text = typeof sent === "string" ? sent : Buffer.from(sent).toString();
    if (!ProctorError.is(error) || isTooDeep(text)) throw error;
    return roundedTimestamps(text) ?? refuse(error);
  }
}

/** Returns undefined where anything else is wrong with the text. */
function roundedTimestamps(text: string): Json | undefined {
  let value: Json;
  try {
    // JSON.parse returns JSON.
    value = JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
  return findInexactNumbers(text).every(({ path }) => TIMESTAMP.test(path)) ? value : undefined;
}

function refuse(error: ProctorError): never {
  throw error;
}
