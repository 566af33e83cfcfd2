// An endpoint's answer as reports: a refusal, one document, or a stream.
import type { HttpAnswer } from "../../channels/http/exchange.ts";
import { troubleFailure, wrongContentType, type Asked } from "../../channels/http/failures.ts";
import { readBody } from "../../channels/http/read-body.ts";
import { createTextCheck } from "../../channels/lines/text-check.ts";
import { failure, type Failure } from "../../core/failure.ts";
import type { AgentReport } from "../../core/ports/driver.ts";
import { excerpt, EXCERPT_BYTES, PATIENCE_MS, readRefusal } from "../http-refusal.ts";
import { violationReport } from "../reports.ts";
import { resultReport } from "../spoken-answer.ts";
import type { WireTap } from "../wire-tap.ts";
import { createFrames } from "./frames.ts";
import type { RestOptions } from "./options.ts";
import { createStreamAnswer } from "./stream-answer.ts";
import { readWholeAnswer, type WholeAnswer } from "./whole-answer.ts";

const MAX_BODY_BYTES = 64 * 1024 * 1024;
const JSON_TYPE = /^(?:application|text)\/(?:[\w.-]+\+)?json\s*(?:;|$)/i;
const STREAM_TYPES = {
  sse: /^text\/event-stream\s*(?:;|$)/i,
  lines:
    /^(?:application\/(?:x-)?(?:json|ndjson|jsonl|jsonlines|json-lines|stream\+json)|text\/plain)\s*(?:;|$)/i,
};

/** Ends after one report of kind "end". */
export async function* hearAnswer(
  answer: HttpAnswer,
  asked: Asked,
  options: RestOptions,
  tap: WireTap | undefined,
): AsyncGenerator<AgentReport> {
  const { status, headers } = answer;
  const type = headers["content-type"];
  tap?.received("head", "{}", { status, ...(type !== undefined && { content_type: type }) });
  const refusal = await readRefusal(answer, asked, ({ bytes }) => tap?.received("body", bytes.toString()));
  if (refusal) {
    yield* refusal.reports;
    return yield failed(refusal.failure);
  }
  const { stream } = options;
  if (stream !== undefined && STREAM_TYPES[stream].test(type ?? "")) {
    yield* hearStream(answer, asked, { ...options, stream }, tap);
  } else if (JSON_TYPE.test(type ?? "")) {
    yield* hearDocument(answer, asked, options, tap);
  } else {
    const body = await readBody(answer.body, EXCERPT_BYTES, { patienceMs: PATIENCE_MS });
    tap?.received("body", body.bytes.toString());
    yield* excerpt(body);
    yield failed(otherType(type, asked, options));
  }
}

async function* hearDocument(
  { headers, body: incoming }: HttpAnswer,
  asked: Asked,
  options: RestOptions,
  tap: WireTap | undefined,
): AsyncGenerator<AgentReport> {
  const body = await readBody(incoming, MAX_BODY_BYTES, { length: headers["content-length"] });
  tap?.received(
    "body",
    body.bytes.toString(),
    body.overflowed ? { dropped_bytes: body.sizeBytes - body.bytes.length } : {},
  );
  if (body.overflowed) {
    return yield failed(
      failure("INVALID_RESPONSE", `the agent's answer is larger than ${MAX_BODY_BYTES} bytes`),
    );
  }
  if (body.trouble) {
    yield* excerpt(body);
    return yield failed(troubleFailure(body.trouble, asked));
  }
  const { reports, ...answer } = readWholeAnswer(body, options);
  yield* reports;
  yield* conclude(answer);
}

async function* hearStream(
  { body }: HttpAnswer,
  asked: Asked,
  options: RestOptions & { stream: NonNullable<RestOptions["stream"]> },
  tap: WireTap | undefined,
): AsyncGenerator<AgentReport> {
  const frames = createFrames(options.stream);
  const answer = createStreamAnswer(options);
  const isText = createTextCheck();
  let garbled = false;
  while (!answer.done) {
    const chunk = await body.read();
    if (chunk === undefined) break;
    if (!garbled && !isText(chunk)) {
      garbled = true;
      yield violationReport({ rule: "line.encoding", message: "not valid UTF-8", where: "stream" });
    }
    for (const frame of frames.push(chunk)) {
      if (frame.kind === "frame") tap?.received(options.stream, frame.data);
      yield* answer.hear(frame);
      if (answer.done) break;
    }
  }
  const trouble = answer.done ? undefined : body.trouble;
  if (answer.done) body.release();
  else if (!trouble) for (const frame of frames.end()) yield* answer.hear(frame);
  yield* answer.close();
  const { conversationId, metrics } = answer;
  const concluded = trouble ? { failure: troubleFailure(trouble, asked) } : answer.conclude();
  yield* conclude({ concluded, metrics, ...(conversationId !== undefined && { conversationId }) });
}

function* conclude({
  concluded,
  conversationId,
  metrics = {},
}: Omit<WholeAnswer, "reports">): Generator<AgentReport> {
  if (conversationId !== undefined) {
    yield { kind: "session", continuation: { conversation_id: conversationId } };
  }
  if ("output" in concluded) yield resultReport(concluded.output);
  const used = Object.keys(metrics).length > 0 ? { metrics } : {};
  yield "output" in concluded
    ? { kind: "end", end: { status: "completed", ...used } }
    : { kind: "end", end: { status: "failed", failure: concluded.failure, ...used } };
}

function otherType(type: string | undefined, asked: Asked, { stream }: RestOptions): Failure {
  const isStream = stream === undefined && STREAM_TYPES.sse.test(type ?? "");
  const expected =
    stream === "sse" ? "an event stream or JSON" : stream === "lines" ? "lines of JSON" : "JSON";
  const refused = wrongContentType(type, asked, expected);
  return isStream ? { ...refused, message: `${refused.message}: set options.stream to "sse"` } : refused;
}

function failed(why: Failure): AgentReport {
  return { kind: "end", end: { status: "failed", failure: why } };
}
