// Sends one request to the agent and reads its answer to the end: JSON, or the bytes of an artifact. Every way this can go wrong
// is a failure, with what is worth keeping of the answer as reports.
import { isUtf8 } from "node:buffer";
import type { HttpClient } from "../../../channels/http/client.ts";
import type { HttpAnswer } from "../../../channels/http/exchange.ts";
import { troubleFailure, wrongContentType } from "../../../channels/http/failures.ts";
import { readBody, type WholeBody } from "../../../channels/http/read-body.ts";
import { failure, type Failure } from "../../../core/failure.ts";
import type { Json } from "../../../core/json.ts";
import { isTooDeep, MAX_JSON_DEPTH } from "../../../core/json-depth.ts";
import { inexactViolations } from "../../../core/json-numbers.ts";
import type { AgentReport } from "../../../core/ports/driver.ts";
import { noteBody, noteEnd, noteHead } from "../../http-notes.ts";
import type { WireTap } from "../../wire-tap.ts";
import {
  excerpt,
  EXCERPT_BYTES,
  parseAny,
  PATIENCE_MS,
  readRefusal,
  refuse,
  type Refusal,
} from "../../http-refusal.ts";
import { violationReport } from "../../reports.ts";
import type { ApRequest } from "./requests.ts";
import { MAX_ARTIFACT_BYTES } from "../wire.ts";

export type JsonAnswer = { ok: true; json: Json; reports: AgentReport[] } | Refusal;
type BytesAnswer = { ok: true; bytes: Buffer; contentType: string | undefined } | Refusal;

export interface Asker {
  json(request: ApRequest): Promise<JsonAnswer>;
  bytes(request: ApRequest): Promise<BytesAnswer>;
}

const MAX_JSON_BYTES = 64 * 1024 * 1024;
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
      const refused = await readRefusal(answer, request, (body) => {
        if (tap) noteAnswer(tap, answer, body);
      });
      return refused ?? { answer };
    }
    if (tap) noteEnd(tap, exchanged.trouble);
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

/** Bytes of files are counted and not kept: they are artifacts. */
function noteRequest(tap: WireTap, { name, content = "" }: ApRequest): void {
  if (typeof content === "string") tap.sent("request", content, { name });
  else tap.sent("request", "", { name, dropped_bytes: content.length });
}

function noteAnswer(tap: WireTap, answer: HttpAnswer, body: WholeBody): void {
  noteHead(tap, answer);
  noteBody(tap, body);
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
  const json = parseAny(text);
  if (json !== undefined) {
    reports.push(...inexactViolations(text).map((violation) => violationReport(violation)));
    return { ok: true, json, reports };
  }
  const message = isTooDeep(text) ? `nested deeper than ${MAX_JSON_DEPTH}` : "not valid JSON";
  reports.push(violationReport({ rule: "ap.json", message, where: request.name }), ...excerpt(body));
  const what = `the agent's answer to ${request.name} is ${message}`;
  return refuse(failure("INVALID_RESPONSE", what), status, reports);
}

function tooLarge({ name }: ApRequest, limitBytes: number): Failure {
  return failure("INVALID_RESPONSE", `the agent's answer to ${name} is larger than ${limitBytes} bytes`);
}
