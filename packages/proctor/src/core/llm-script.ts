// What a mock LLM answers to which request, and a call of it as it happened. Written in YAML by people, served by
// doubles/llm.
import type { Json, JsonObject } from "./json.ts";

export interface LlmScript extends JsonObject {
  /** The name that reports show. */
  name?: string;
  description?: string;
  /** What the list of models has and answers carry; absent, answers carry the model that was asked for. */
  model?: string;
  /** Delay of answers that name none. */
  default_delay_ms?: number;
  /** Tried in order; the first that matches and is not used up answers. */
  answers: LlmRule[];
  /** When none does. Without it such a request is an error. */
  default?: ScriptedAnswer;
}

export interface LlmRule extends JsonObject {
  /** Absent: any request. */
  when?: LlmCondition;
  then: ScriptedAnswer;
  /** Used up after so many. */
  times?: number;
}

export const LLM_ROLES = ["system", "developer", "user", "assistant", "tool", "function"] as const;
type LlmRole = (typeof LLM_ROLES)[number];

/** All that is given must hold. */
export interface LlmCondition extends JsonObject {
  /** In the text of the message that is looked at: the last one of `role`, or the last of all. */
  contains?: string;
  /** Found in the same text. */
  regex?: string;
  /** Whose message `contains` and `regex` look at; without them, whose message is the last. */
  role?: LlmRole;
  /** Number of the request in its conversation: its assistant messages, and one. */
  turn?: number;
  /** Name of the requested model, `*` for anything. */
  model?: string;
  /** Leads to something in the body of the request. */
  json_path?: string | JsonPathCondition;
}

export interface JsonPathCondition extends JsonObject {
  path: string;
  /** To something that equals this. */
  equals?: Json;
  /** To something with this text in it. */
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
  /** Instead of an answer. */
  error?: ScriptedError;
}

export interface ScriptedToolCall extends JsonObject {
  name: string;
  /** Text is sent as it is, to play a model that writes no JSON. */
  arguments?: JsonObject | string;
  /** Made up when absent. */
  id?: string;
}

interface ScriptedStream extends JsonObject {
  chunk_chars?: number;
  chunk_delay_ms?: number;
  /** The connection is cut after so many chunks with text or arguments. */
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
  /** When it was answered, ISO 8601. */
  time: string;
  endpoint: "chat" | "embeddings";
  /** The model that was asked for; empty when the request named none. */
  model: string;
  /** The number of the turn in its chat. */
  turn?: number;
  stream: boolean;
  /** Which answer of the script, from 1 on, or its default; null when there was none. */
  answer: number | "default" | null;
  /** The status of the HTTP response. */
  status: number;
  /** The body; null when it could not be read. */
  request: JsonObject | null;
  content?: string;
  tool_calls?: ScriptedToolCall[];
  finish_reason?: string;
  error?: { message: string; type: string; code: string | null };
  /** The stream was cut on purpose. */
  cut?: boolean;
  prompt_tokens: number;
  completion_tokens: number;
  /** Milliseconds until the answer began. */
  duration_ms: number;
}
