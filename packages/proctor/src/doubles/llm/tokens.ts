// How many tokens a text counts for where the script does not say: one for every four characters begun.
import type { ScriptedAnswer } from "../../core/llm-script.ts";
import type { ChatRequest } from "./read-chat.ts";

export interface Usage {
  promptTokens: number;
  completionTokens: number;
}

const CHARS_PER_TOKEN = 4;

export function estimateTokens(chars: number): number {
  return Math.ceil(chars / CHARS_PER_TOKEN);
}

export function usageOf(
  { messages }: ChatRequest,
  { content = "", tool_calls = [], usage }: ScriptedAnswer,
): Usage {
  const prompt = messages.reduce((sum, { text }) => sum + text.length, 0);
  const calls = tool_calls.reduce(
    (sum, call) => sum + call.name.length + argumentsText(call.arguments).length,
    0,
  );
  return {
    promptTokens: usage?.prompt_tokens ?? estimateTokens(prompt),
    completionTokens: usage?.completion_tokens ?? estimateTokens(content.length + calls),
  };
}

/** Returns the arguments of a tool call as the text that a model writes. */
export function argumentsText(value: object | string = {}): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
