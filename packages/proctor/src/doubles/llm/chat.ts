// POST /v1/chat/completions: chooses the scripted answer, waits as long as it says, and prepares what is sent.
import type { JsonObject } from "../../core/json.ts";
import type { LlmScript, ScriptedAnswer, ScriptedError } from "../../core/llm-script.ts";
import type { Clock } from "../../core/ports/clock.ts";
import { pause } from "../../runtime/time/pause.ts";
import { ApiError, errorBody } from "../../runtime/openai/api-error.ts";
import { createChooser } from "./choose-answer.ts";
import {
  deltasOf,
  encodeChunk,
  encodeCompletion,
  encodeUsageChunk,
  finishReason,
  firstDelta,
  type Completion,
} from "./encode-chat.ts";
import type { Endpoint } from "./endpoint.ts";
import { readChat, type ChatRequest } from "./read-chat.ts";
import type { StreamEvent, StreamReply } from "./reply.ts";
import { usageOf } from "./tokens.ts";

interface ChatOptions {
  script: LlmScript;
  clock: Clock;
  redact: (text: string) => string;
}

export function createChat({ script, clock, redact }: ChatOptions): Endpoint {
  const choose = createChooser(script, redact);
  let count = 0;

  function complete(request: ChatRequest, answer: ScriptedAnswer): Completion {
    return {
      id: `chatcmpl-mock-${++count}`,
      created: Math.floor(clock.now() / 1000),
      model: script.model ?? request.model,
      answer,
      usage: usageOf(request, answer),
    };
  }

  return async (body, signal) => {
    const request = readChat(body);
    const { answer, number } = choose(request);
    const delayMs = answer.delay_ms ?? script.default_delay_ms ?? 0;
    if (delayMs > 0) await pause(clock, delayMs, signal);
    const { model, turn, stream } = request;
    const entry = { model, turn, stream, answer: number };
    if (answer.error !== undefined) {
      const error = playError(answer.error);
      const { status, headers, message, type, code } = error;
      return {
        entry: { ...entry, status, error: { message, type, code }, prompt_tokens: 0, completion_tokens: 0 },
        reply: { status, headers, body: errorBody(error) },
      };
    }
    const completion = complete(request, answer);
    const reply = stream
      ? streamOf(completion, request)
      : { status: 200, body: encodeCompletion(completion) };
    return {
      entry: { ...entry, ...described(completion), ...("cut" in reply && reply.cut && { cut: true }) },
      reply,
    };
  };
}

function described({ answer, usage }: Completion) {
  const { content, tool_calls: calls } = answer;
  return {
    status: 200,
    ...(content !== undefined && { content }),
    ...(calls !== undefined && { tool_calls: calls }),
    finish_reason: finishReason(answer),
    prompt_tokens: usage.promptTokens,
    completion_tokens: usage.completionTokens,
  };
}

function streamOf(completion: Completion, { includeUsage }: ChatRequest): StreamReply {
  const { chunk_delay_ms: delayMs = 0, cut_after_chunks: cutAfter = Infinity } =
    completion.answer.stream ?? {};
  const deltas = deltasOf(completion);
  const cut = cutAfter <= deltas.length;
  const chunk = (delta: JsonObject, finishReason?: string): JsonObject =>
    encodeChunk(completion, delta, { includeUsage, ...(finishReason !== undefined && { finishReason }) });

  function* events(): Generator<StreamEvent> {
    yield { data: chunk(firstDelta(completion.answer)), delayMs: 0 };
    for (const delta of cut ? deltas.slice(0, cutAfter) : deltas) yield { data: chunk(delta), delayMs };
    if (cut) return;
    yield { data: chunk({}, finishReason(completion.answer)), delayMs: 0 };
    if (includeUsage) yield { data: encodeUsageChunk(completion), delayMs: 0 };
  }
  return { events: events(), cut };
}

function playError({ status, message, type, code, retry_after_seconds: seconds }: ScriptedError): ApiError {
  return new ApiError(status, message ?? `the script answers with ${status}`, {
    ...(type !== undefined && { type }),
    ...(code !== undefined && { code }),
    // The standard header has no fractions; clients of OpenAI's API look at the second one first.
    ...(seconds !== undefined && {
      headers: { "retry-after": `${Math.ceil(seconds)}`, "retry-after-ms": `${Math.round(seconds * 1000)}` },
    }),
  });
}
