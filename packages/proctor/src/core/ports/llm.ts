// Asks a language model, wherever it is.

export interface LlmMessage {
  role: "system" | "user" | "assistant";
  content: string;
}

export interface LlmRequest {
  model: string;
  messages: readonly LlmMessage[];
  temperature?: number;
  maxTokens?: number;
  seed?: number;
  /** Whether the model must answer with a JSON object. */
  json?: boolean;
}

export interface LlmAnswer {
  text: string;
  model: string;
  inputTokens?: number;
  outputTokens?: number;
}

/** Resolves with the model's answer. Throws with a message for people. */
export type AskLlm = (request: LlmRequest, signal: AbortSignal) => Promise<LlmAnswer>;
