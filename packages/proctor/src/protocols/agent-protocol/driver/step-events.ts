// What a step's `additional_output` tells of its inside, as events. The document leaves its content open: these are the fields
// that servers send (`last_action` and `thoughts` are AutoGPT's), and what has another shape stays where it was.
import type { AgentEventPayloads } from "../../../core/event.ts";
import { isJsonObject, type Json, type JsonObject } from "../../../core/json.ts";

type ToolCall = AgentEventPayloads["tool_call"];
type LlmRequest = AgentEventPayloads["llm_request"];
type Reasoning = AgentEventPayloads["reasoning"];

export function toolCallsIn(additional: JsonObject): ToolCall[] {
  const { tool_calls, tool_call, last_action } = additional;
  return [...listed(tool_calls), ...listed(tool_call), ...listed(last_action)].flatMap(decodeToolCall);
}

export function llmRequestsIn(additional: JsonObject): LlmRequest[] {
  const { llm_requests, llm_calls, llm_request } = additional;
  return [...listed(llm_requests), ...listed(llm_calls), ...listed(llm_request)]
    .filter(isJsonObject)
    .map(decodeLlmRequest);
}

export function reasoningIn({ thoughts }: JsonObject): Reasoning | undefined {
  if (typeof thoughts === "string") return thoughts.trim() === "" ? undefined : { thought: thoughts };
  if (!isJsonObject(thoughts)) return undefined;
  const { text, reasoning, plan, ...rest } = thoughts;
  const thought = textOf(text) ?? textOf(reasoning);
  if (thought === undefined && plan === undefined) return undefined;
  return {
    ...rest,
    ...(reasoning !== undefined && { reasoning }),
    ...(thought !== undefined && { thought }),
    ...(plan !== undefined && { plan }),
  };
}

function decodeToolCall(entry: Json): ToolCall[] {
  if (!isJsonObject(entry)) return typeof entry === "string" && entry !== "" ? [{ tool: entry }] : [];
  const { tool, name, tool_name, input, args, arguments: given, output, result, ...rest } = entry;
  const named = textOf(tool) ?? textOf(name) ?? textOf(tool_name);
  if (named === undefined) return [];
  const { duration_ms, status, error, call_id, id, ...others } = rest;
  const went = input ?? args ?? given;
  const came = output ?? result;
  const wrong = errorIn(error) ?? (isJsonObject(result) ? errorIn(result["error"]) : undefined);
  const called = textOf(call_id) ?? textOf(id);
  return [
    {
      ...others,
      tool: named,
      ...(went !== undefined && { input: went }),
      ...(came !== undefined && { output: came }),
      ...(typeof duration_ms === "number" && { duration_ms }),
      ...(typeof status === "string" ? { status } : wrong !== undefined && { status: "error" }),
      ...(wrong !== undefined && { error: wrong }),
      ...(called !== undefined && { call_id: called }),
    },
  ];
}

const LLM_NUMBERS = ["input_tokens", "output_tokens", "duration_ms", "temperature", "cost_usd"] as const;
const LLM_TEXTS = ["model", "stop_reason"] as const;

function decodeLlmRequest(entry: JsonObject): LlmRequest {
  const { prompt_tokens, completion_tokens, ...rest } = entry;
  const said: JsonObject = { input_tokens: prompt_tokens, output_tokens: completion_tokens, ...rest };
  for (const name of LLM_NUMBERS) if (!Number.isFinite(said[name])) delete said[name];
  for (const name of LLM_TEXTS) if (typeof said[name] !== "string") delete said[name];
  return said;
}

function listed(value: Json | undefined): Json[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value : [value];
}

function textOf(value: Json | undefined): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value : undefined;
}

function errorIn(value: Json | undefined): string | undefined {
  return isJsonObject(value) ? textOf(value["message"]) : textOf(value);
}
