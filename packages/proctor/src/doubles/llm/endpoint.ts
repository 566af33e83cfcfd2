// What the endpoints that are called and logged have in common.
import type { JsonObject } from "../../core/json.ts";
import type { LlmCall } from "../../core/llm-script.ts";
import type { Reply } from "./reply.ts";

export interface Outcome {
  /** Entry of the log, without the request and the times. */
  entry: CallEntry;
  reply: Reply;
}

// `Omit` would lose the known keys of a type that allows unknown ones.
export interface CallEntry {
  model: string;
  turn?: number;
  stream: boolean;
  answer: LlmCall["answer"];
  status: number;
  content?: string;
  tool_calls?: NonNullable<LlmCall["tool_calls"]>;
  finish_reason?: string;
  error?: NonNullable<LlmCall["error"]>;
  cut?: boolean;
  prompt_tokens: number;
  completion_tokens: number;
}

/** Answers one call. Throws ApiError, or the signal's reason. */
export type Endpoint = (body: JsonObject, signal: AbortSignal) => Promise<Outcome>;
