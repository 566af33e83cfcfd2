// Finds the directives of document 001 (sections 3.2 and 4.1) in the texts of a message: `[test_case_id=…]` and
// `[responses_json=<base64>]`. Pure. What the decoded JSON has to look like is script.ts.
import { ProctorError } from "../../core/errors.ts";
import type { Json } from "../../core/json.ts";
import { parseJson } from "../../core/parse-json.ts";
import { A2aError } from "../../protocols/a2a/errors.ts";

export interface Directives {
  testCaseId?: string;
  /** The decoded value of `responses_json`. */
  responses?: Json;
}

/** Bytes of the decoded JSON. */
export const MAX_RESPONSES_BYTES = 10 * 1024 * 1024;
const MAX_ID_CHARS = 500;
const BASE64 = /^[\w+/-]*={0,2}$/;
const UTF8 = new TextDecoder("utf-8", { fatal: true });

/** Reads the texts of a message's parts, in order. Throws A2aError INVALID_PARAMS, which says what is wrong with which directive. */
export function findDirectives(texts: readonly string[]): Directives {
  // A directive may begin in one part and end in the next: YAML folds long lines, and clients cut long texts.
  const text = texts.join("\n");
  const testCaseId = valueOf(text, "test_case_id");
  const responses = valueOf(text, "responses_json");
  return {
    ...(testCaseId !== undefined && { testCaseId: readId(testCaseId) }),
    ...(responses !== undefined && { responses: decodeResponses(responses) }),
  };
}

/** Returns the text between `[name=` and the next `]`, which neither an id nor base64 can contain. */
function valueOf(text: string, name: string): string | undefined {
  const opening = `[${name}=`;
  const start = text.indexOf(opening);
  if (start === -1) return undefined;
  const end = text.indexOf("]", start);
  if (end === -1) throw wrong(name, "is not closed; end it with ]");
  if (text.includes(opening, end)) throw wrong(name, "stands there twice; a message has it once");
  const value = text.slice(start + opening.length, end);
  // The value would otherwise swallow the beginning of another directive.
  if (value.includes("[")) throw wrong(name, "is not closed; end it with ]");
  return value;
}

function readId(value: string): string {
  const id = value.trim().replaceAll(/\s+/g, " ");
  if (id === "") throw wrong("test_case_id", "is empty; give it the id of the test");
  if (id.length > MAX_ID_CHARS) throw wrong("test_case_id", `is longer than ${MAX_ID_CHARS} characters`);
  return id;
}

function decodeResponses(value: string): Json {
  const name = "responses_json";
  // Folding and wrapping put blanks and line breaks into base64; they mean nothing there.
  const base64 = value.replaceAll(/\s+/g, "");
  if (base64 === "") throw wrong(name, "is empty; give it base64 of a JSON array of turns");
  if (base64.length > Math.ceil(MAX_RESPONSES_BYTES / 3) * 4) {
    throw wrong(name, `holds more than ${MAX_RESPONSES_BYTES} bytes`);
  }
  if (!isBase64(base64)) throw wrong(name, "is not base64");
  let json: string;
  try {
    json = UTF8.decode(Buffer.from(base64, "base64"));
  } catch {
    throw wrong(name, "is base64 of something that is not UTF-8 text");
  }
  try {
    return parseJson(json, name);
  } catch (error) {
    if (!ProctorError.is(error)) throw error;
    throw wrong(name, `is base64 of something else than JSON: ${error.message}`);
  }
}

/** Accepts both alphabets, with or without padding. Four digits make three bytes, so a single last digit is invalid. */
function isBase64(text: string): boolean {
  const digits = text.replace(/=+$/, "").length;
  if (!BASE64.test(text) || digits % 4 === 1) return false;
  return digits === text.length || text.length % 4 === 0;
}

function wrong(directive: string, what: string): A2aError {
  return new A2aError("INVALID_PARAMS", `the directive ${directive} ${what}`, {
    fields: [{ field: "message.parts", description: `[${directive}=…] ${what}` }],
    metadata: { directive },
  });
}
