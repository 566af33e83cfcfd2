// Sends one request to the agent and reads its answer to the end: JSON, or the bytes of an artifact. Every way this can go wrong
// is a failure, with what is worth keeping of the answer as reports.
import { isUtf8 } from "node:buffer";
import type { HttpClient } from "../../../channels/http/client.ts";
import type { HttpAnswer } from "../../../channels/http/exchange.ts";
import {
  encodedBody,
  httpError,
  noContent,
  redirected,
  troubleFailure,
  wrongContentType,
} from "../../../channels/http/failures.ts";
import { readBody, type WholeBody } from "../../../channels/http/read-body.ts";
import { wholeCharacters } from "../../../channels/lines/decode-text.ts";
import { failure, type Failure } from "../../../core/failure.ts";
import { isJsonObject, type Json } from "../../../core/json.ts";
import { isTooDeep, MAX_JSON_DEPTH } from "../../../core/json-depth.ts";
import { inexactViolations } from "../../../core/json-numbers.ts";
import type { AgentReport } from "../../../core/ports/driver.ts";
import type { WireTap } from "../../wire-tap.ts";
import { noteAnswer, noteRequest, noteTrouble } from "./notes.ts";
import { logReport, violationReport } from "./reports.ts";
import type { ApRequest } from "./requests.ts";
import { MAX_ARTIFACT_BYTES } from "../wire.ts";

export interface Refusal {
  ok: false;
  failure: Failure;
  /** The HTTP status; absent when no answer came. */
  status?: number;
  reports: AgentReport[];
}

export type JsonAnswer = { ok: true; json: Json; reports: AgentReport[] } | Refusal;
type BytesAnswer = { ok: true; bytes: Buffer; contentType: string | undefined } | Refusal;

export interface Asker {
  json(request: ApRequest): Promise<JsonAnswer>;
  bytes(request: ApRequest): Promise<BytesAnswer>;
}

const MAX_JSON_BYTES = 64 * 1024 * 1024;
const EXCERPT_BYTES = 8 * 1024;
/** How long the body of a refusal is waited for, in milliseconds. */
const PATIENCE_MS = 1000;
const MAX_MESSAGE_CHARS = 500;
const JSON_TYPE = /^application\/([\w.-]+\+)?json\s*(;|$)/i;

export function createAsker(client: HttpClient, signal: AbortSignal, tap: WireTap | undefined): Asker {
  async function ask(request: ApRequest): Promise<{ answer: HttpAnswer } | Refusal> {
    const { url, headers, content, once = false } = request;
    if (tap) noteRequest(tap, request);
    const exchanged = await (content === undefined
      ? client.get({ url, headers }, signal)
      : client.post({ url, headers, content, once }, signal));
    if (exchanged.kind === "answered") {
      const { answer } = exchanged;
      const refused = await readRefusal(answer, request, tap);
      return refused ?? { answer };
    }
    if (tap) noteTrouble(tap, exchanged.trouble);
    return refuse(troubleFailure(exchanged.trouble, request));
  }

  return {
    async json(request) {
      const asked = await ask(request);
      if (!("answer" in asked)) return asked;
      const { status, headers, body: incoming } = asked.answer;
      const type = headers["content-type"];
      const isJson = JSON_TYPE.test(type ?? "");
      const limit = isJson ? MAX_JSON_BYTES : EXCERPT_BYTES;
      const length = isJson ? headers["content-length"] : undefined;
      const patience = isJson ? {} : { patienceMs: PATIENCE_MS };
      const body = await readBody(incoming, limit, { length, ...patience });
      if (tap) noteAnswer(tap, asked.answer, body);
      if (!isJson) return refuse(wrongContentType(type, request, "JSON"), status, excerpt(body));
      if (body.overflowed) return refuse(tooLarge(request, MAX_JSON_BYTES), status);
      if (body.trouble) return refuse(troubleFailure(body.trouble, request), status, excerpt(body));
      return parse(body, request, status);
    },
    async bytes(request) {
      const asked = await ask(request);
      if (!("answer" in asked)) return asked;
      const { status, headers, body: incoming } = asked.answer;
      const length = headers["content-length"];
      const body = await readBody(incoming, MAX_ARTIFACT_BYTES, { length });
      if (tap) noteAnswer(tap, asked.answer, { ...body, bytes: Buffer.alloc(0) });
      if (body.overflowed) return refuse(tooLarge(request, MAX_ARTIFACT_BYTES), status);
      if (body.trouble) return refuse(troubleFailure(body.trouble, request), status);
      return { ok: true, bytes: body.bytes, contentType: headers["content-type"] };
    },
  };
}

