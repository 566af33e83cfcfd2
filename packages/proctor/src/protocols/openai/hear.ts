// Reads one answer of a model's server to its end: a stream of chunks, or one document. The text is reported as it comes; everything else is
// in the answer that is returned. Nothing is thrown for what the server does.
import { isUtf8 } from "node:buffer";
import type { HttpAnswer } from "../../channels/http/exchange.ts";
import { troubleFailure, wrongContentType, type Asked } from "../../channels/http/failures.ts";
import { readBody } from "../../channels/http/read-body.ts";
import { wholeCharacters } from "../../core/whole-characters.ts";
import { createSseParser, type SseMessage } from "../../channels/sse/parse-sse.ts";
import { failure, type Failure } from "../../core/failure.ts";
import type { AgentEnd, AgentReport } from "../../core/ports/driver.ts";
import { EXCERPT_BYTES, excerpt, parseAny } from "../http-refusal.ts";
import type { WireTap } from "../wire-tap.ts";
import { createAnswer, MAX_ANSWER_CHARS, type ModelAnswer } from "./answer.ts";
import { decodeChunk, decodeCompletion, type Piece } from "./codec.ts";
import { brokenOff } from "./errors.ts";
import { noteBody, noteEnd, noteFrame } from "../http-notes.ts";
import { logReport, violationReport } from "../reports.ts";
import { createSaying, type Saying } from "./saying.ts";
import { DONE } from "./wire.ts";

export interface Heard {
  answer: ModelAnswer;
  /** End of an answer that cannot be used; its text that had arrived was reported all the same. */
  end?: AgentEnd;
}

interface HearOptions {
  asked: Asked;
  /** Values that are not to be shown. */
  secrets: readonly string[];
  tap: WireTap | undefined;
}

const MAX_DOCUMENT_BYTES = 64 * 1024 * 1024;
/** Milliseconds to wait for a body of another type. */
const PATIENCE_MS = 1000;
const MAX_LOGGED_CHARS = 2000;

const STREAM_TYPE = /^text\/event-stream\s*(;|$)/i;
const JSON_TYPE = /^application\/([\w.-]+\+)?json\s*(;|$)/i;

export async function* hear(head: HttpAnswer, options: HearOptions): AsyncGenerator<AgentReport, Heard> {
  const type = head.headers["content-type"] ?? "";
  if (STREAM_TYPE.test(type)) return yield* hearStream(head, options);
  if (JSON_TYPE.test(type)) return yield* hearDocument(head, options);
  const body = await readBody(head.body, EXCERPT_BYTES, { patienceMs: PATIENCE_MS });
  if (options.tap) noteBody(options.tap, body);
  yield* excerpt(body);
  const refused = wrongContentType(head.headers["content-type"], options.asked, "an event stream or JSON");
  return { answer: createAnswer(), end: failed(refused) };
}

async function* hearDocument(
  { headers, body: incoming }: HttpAnswer,
  { asked, secrets, tap }: HearOptions,
): AsyncGenerator<AgentReport, Heard> {
  const answer = createAnswer();
  const body = await readBody(incoming, MAX_DOCUMENT_BYTES, { length: headers["content-length"] });
  if (tap) noteBody(tap, body);
  if (body.overflowed) return { answer, end: tooLarge(`${MAX_DOCUMENT_BYTES} bytes`) };
  if (body.trouble) return { answer, end: failed(troubleFailure(body.trouble, asked)) };
  if (!isUtf8(body.bytes)) yield notUtf8();
  const text = body.bytes.toString();
  if (text.trim() === "") {
    const silence = failure("NO_RESPONSE", `the model answered ${asked.name} with an empty body`);
    return { answer, end: failed(silence) };
  }
  const json = parseAny(text);
  if (json === undefined) {
    yield notJson();
    yield* excerpt(body);
    return { answer, end: invalid(`the model's answer to ${asked.name} is not JSON`) };
  }
  const piece = decodeCompletion(json);
  const saying = createSaying();
  yield* take(piece, answer, saying);
  yield* saying.close();
  if (piece.unusable === true) yield* excerpt(body);
  const end = endOfPiece(piece, answer, secrets);
  if (end) return { answer, end };
  return piece.unusable === true
    ? { answer, end: invalid(`the model's answer to ${asked.name} is not a chat completion`) }
    : { answer };
}

