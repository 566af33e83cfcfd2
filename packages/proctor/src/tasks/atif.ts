// A terminal run as a trajectory in ATIF 1.7, the format that Harbor and its viewers read: what was asked, then one step for each
// thing the agent did, with what it saw. One to one with the run's steps.
import type { AgentEventPayloads, RunEvent } from "../core/event.ts";
import { isJsonObject, type Json, type JsonObject } from "../core/json.ts";
import type { Run } from "../core/run.ts";

interface Spent {
  prompt_tokens: number;
  completion_tokens: number;
  cost_usd: number;
  calls: number;
  model: string | undefined;
}

const NOTHING: Spent = { prompt_tokens: 0, completion_tokens: 0, cost_usd: 0, calls: 0, model: undefined };

export async function atifOf(
  run: Run,
  events: AsyncIterable<RunEvent>,
  version: string,
): Promise<JsonObject> {
  const steps: JsonObject[] = [];
  let thought: string[] = [];
  let spent = NOTHING;
  const add = (timestamp: string, step: JsonObject): void => {
    steps.push({ step_id: steps.length + 1, timestamp, ...step });
  };
  const addAgent = (timestamp: string, step: JsonObject): void => {
    add(timestamp, {
      source: "agent",
      ...(spent.model !== undefined && { model_name: spent.model }),
      message: thought.join("\n\n"),
      ...step,
      ...(spent.calls > 0 && { metrics: metricsOf(spent), llm_call_count: spent.calls }),
    });
    thought = [];
    spent = NOTHING;
  };
  add(run.created_at, { source: "user", message: run.task.description });
  for await (const event of events) {
    switch (event.type) {
      case "reasoning":
        thought.push(textOf(event.payload.thought ?? event.payload.plan ?? ""));
        break;
      case "llm_request":
        spent = plus(spent, event.payload);
        break;
      case "tool_call":
        addAgent(event.timestamp, toolStep(event.payload, `call-${steps.length}`));
        break;
      case "run.ended":
        if (thought.length > 0 || spent.calls > 0) addAgent(event.timestamp, {});
        if (event.payload.failure) {
          const { code, message } = event.payload.failure;
          add(event.timestamp, { source: "system", message: `${code}: ${message}` });
        }
        break;
      default:
    }
  }
  const { total_tokens: _, ...metrics } = run.metrics;
  return {
    schema_version: "ATIF-v1.7",
    session_id: run.id,
    agent: { name: run.agent, version, ...modelOf(steps) },
    steps,
    final_metrics: {
      ...(metrics.input_tokens !== undefined && { total_prompt_tokens: metrics.input_tokens }),
      ...(metrics.output_tokens !== undefined && { total_completion_tokens: metrics.output_tokens }),
      ...(metrics.cost_usd !== undefined && { total_cost_usd: metrics.cost_usd }),
      total_steps: steps.length,
    },
    extra: { status: run.status },
  };
}

function toolStep(call: AgentEventPayloads["tool_call"], otherwise: string): JsonObject {
  const id = typeof call.call_id === "string" ? call.call_id : otherwise;
  const input = isJsonObject(call.input) ? call.input : { input: call.input ?? null };
  return {
    tool_calls: [{ tool_call_id: id, function_name: call.tool ?? "tool", arguments: input }],
    observation: { results: [{ source_call_id: id, content: textOf(call.output ?? "") }] },
  };
}

function plus(before: Spent, call: AgentEventPayloads["llm_request"]): Spent {
  return {
    prompt_tokens: before.prompt_tokens + number(call.input_tokens),
    completion_tokens: before.completion_tokens + number(call.output_tokens),
    cost_usd: before.cost_usd + number(call.cost_usd),
    calls: before.calls + 1,
    model: typeof call.model === "string" ? call.model : before.model,
  };
}

function metricsOf({ prompt_tokens, completion_tokens, cost_usd }: Spent): JsonObject {
  return { prompt_tokens, completion_tokens, cost_usd };
}

function modelOf(steps: readonly JsonObject[]): JsonObject {
  const model = steps.find(({ model_name: name }) => name !== undefined)?.["model_name"];
  return model === undefined ? {} : { model_name: model };
}

/** Returns the output of a command as it is, and everything else as JSON. */
function textOf(value: Json): string {
  if (typeof value === "string") return value;
  if (isJsonObject(value) && typeof value["output"] === "string") return value["output"];
  return JSON.stringify(value);
}

function number(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) ? value : 0;
}
