// Reads what a model answered from a chat completion.
import { LLMError } from "../errors.ts";
import { isObject, type Json, type JsonObject } from "../json.ts";
import type { FunctionCall } from "../tool.ts";

export interface LLMResponse {
  text: string;
  model: string;
  /** Number of tokens, input and output together. */
  tokens: number;
  inputTokens: number;
  outputTokens: number;
  /** Cost in US dollars as the endpoint reports it; 0 when it does not. */
  cost: number;
  latencyMs: number;
  finishReason: string | null;
  functionCalls: FunctionCall[];
  /** The conversation, which ends with this answer and can be continued. */
  messages: Message[];
  /** The answer as the endpoint sent it; absent after a stream. */
  raw?: JsonObject;
}

export interface Message extends JsonObject {
  role: string;
}

export const emptyResponse = (model: string): LLMResponse => ({
  text: "",
  model,
  tokens: 0,
  inputTokens: 0,
  outputTokens: 0,
  cost: 0,
  latencyMs: 0,
  finishReason: null,
  functionCalls: [],
  messages: [],
});

/** Reads the body of an answer. `model` is the requested model, which is reported when the answer names none. */
export function readCompletion(body: string, model: string): LLMResponse {
  const raw = parse(body, model);
  const choice = Array.isArray(raw["choices"]) ? raw["choices"][0] : undefined;
  const message = isObject(choice) ? choice["message"] : undefined;
  const text = isObject(message) ? textOf(message["content"]) : undefined;
  const calls = isObject(message) ? callsOf(message["tool_calls"]) : undefined;
  if (text === undefined || calls === undefined)
    throw new LLMError("invalid_response", "the answer is no chat completion", { model });
  const response = { ...emptyResponse(stringOr(raw["model"], model)), text, functionCalls: calls, raw };
  if (isObject(choice)) response.finishReason = stringOr(choice["finish_reason"], null);
  addUsage(response, raw["usage"]);
  return response;
}

export function addUsage(response: LLMResponse, usage: Json | undefined): void {
  if (!isObject(usage)) return;
  response.inputTokens = count(usage["prompt_tokens"]);
  response.outputTokens = count(usage["completion_tokens"]);
  response.tokens = response.inputTokens + response.outputTokens;
  if (typeof usage["cost"] === "number") response.cost = usage["cost"];
}

/** Returns the answer as a message of the conversation, which goes back to the model. */
export function assistantMessage({ text, functionCalls }: LLMResponse): Message {
  if (functionCalls.length === 0) return { role: "assistant", content: text };
  const tool_calls = functionCalls.map(({ id, name, text }) => {
    return { id, type: "function", function: { name, arguments: text } };
  });
  return { role: "assistant", content: text === "" ? null : text, tool_calls };
}

export function functionCall(name: string, text: string, id: string | null): FunctionCall {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text === "" ? "{}" : text);
  } catch {
    parsed = null;
  }
  return { name, arguments: isObject(parsed) ? parsed : null, id, text };
}

function parse(body: string, model: string): JsonObject {
  try {
    const value: unknown = JSON.parse(body);
    if (isObject(value)) return value;
  } catch {
    throw new LLMError("invalid_response", "the answer is not JSON", { model });
  }
  throw new LLMError("invalid_response", "the answer is no chat completion", { model });
}

/** Reads the text of a message, which some endpoints send in parts. */
function textOf(content: Json | undefined): string | undefined {
  if (content == null || typeof content === "string") return content ?? "";
  if (!Array.isArray(content)) return undefined;
  return content.map((part) => (isObject(part) ? stringOr(part["text"], "") : "")).join("");
}

function callsOf(calls: Json | undefined): FunctionCall[] | undefined {
  if (calls == null) return [];
  if (!Array.isArray(calls)) return undefined;
  const read = calls.flatMap((call) => {
    const made = isObject(call) ? call["function"] : undefined;
    if (!isObject(call) || !isObject(made) || typeof made["name"] !== "string") return [];
    return [functionCall(made["name"], stringOr(made["arguments"], ""), stringOr(call["id"], null))];
  });
  return read.length === calls.length ? read : undefined;
}

function stringOr<Other>(value: Json | undefined, other: Other): string | Other {
  return typeof value === "string" ? value : other;
}

const count = (value: Json | undefined): number =>
  typeof value === "number" && Number.isInteger(value) && value >= 0 ? value : 0;