/** The refusal that an answer is; undefined when its body is worth reading. */
async function readRefusal(
  answer: HttpAnswer,
  request: ApRequest,
  tap: WireTap | undefined,
): Promise<Refusal | undefined> {
  const { status, headers } = answer;
  const encoding = headers["content-encoding"]?.trim().toLowerCase() ?? "identity";
  const encoded = encoding !== "identity" && encoding !== "";
  if (status >= 200 && status < 300 && status !== 204 && !encoded) return undefined;
  const body = await readBody(answer.body, EXCERPT_BYTES, { patienceMs: PATIENCE_MS });
  if (tap) noteAnswer(tap, answer, body);
  if (status === 204) return refuse(noContent(request), status);
  if (status < 300) return refuse(encodedBody(encoding, request), status);
  if (status < 400 && status !== 304) return refuse(redirected(status, headers.location, request), status);
  const failed = httpError(status, request, headers["retry-after"]);
  if (encoded) return refuse(failed, status);
  return refuse(withMessage(failed, body), status, excerpt(body));
}

/** Servers put what was wrong into `message`, `error` or `detail`. */
function withMessage(failed: Failure, { bytes, overflowed }: WholeBody): Failure {
  const json = overflowed ? undefined : parseJson(bytes.toString());
  if (!isJsonObject(json)) return failed;
  const said = [json["message"], json["error"], json["detail"]].find((value) => typeof value === "string");
  if (said === undefined || said.trim() === "" || said.length > MAX_MESSAGE_CHARS) return failed;
  return { ...failed, message: `${failed.message}: ${said}` };
}

function parse(body: WholeBody, request: ApRequest, status: number): JsonAnswer {
  const text = body.bytes.toString();
  const reports: AgentReport[] = [];
  if (!isUtf8(body.bytes)) {
    reports.push(violationReport({ rule: "line.encoding", message: "not valid UTF-8", where: request.name }));
  }
  if (text.trim() === "") {
    const silent = failure("NO_RESPONSE", `the agent answered ${request.name} with an empty body`);
    return refuse(silent, status, reports);
  }
  const json = parseJson(text);
  if (json !== undefined) {
    reports.push(...inexactViolations(text).map((violation) => violationReport(violation)));
    return { ok: true, json, reports };
  }
  const message = isTooDeep(text) ? `nested deeper than ${MAX_JSON_DEPTH}` : "not valid JSON";
  reports.push(violationReport({ rule: "ap.json", message, where: request.name }), ...excerpt(body));
  const what = `the agent's answer to ${request.name} is ${message}`;
  return refuse(failure("INVALID_RESPONSE", what), status, reports);
}

function parseJson(text: string): Json | undefined {
  if (isTooDeep(text)) return undefined;
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

/** The beginning of a body as a log entry, if it is text. */
function excerpt({ bytes, sizeBytes }: WholeBody): AgentReport[] {
  const head = bytes.subarray(0, EXCERPT_BYTES);
  const kept = sizeBytes > head.length ? wholeCharacters(head) : head.length;
  const text = head.toString("utf8", 0, kept).trimEnd();
  if (text === "" || !isUtf8(head.subarray(0, kept))) return [];
  return [logReport(text, sizeBytes - kept)];
}

function refuse(failed: Failure, status?: number, reports: AgentReport[] = []): Refusal {
  return { ok: false, failure: failed, ...(status !== undefined && { status }), reports };
}

function tooLarge({ name }: ApRequest, limitBytes: number): Failure {
  return failure("INVALID_RESPONSE", `the agent's answer to ${name} is larger than ${limitBytes} bytes`);
}
