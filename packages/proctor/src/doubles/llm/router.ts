// From a request to its answer: who may ask, which endpoint, and for those that are logged: report first, answer then.
import { hash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { JsonObject } from "../../core/json.ts";
import type { LlmCall, LlmScript } from "../../core/llm-script.ts";
import type { Clock } from "../../core/ports/clock.ts";
import { ApiError, encodeError } from "./api-error.ts";
import { createChat } from "./chat.ts";
import { createEmbeddings } from "./embeddings.ts";
import type { CallEntry, Endpoint, Outcome } from "./endpoint.ts";
import type { Guard } from "./guard.ts";
import { findModel, listModels } from "./models.ts";
import { readBody } from "./read-body.ts";
import { sendJson, sendReply, type Reply } from "./reply.ts";

export interface RouterOptions {
  /** In front of every path: empty, or a slash and a secret. */
  prefix: string;
  script: LlmScript;
  clock: Clock;
  guard: Guard;
  redact: (text: string) => string;
  /** What `GET /calls` answers. */
  log: () => JsonObject;
  onCall: (call: LlmCall) => Promise<void>;
}

export type Route = (
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  signal: AbortSignal,
) => Promise<void>;

/** More calls at once, or more bytes of calls held at once, are refused until some are done. */
const MAX_CALLS = 1000;
const MAX_HELD_BYTES = 64 * 1024 * 1024;
const MODELS = "/v1/models";

export function createRouter(options: RouterOptions): Route {
  const { prefix, script, clock, guard, redact, onCall } = options;
  const endpoints = new Map<string, { name: LlmCall["endpoint"]; answer: Endpoint }>([
    ["/v1/chat/completions", { name: "chat", answer: createChat({ script, clock, redact }) }],
    ["/v1/embeddings", { name: "embeddings", answer: createEmbeddings(script) }],
  ]);
  let underWay = 0;
  let heldBytes = 0;

  async function answerCall(
    incoming: IncomingMessage,
    { name, answer }: { name: LlmCall["endpoint"]; answer: Endpoint },
    signal: AbortSignal,
  ): Promise<Reply> {
    const startedAt = clock.now();
    let mine = 0;
    let request: JsonObject | null = null;
    let outcome: Outcome;
    try {
      request = await readBody(incoming, signal, (count) => {
        mine += count;
        heldBytes += count;
        if (heldBytes > MAX_HELD_BYTES) throw new ApiError(429, "too many large calls at once");
      });
      outcome = await answer(request, signal);
    } catch (error) {
      outcome = explain(error, request, signal);
    } finally {
      heldBytes -= mine;
    }
    const endedAt = clock.now();
    const durationMs = Math.max(0, endedAt - startedAt);
    const time = new Date(endedAt).toISOString();
    try {
      await onCall({ time, endpoint: name, ...outcome.entry, request, duration_ms: durationMs });
    } catch {
      // What was acknowledged is recorded: no record, no answer.
      return errorReply(new ApiError(503, "the call could not be recorded"));
    }
    return outcome.reply;
  }

  async function answer(incoming: IncomingMessage, signal: AbortSignal): Promise<Reply> {
    const path = pathOf(incoming, prefix);
    guard(incoming);
    const endpoint = endpoints.get(path);
    if (endpoint !== undefined) {
      expectMethod(incoming, "POST");
      if (underWay >= MAX_CALLS) throw new ApiError(429, "too many calls at once");
      underWay++;
      return answerCall(incoming, endpoint, signal).finally(() => underWay--);
    }
    if (path !== "/calls" && path !== MODELS && !path.startsWith(`${MODELS}/`)) throw notFound(path);
    expectMethod(incoming, "GET");
    if (path === "/calls") return { status: 200, body: options.log() };
    if (path === MODELS) return { status: 200, body: listModels(script.model) };
    return { status: 200, body: findModel(decode(path.slice(MODELS.length + 1)), script.model) };
  }

  return async (incoming, outgoing, signal) => {
    try {
      await sendReply(outgoing, await answer(incoming, signal), { clock, signal });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      // What is left of the body is of no interest, but an answer is read only by who could send it.
      incoming.resume();
      sendJson(outgoing, errorReply(error));
    }
  };
}

/** The path behind the prefix. Throws the same for a secret that is wrong in any way. */
function pathOf({ url = "" }: IncomingMessage, prefix: string): string {
  const [path = ""] = url.split("?");
  if (prefix === "") return path;
  const given = path.slice(0, prefix.length);
  // Digests are compared, so that the time taken says nothing about how much of it was right.
  if (hash("sha256", given) !== hash("sha256", prefix) || path[prefix.length] !== "/") {
    throw new ApiError(404, "there is nothing here");
  }
  return path.slice(prefix.length);
}

function notFound(path: string): ApiError {
  const hint = path.startsWith("/v1/") ? "" : "; the base URL of this mock ends with /v1";
  return new ApiError(404, `there is nothing at this path${hint}`, { code: "unknown_url" });
}

function expectMethod({ method }: IncomingMessage, allow: string): void {
  if (method === allow) return;
  throw new ApiError(405, `use ${allow} here`, { code: "method_not_allowed", headers: { allow } });
}

function explain(error: unknown, request: JsonObject | null, signal: AbortSignal): Outcome {
  const known = error instanceof ApiError ? error : unexpected(signal);
  const { status, message, type, code } = known;
  const { model, stream } = request ?? {};
  const entry: CallEntry = {
    model: typeof model === "string" ? model : "",
    stream: stream === true,
    answer: null,
    status,
    error: { message, type, code },
    prompt_tokens: 0,
    completion_tokens: 0,
  };
  return { entry, reply: errorReply(known) };
}

function unexpected({ aborted, reason }: AbortSignal): ApiError {
  const why = aborted && reason instanceof Error ? `cut off: ${reason.message}` : "the mock failed";
  return new ApiError(aborted ? 503 : 500, why);
}

function errorReply(error: ApiError): { status: number; headers: Record<string, string>; body: JsonObject } {
  return { status: error.status, headers: error.headers, body: encodeError(error) };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
