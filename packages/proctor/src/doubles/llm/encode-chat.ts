// A scripted answer as OpenAI's API words it: whole, or as the chunks of a stream.
import type { Json, JsonObject } from "../../core/json.ts";
import type { ScriptedAnswer } from "../../core/llm-script.ts";
import { splitText } from "./split-text.ts";
import { argumentsText, type Usage } from "./tokens.ts";

export interface Completion {
  id: string;
  /** Time of the answer in epoch seconds. */
  created: number;
  model: string;
  answer: ScriptedAnswer;
  usage: Usage;
}

const DEFAULT_CHUNK_CHARS = 16;

export function encodeCompletion(completion: Completion): JsonObject {
  const { content = null, tool_calls: calls } = completion.answer;
  const message = {
    role: "assistant",
    content,
    refusal: null,
    ...(calls !== undefined && { tool_calls: encodeCalls(completion) }),
  };
  return {
    ...head(completion, "chat.completion"),
    choices: [{ index: 0, message, logprobs: null, finish_reason: finishReason(completion.answer) }],
    usage: encodeUsage(completion.usage),
  };
}

/** Returns the deltas of a stream between the role and the stop reason. */
export function deltasOf(completion: Completion): JsonObject[] {
  const { content = "", stream } = completion.answer;
  const chars = stream?.chunk_chars ?? DEFAULT_CHUNK_CHARS;
  const calls = encodeCalls(completion).flatMap(({ function: called, ...call }, index): JsonObject[] => [
    { tool_calls: [{ index, ...call, function: { name: called.name, arguments: "" } }] },
    ...splitText(called.arguments, chars).map((piece) => ({
      tool_calls: [{ index, function: { arguments: piece } }],
    })),
  ]);
  return [...splitText(content, chars).map((piece) => ({ content: piece })), ...calls];
}

export function firstDelta({ content, tool_calls: calls }: ScriptedAnswer): JsonObject {
  const isText = content !== undefined || calls === undefined;
  return { role: "assistant", content: isText ? "" : null, refusal: null };
}

export function encodeChunk(completion: Completion, delta: JsonObject, more: ChunkEnd): JsonObject {
  return {
    ...head(completion, "chat.completion.chunk"),
    choices: [{ index: 0, delta, logprobs: null, finish_reason: more.finishReason ?? null }],
    // When usage is asked for, every chunk has the key, and only the last has a value.
    ...(more.includeUsage && { usage: null }),
  };
}

interface ChunkEnd {
  includeUsage: boolean;
  finishReason?: string;
}

export function encodeUsageChunk(completion: Completion): JsonObject {
  return { ...head(completion, "chat.completion.chunk"), choices: [], usage: encodeUsage(completion.usage) };
}

export function finishReason({ finish_reason: reason, tool_calls: calls = [] }: ScriptedAnswer): string {
  return reason ?? (calls.length > 0 ? "tool_calls" : "stop");
}

function encodeCalls({ id, answer }: Completion) {
  return (answer.tool_calls ?? []).map((call, index) => ({
    id: call.id ?? `call-${id.replace(/^chatcmpl-/, "")}-${index + 1}`,
    type: "function",
    function: { name: call.name, arguments: argumentsText(call.arguments) },
  }));
}

function head({ id, created, model }: Completion, object: string): Record<string, Json> {
  return { id, object, created, model, system_fingerprint: null };
}

function encodeUsage({ promptTokens, completionTokens }: Usage): JsonObject {
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
  };
}
