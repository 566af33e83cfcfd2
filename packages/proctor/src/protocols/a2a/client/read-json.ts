// The body of an answer as JSON: of the right type, whole, not too large, not too deep. Rejects with an A2aError where it is not.
import { isUtf8 } from "node:buffer";
import type { HttpAnswer } from "../../../channels/http/exchange.ts";
import { troubleFailure, wrongContentType, type Asked } from "../../../channels/http/failures.ts";
import { readBody } from "../../../channels/http/read-body.ts";
import { failure } from "../../../core/failure.ts";
import type { Json } from "../../../core/json.ts";
import { isTooDeep, MAX_JSON_DEPTH } from "../../../core/json-depth.ts";
import { excerpt, EXCERPT_BYTES, parseAny, PATIENCE_MS } from "../../http-refusal.ts";
import { transportError, unusable } from "./transport-failure.ts";

const JSON_TYPE = /^application\/([\w.-]+\+)?json\s*(;|$)/i;

export function isJsonAnswer({ headers }: HttpAnswer): boolean {
  return JSON_TYPE.test(headers["content-type"] ?? "");
}

export async function readJson(answer: HttpAnswer, asked: Asked, maxBytes: number): Promise<Json> {
  const { headers, status } = answer;
  if (!isJsonAnswer(answer)) throw await otherType(answer, asked, "JSON");
  const body = await readBody(answer.body, maxBytes, { length: headers["content-length"] });
  if (body.overflowed) throw unusable(`the agent's answer to ${asked.name} is larger than ${maxBytes} bytes`);
  if (body.trouble) throw transportError(troubleFailure(body.trouble, asked), { reports: excerpt(body) });
  const text = body.bytes.toString();
  if (text.trim() === "") {
    const silence = failure("NO_RESPONSE", `the agent answered ${asked.name} with an empty body`);
    throw transportError(silence, { status });
  }
  const json = isUtf8(body.bytes) ? parseAny(text) : undefined;
  if (json !== undefined) return json;
  const what = isTooDeep(text) ? `nested deeper than ${MAX_JSON_DEPTH}` : "not valid JSON";
  throw unusable(`the agent's answer to ${asked.name} is ${what}`, excerpt(body));
}

/** Resolves with the error for a body of another type than was asked for, of which the beginning is kept. */
export async function otherType(answer: HttpAnswer, asked: Asked, expected: string): Promise<Error> {
  const body = await readBody(answer.body, EXCERPT_BYTES, { patienceMs: PATIENCE_MS });
  const failed = wrongContentType(answer.headers["content-type"], asked, expected);
  return transportError(failed, { reports: excerpt(body), status: answer.status });
}