async function* hearStream(
  { body }: HttpAnswer,
  { asked, secrets, tap }: HearOptions,
): AsyncGenerator<AgentReport, Heard> {
  const answer = createAnswer();
  const saying = createSaying();
  const parser = createSseParser();
  let isText = true;
  let cut: Buffer = Buffer.alloc(0);
  let done = false;
  let end: AgentEnd | undefined;

  function* hearFrame(frame: SseMessage): Generator<AgentReport> {
    if (tap) noteFrame(tap, frame);
    if (frame.kind === "oversized") {
      const what = `a frame is longer than ${frame.limitBytes} bytes`;
      yield violationReport({ rule: "line.too_long", message: what, where: "stream" });
      // What it said is lost, and so the answer would have a hole.
      end = invalid(`in the model's answer ${what}`);
      return;
    }
    if (frame.kind !== "message" || frame.data.trim() === "") return;
    if (frame.data.trim() === DONE) {
      done = true;
      return;
    }
    const json = parseAny(frame.data);
    if (json === undefined) {
      yield notJson();
      yield logReport(shortly(frame.data));
      return;
    }
    const piece = decodeChunk(json);
    yield* take(piece, answer, saying);
    end = endOfPiece(piece, answer, secrets);
  }

  try {
    while (!done && end === undefined) {
      const chunk = await body.read();
      if (chunk === undefined) break;
      // A character that is cut by the end of a piece is looked at with the next.
      const bytes = cut.length === 0 ? chunk : Buffer.concat([cut, chunk]);
      const whole = wholeCharacters(bytes);
      cut = Buffer.from(bytes.subarray(whole));
      if (isText && !isUtf8(bytes.subarray(0, whole))) {
        isText = false;
        yield notUtf8();
      }
      for (const frame of parser.push(chunk)) {
        yield* hearFrame(frame);
        if (done || end !== undefined) break;
      }
    }
    const isOver = done || end !== undefined;
    if (!isOver) for (const frame of parser.unfinished()) yield* hearFrame(frame);
  } finally {
    // A reader that leaves in the middle closes the connection to the server as well.
    if (done) body.release();
    else body.close();
  }
  const trouble = done || end !== undefined ? undefined : body.trouble;
  if (tap) noteEnd(tap, trouble);
  yield* saying.close();
  if (end) return { answer, end };
  if (trouble) return { answer, end: failed(troubleFailure(trouble, asked)) };
  if (answer.finishReason === undefined && !done) {
    return { answer, end: failed(failure("NO_RESPONSE", "the model's answer ended before its end")) };
  }
  if (!done) {
    const message = `the stream ended without ${DONE}`;
    yield violationReport({ rule: "openai.done", message, where: "stream" });
  }
  if (answer.finishReason === undefined) {
    const message = "the stream ended without a finish_reason";
    yield violationReport({ rule: "openai.finish_reason", message, where: "stream" });
    const isEmpty = answer.text === "" && answer.refusal === "" && answer.calls.length === 0;
    if (isEmpty) return { answer, end: invalid("the model's stream holds no answer") };
  }
  return { answer };
}

function* take(piece: Piece, answer: ModelAnswer, saying: Saying): Generator<AgentReport> {
  const { text, violations } = answer.add(piece);
  for (const violation of violations) yield violationReport(violation);
  yield* saying.extend(text);
}

function endOfPiece({ error }: Piece, answer: ModelAnswer, secrets: readonly string[]): AgentEnd | undefined {
  if (error !== undefined) return brokenOff(error, secrets);
  return answer.overflowed ? tooLarge(`${MAX_ANSWER_CHARS} characters`) : undefined;
}

/** Kept whole or not at all: half a secret would not be recognised. */
function shortly(text: string): string {
  return text.length > MAX_LOGGED_CHARS ? `(a frame of ${text.length} characters)` : text;
}

function notUtf8(): AgentReport {
  return violationReport({ rule: "line.encoding", message: "not valid UTF-8", where: "body" });
}

function notJson(): AgentReport {
  return violationReport({
    rule: "openai.json",
    message: "not valid JSON, or nested too deeply",
    where: "body",
  });
}

function failed(reason: Failure): AgentEnd {
  return { status: "failed", failure: reason };
}

function invalid(message: string): AgentEnd {
  return failed(failure("INVALID_RESPONSE", message));
}

function tooLarge(limit: string): AgentEnd {
  return invalid(`the model's answer is larger than ${limit}`);
}
