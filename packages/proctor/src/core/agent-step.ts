// Which step an event of an agent amounts to. Agents may leave out any field or send another type than promised, so every value is
// looked at before it is used.
import type { RunEvent } from "./event.ts";
import type { Json, JsonObject } from "./json.ts";
import type { Metrics } from "./metrics.ts";
import { artifactName } from "./artifact.ts";
import type { Run } from "./run.ts";
import type { StepStatus } from "./step.ts";

export interface StepContent {
  name: string;
  status: StepStatus;
  input: Json;
  output: Json;
  additional_output: JsonObject;
}

const MAX_NAME_CHARS = 120;
/** Of a tool call that has begun and not ended. */
const BEGUN = new Set(["started", "running", "pending"]);
const FAILED = new Set(["error", "failed", "failure", "timeout", "cancelled", "rejected"]);

/** Undefined for what is no step. `metrics` are the run's, the event included. */
export function agentStep(event: RunEvent, metrics: Metrics): StepContent | undefined {
  switch (event.type) {
    case "tool_call": {
      const { tool, input, output, ...rest } = event.payload;
      return {
        name: nameOf(tool, "Tool call"),
        status: toolStatus(rest.status, rest.error),
        input: input ?? null,
        output: output ?? null,
        additional_output: rest,
      };
    }
    case "llm_request": {
      const { model, temperature, stop_reason, output_tokens, ...rest } = event.payload;
      return {
        name: nameOf(model, "Model request"),
        status: isSaid(rest["error"]) ? "failed" : "completed",
        input: { model: model ?? null, ...(temperature !== undefined && { temperature }) },
        output: { stop_reason: stop_reason ?? null, output_tokens: output_tokens ?? null },
        additional_output: { ...rest, ...totals(metrics) },
      };
    }
    case "reasoning": {
      const { thought, plan, step, ...rest } = event.payload;
      return {
        name: nameOf(thought ?? step, "Reasoning"),
        status: "completed",
        input: step ?? null,
        output: { thought: thought ?? null, ...(plan !== undefined && { plan }) },
        additional_output: rest,
      };
    }
    case "progress": {
      const { message, ...rest } = event.payload;
      if (!isSaid(message)) return undefined;
      return {
        name: nameOf(message, "Progress"),
        status: "completed",
        input: null,
        output: { message: message ?? null },
        additional_output: rest,
      };
    }
    default:
      return undefined;
  }
}

/** The last step of a run that an agent performed: what came of it. */
export function resultStep({ status, task, artifacts, failure, metrics }: Run): StepContent {
  return {
    name: "Result",
    status: status === "completed" || status === "partial" ? "completed" : "failed",
    input: { task: task.description },
    output: { status, artifacts: artifacts.map(artifactName), ...(failure && { failure }) },
    additional_output: totals(metrics),
  };
}

/** With the two names under which benchmarks look for the cost. */
function totals(metrics: Metrics): JsonObject {
  const { cost_usd: cost } = metrics;
  return { ...metrics, ...(cost !== undefined && { task_total_cost: cost, task_cumulative_cost: cost }) };
}

function toolStatus(status: unknown, error: unknown): StepStatus {
  if (isSaid(error)) return "failed";
  const word = typeof status === "string" ? status.toLowerCase() : "";
  if (BEGUN.has(word)) return "running";
  return FAILED.has(word) ? "failed" : "completed";
}

function isSaid(value: unknown): boolean {
  return value !== undefined && value !== null && value !== "" && value !== false;
}

function nameOf(value: unknown, otherwise: string): string {
  if (typeof value !== "string") return otherwise;
  const line = value
    .slice(0, MAX_NAME_CHARS * 4)
    .replaceAll(/\s+/g, " ")
    .trim();
  if (line === "") return otherwise;
  const characters = Array.from(line);
  return characters.length <= MAX_NAME_CHARS ? line : `${characters.slice(0, MAX_NAME_CHARS - 1).join("")}…`;
}
