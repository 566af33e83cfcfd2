// One envelope to an agent's URL, and what it answers: nothing yet, envelopes, or a stream of them.
import type { HttpClient } from "../../channels/http/client.ts";
import type { HttpAnswer } from "../../channels/http/exchange.ts";
import { troubleFailure, wrongContentType, type Asked } from "../../channels/http/failures.ts";
import { readBody } from "../../channels/http/read-body.ts";
import type { AgentSpec } from "../../core/agent.ts";
import type { Envelope } from "../../core/envelope.ts";
import { failure, type Failure } from "../../core/failure.ts";
import { formatTraceparent } from "../../core/trace.ts";
import { agentEndpoint } from "../agent-endpoint.ts";
import { readRefusal } from "../http-refusal.ts";
import type { HeardQueue } from "./heard.ts";
import { framesOf, hearText, JSON_TYPE, type Heard } from "./read-envelopes.ts";

export interface HttpRequestOptions {
  client: HttpClient;
  spec: AgentSpec;
  /** True when an answer may also come later, as an envelope to the hub. */
  canWait: boolean;
}

const MAX_BODY_BYTES = 64 * 1024 * 1024;
const ACCEPTED = "application/json, text/event-stream, application/x-ndjson";
/** Milliseconds for a request whose answer does not matter. */
const PATIENCE_MS = 5000;

/** Puts everything that comes into the queue, then its end. Never rejects. */
export async function askOverHttp(
  options: HttpRequestOptions,
  envelope: Envelope,
  queue: HeardQueue,
  signal: AbortSignal,
): Promise<void> {
  const over = await ask(options, envelope, queue, signal).catch((error: unknown) =>
    failure("INTERNAL_ERROR", `the request could not be made: ${String(error)}`),
  );
  if (!signal.aborted) await queue.push({ over });
}

/** Resolves when the agent has taken the answer, and rejects where it did not. Its reply goes into the queue like everything else. */
export function answerOverHttp(
  options: HttpRequestOptions,
  envelope: Envelope,
  queue: HeardQueue,
  signal: AbortSignal,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let isTaken = false;
    const taken = (): void => {
      isTaken = true;
      resolve();
    };
    ask(options, envelope, queue, signal, taken).then((over) => {
      if (isTaken) return queue.push({ over });
      reject(new Error(over?.message ?? "the agent did not take it"));
      return undefined;
    }, reject);
  });
}

/** Sends, and does not wait for more than the head of the answer. */
export async function tellOverHttp(
  options: HttpRequestOptions,
  envelope: Envelope,
  signal: AbortSignal,
): Promise<void> {
  const posted = await postEnvelope(
    options,
    envelope,
    AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]),
  );
  if ("answer" in posted) posted.answer.body.close();
}

type Posted = { answer: HttpAnswer; asked: Asked } | { failed: Failure };

export async function postEnvelope(
  { client, spec }: HttpRequestOptions,
  envelope: Envelope,
  signal: AbortSignal,
): Promise<Posted> {
  const { traceId, spanId } = envelope.trace;
  const endpoint = agentEndpoint(spec, formatTraceparent({ traceId, spanId, sampled: true }));
  if ("refused" in endpoint) return { failed: endpoint.refused };
  const asked: Asked = { name: "the envelope", url: endpoint.url };
  const headers = { ...endpoint.headers, "content-type": "application/json", accept: ACCEPTED };
  const exchanged = await client.post(
    { url: endpoint.url, content: JSON.stringify(envelope), headers },
    signal,
  );
  if (exchanged.kind === "failed") return { failed: troubleFailure(exchanged.trouble, asked) };
  return { answer: exchanged.answer, asked };
}

/** Resolves to what is wrong; undefined when the answer may still come. `onTaken` is called when the agent did not refuse it. */
async function ask(
  options: HttpRequestOptions,
  envelope: Envelope,
  queue: HeardQueue,
  signal: AbortSignal,
  onTaken: () => void = () => undefined,
): Promise<Failure | undefined> {
  const posted = await postEnvelope(options, envelope, signal);
  if ("failed" in posted) return posted.failed;
  const { answer, asked } = posted;
  const { status, headers, body } = answer;
  const later = options.canWait
    ? undefined
    : failure(
        "NO_RESPONSE",
        "the agent did not answer, and there is no inbox for an answer that comes later",
      );
  if (status === 202 || status === 204) {
    onTaken();
    const { bytes } = await readBody(body, MAX_BODY_BYTES);
    const heard = hearText(bytes.toString());
    // Text in the receipt that is not an envelope is ignored.
    for (const each of heard) if ("envelope" in each) await queue.push(each);
    return later;
  }
  const refusal = await readRefusal(answer, asked);
  if (refusal) return refusal.failure;
  onTaken();
  const type = headers["content-type"] ?? "";
  const frames = framesOf(type);
  if (frames) {
    let isGarbage = false;
    const pass = async (each: readonly Heard[]): Promise<void> => {
      for (const heard of each) {
        isGarbage = "garbage" in heard;
        await queue.push(heard);
      }
    };
    for (let chunk = await body.read(); chunk !== undefined; chunk = await body.read())
      await pass(frames.push(chunk));
    if (body.trouble) return troubleFailure(body.trouble, asked);
    await pass(frames.end());
    return isGarbage
      ? failure("INVALID_RESPONSE", "the last that the agent sent is not an envelope")
      : failure("NO_RESPONSE", "the agent's stream ended without a response");
  }
  const read = await readBody(body, MAX_BODY_BYTES, { length: headers["content-length"] });
  if (read.overflowed)
    return failure("INVALID_RESPONSE", `the agent's answer is larger than ${MAX_BODY_BYTES} bytes`);
  if (read.trouble) return troubleFailure(read.trouble, asked);
  const text = read.bytes.toString();
  if (text.trim() === "") return later;
  if (!JSON_TYPE.test(type))
    return wrongContentType(headers["content-type"], asked, "JSON or an event stream");
  for (const heard of hearText(text)) {
    if ("garbage" in heard) return failure("INVALID_RESPONSE", "the agent's answer is not an envelope");
    await queue.push(heard);
  }
  return later;
}
