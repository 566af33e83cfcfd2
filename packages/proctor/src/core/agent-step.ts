// Which step an event of an agent amounts to. Agents may leave out any field or send another type than promised, so every value is
// looked at before it is used.
import { answerOf } from "./answer.ts";
import type { AgentEventPayloads, RunEvent } from "./event.ts";
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
/** Statuses of a tool call that has begun and not ended. */
const BEGUN = new Set(["started", "running", "pending"]);
const FAILED = new Set(["error", "failed", "failure", "timeout", "cancelled", "rejected"]);

/** Returns undefined for an event that is not a step. `metrics` are the run's, the event included. */
export function agentStep(event: RunEvent, metrics: Metrics): StepContent | undefined {
  const content = contentOf(event);
  if (content === undefined) return undefined;
  const { additional_output: own } = content;
  return { ...content, additional_output: { event_type: event.type, ...own, ...totals(metrics) } };
}

/** What people read is a text in `output`; all else the event says is in `additional_output`, under its own name. */
function contentOf(event: RunEvent): StepContent | undefined {
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
      const { payload } = event;
      return {
        name: typeof payload.model === "string" ? nameOf(`Model call: ${payload.model}`, "") : "Model call",
        status: isSaid(payload["error"]) ? "failed" : "completed",
        input: null,
        output: modelCallText(payload),
        additional_output: payload,
      };
    }
    case "reasoning": {
      const { thought, step, ...rest } = event.payload;
      return {
        name: nameOf(thought ?? step, "Reasoning"),
        status: "completed",
        input: step ?? null,
        output: thought ?? null,
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
        output: message ?? null,
        additional_output: rest,
      };
    }
    default:
      return undefined;
  }
}

/** Returns the last step of a run that an agent performed: its answer, and how the run ended. */
export function resultStep(run: Run): StepContent {
  const { status, task, artifacts, failure, metrics } = run;
  const produced = artifacts.filter(({ agent_created: byAgent }) => byAgent !== false);
  return {
    name: "Result",
    status: status === "completed" || status === "partial" ? "completed" : "failed",
    input: { task: task.description },
    output: answerOf(run) ?? failure?.message ?? null,
    additional_output: {
      status,
      artifacts: produced.map(artifactName),
      ...(failure && { failure }),
      ...totals(metrics),
      task_metrics: metrics,
    },
  };
}

/**
 * What the task has used so far, under names that no single step uses. Benchmarks look for the cost under two of them, in the
 * newest step that says anything, so every step has them.
 */
function totals({ cost_usd: cost, total_tokens: tokens }: Metrics): JsonObject {
  return {
    ...(cost !== undefined && { task_total_cost: cost, task_cumulative_cost: cost }),
    ...(tokens !== undefined && { task_total_tokens: tokens }),
  };
}

/** Returns "10 tokens in, 5 out, end_turn", or null where the agent reports none of these. */
function modelCallText({
  input_tokens,
  output_tokens,
  stop_reason,
}: AgentEventPayloads["llm_request"]): string | null {
  const parts = [
    ...(typeof input_tokens === "number" ? [`${input_tokens} tokens in`] : []),
    ...(typeof output_tokens === "number" ? [`${output_tokens} out`] : []),
    ...(typeof stop_reason === "string" && stop_reason !== "" ? [stop_reason] : []),
  ];
  return parts.length === 0 ? null : parts.join(", ");
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
