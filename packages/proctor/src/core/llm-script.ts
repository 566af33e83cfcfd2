// What a mock LLM answers to which request, and a call of it as it happened. Written in YAML by people, served by
// doubles/llm.
import type { Json, JsonObject } from "./json.ts";

export interface LlmScript extends JsonObject {
  /** Name that reports show. */
  name?: string;
  description?: string;
  /** The model that the list of models and every answer name; when absent, answers name the model that was asked for. */
  model?: string;
  /** The delay of answers that have none of their own, in milliseconds. */
  default_delay_ms?: number;
  /** The rules, tried in order; the first that matches and is not used up answers. */
  answers: LlmRule[];
  /** The answer when no rule matches. Without it, such a request is an error. */
  default?: ScriptedAnswer;
}

export interface LlmRule extends JsonObject {
  /** What the request must look like; any request when absent. */
  when?: LlmCondition;
  then: ScriptedAnswer;
  /** How many times the rule answers before it is used up. */
  times?: number;
}

export const LLM_ROLES = ["system", "developer", "user", "assistant", "tool", "function"] as const;
type LlmRole = (typeof LLM_ROLES)[number];

/** Every condition that is given must hold. */
export interface LlmCondition extends JsonObject {
  /** A text that the message contains: the last message of `role`, or the last of all. */
  contains?: string;
  /** A regular expression that matches somewhere in the same message. */
  regex?: string;
  /** The role whose last message `contains` and `regex` search; without them, the role of the last message. */
  role?: LlmRole;
  /** The number of the request in its conversation: one more than it has assistant messages. */
  turn?: number;
  /** The name of the requested model; `*` stands for any text. */
  model?: string;
  /** A path that leads to something in the body of the request. */
  json_path?: string | JsonPathCondition;
}

export interface JsonPathCondition extends JsonObject {
  path: string;
  /** The path leads to something that equals this. */
  equals?: Json;
  /** The path leads to a value that contains this text. */
  contains?: string;
}

export interface ScriptedAnswer extends JsonObject {
  content?: string;
  tool_calls?: ScriptedToolCall[];
  finish_reason?: string;
  usage?: { prompt_tokens?: number; completion_tokens?: number };
  delay_ms?: number;
  /** How the answer is cut up when a stream is asked for. */
  stream?: ScriptedStream;
  /** An error that is sent instead of an answer. */
  error?: ScriptedError;
}

export interface ScriptedToolCall extends JsonObject {
  name: string;
  /** The arguments; a text is sent unchanged, to play a model that does not write JSON. */
  arguments?: JsonObject | string;
  /** The id of the call; a new one when absent. */
  id?: string;
}

interface ScriptedStream extends JsonObject {
  chunk_chars?: number;
  chunk_delay_ms?: number;
  /** Number of chunks with text or arguments after which the connection is cut. */
  cut_after_chunks?: number;
}

export interface ScriptedError extends JsonObject {
  status: number;
  message?: string;
  type?: string;
  code?: string;
  retry_after_seconds?: number;
}

/** A call as the mock saw it. */
export interface LlmCall extends JsonObject {
  /** When the call was answered, in ISO 8601. */
  time: string;
  endpoint: "chat" | "embeddings";
  /** The model that was asked for; empty when the request named none. */
  model: string;
  /** Number of the turn in its chat. */
  turn?: number;
  stream: boolean;
  /** Number of the script's answer, from 1, or `default` for its default; null when there was none. */
  answer: number | "default" | null;
  status: number;
  /** Body of the request; null when it could not be read. */
  request: JsonObject | null;
  content?: string;
  tool_calls?: ScriptedToolCall[];
  finish_reason?: string;
  error?: { message: string; type: string; code: string | null };
  /** True when the stream was cut on purpose. */
  cut?: boolean;
  prompt_tokens: number;
  completion_tokens: number;
  /** Milliseconds until the answer began. */
  duration_ms: number;
}
