// An answer over HTTP that is no answer to the task: an error, a redirect, nothing, or something that cannot be read. As a failure, with
// what is worth keeping of it as reports.
import { isUtf8 } from "node:buffer";
import type { HttpAnswer } from "../channels/http/exchange.ts";
import { encodedBody, httpError, noContent, redirected, type Asked } from "../channels/http/failures.ts";
import { readBody, type WholeBody } from "../channels/http/read-body.ts";
import { wholeCharacters } from "../core/whole-characters.ts";
import type { Failure } from "../core/failure.ts";
import { isJsonObject, type Json } from "../core/json.ts";
import { isTooDeep } from "../core/json-depth.ts";
import type { AgentReport } from "../core/ports/driver.ts";
import { logReport } from "./reports.ts";

export interface Refusal {
  ok: false;
  failure: Failure;
  /** HTTP status; absent when no answer came. */
  status?: number;
  reports: AgentReport[];
}

/** Bytes that are logged of a body that is not an answer. */
export const EXCERPT_BYTES = 8 * 1024;
/** Milliseconds to wait for the body of a refusal. */
export const PATIENCE_MS = 1000;
const MAX_MESSAGE_CHARS = 500;

export function refuse(failed: Failure, status?: number, reports: AgentReport[] = []): Refusal {
  return { ok: false, failure: failed, ...(status !== undefined && { status }), reports };
}

/**
 * Resolves with the failure of an answer that is a refusal; undefined when its body is worth reading. `onBody` is called with what was read of it.
 */
export async function readRefusal(
  answer: HttpAnswer,
  asked: Asked,
  onBody: (body: WholeBody) => void = () => undefined,
): Promise<Refusal | undefined> {
  const { status, headers } = answer;
  const encoding = headers["content-encoding"]?.trim().toLowerCase() ?? "identity";
  const encoded = encoding !== "identity" && encoding !== "";
  if (status >= 200 && status < 300 && status !== 204 && !encoded) return undefined;
  const body = await readBody(answer.body, EXCERPT_BYTES, { patienceMs: PATIENCE_MS });
  onBody(body);
  if (status === 204) return refuse(noContent(asked), status);
  if (status < 300) return refuse(encodedBody(encoding, asked), status);
  if (status < 400 && status !== 304) return refuse(redirected(status, headers.location, asked), status);
  const failed = httpError(status, asked, headers["retry-after"]);
  if (encoded) return refuse(failed, status);
  return refuse(withMessage(failed, body), status, excerpt(body));
}

/** Adds the server's words, which are in `message`, `error` or `detail`. */
function withMessage(failed: Failure, { bytes, overflowed }: WholeBody): Failure {
  const json = overflowed ? undefined : parseAny(bytes.toString());
  if (!isJsonObject(json)) return failed;
  const { error } = json;
  const candidates = [
    json["message"],
    error,
    json["detail"],
    isJsonObject(error) ? error["message"] : undefined,
  ];
  const said = candidates.find((value) => typeof value === "string");
  if (said === undefined || said.trim() === "" || said.length > MAX_MESSAGE_CHARS) return failed;
  return { ...failed, message: `${failed.message}: ${said}` };
}

/** Returns undefined for what is not JSON, or nested too deeply to look at. */
export function parseAny(text: string): Json | undefined {
  if (isTooDeep(text)) return undefined;
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

/** Returns the beginning of a body as a log entry, if it is text. */
export function excerpt({ bytes, sizeBytes }: WholeBody): AgentReport[] {
  const head = bytes.subarray(0, EXCERPT_BYTES);
  const kept = sizeBytes > head.length ? wholeCharacters(head) : head.length;
  const text = head.toString("utf8", 0, kept).trimEnd();
  if (text === "" || !isUtf8(head.subarray(0, kept))) return [];
  return [logReport(text, sizeBytes - kept)];
}
