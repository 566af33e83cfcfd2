// JSON text from outside, parsed without trusting it: encoding, syntax, nesting, and numbers that would be changed on the way.
import { ProctorError } from "./errors.ts";
import { isTooDeep, MAX_JSON_DEPTH } from "./json-depth.ts";
import { inexactProblem } from "./json-numbers.ts";
import type { Json } from "./json.ts";

const UTF8 = new TextDecoder("utf-8", { fatal: true });

/** `what` names the text in errors. A byte order mark is skipped. Throws INVALID_REQUEST, which never quotes the text: it may hold secrets. */
export function parseJson(sent: string | Uint8Array, what = "the body"): Json {
  let text: string;
  let value: Json;
  try {
    text = typeof sent === "string" ? sent : UTF8.decode(sent);
    if (isTooDeep(text)) throw refusal(`${what} is nested more than ${MAX_JSON_DEPTH} levels deep`);
    // JSON.parse returns JSON.
    value = JSON.parse(text) as Json;
  } catch (error) {
    if (ProctorError.is(error)) throw error;
    throw refusal(`${what} is not valid JSON in UTF-8`);
  }
  const inexact = inexactProblem(text);
  if (inexact !== undefined) throw refusal(inexact);
  return value;
}

function refusal(message: string): ProctorError {
  return new ProctorError("INVALID_REQUEST", message);
}
