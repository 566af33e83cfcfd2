// Adds up the metrics of a task from its events.
import type { JsonObject } from "../protocol/json.ts";
import type { EventType, Metrics } from "../protocol/messages.ts";

export interface Meter {
  count(type: EventType, payload: JsonObject): void;
  read(): Metrics;
}

/** Status of a call that has begun but not ended. Its end is another event with the same `call_id`. */
const BEGUN = new Set(["started", "running", "pending"]);

export function createMeter(now: () => number = () => performance.now()): Meter {
  const startedAt = now();
  const open = new Set<string>();
  let toolCalls = 0;
  let llmCalls = 0;
  let inputTokens = 0;
  let outputTokens = 0;
  let costUsd = 0;
  let currentStep = 0;

  function countToolCall({ call_id: id, status }: JsonObject): void {
    const begun = typeof status === "string" && BEGUN.has(status);
    if (typeof id === "string" && open.has(id)) {
      if (!begun) open.delete(id);
      return;
    }
    toolCalls++;
    if (typeof id === "string" && begun) open.add(id);
  }

  return {
    count(type, payload) {
      if (type === "tool_call") countToolCall(payload);
      if (type === "progress")
        currentStep = Math.max(currentStep, Math.trunc(amount(payload["current_step"])));
      if (type !== "llm_request") return;
      llmCalls++;
      inputTokens += Math.trunc(amount(payload["input_tokens"]));
      outputTokens += Math.trunc(amount(payload["output_tokens"]));
      costUsd += amount(payload["cost_usd"]);
    },
    read: () => ({
      total_tokens: inputTokens + outputTokens,
      input_tokens: inputTokens,
      output_tokens: outputTokens,
      // An agent that reports no steps counts as having made one.
      total_steps: Math.max(1, currentStep, toolCalls, llmCalls),
      tool_calls: toolCalls,
      llm_calls: llmCalls,
      wall_time_seconds: Math.round(now() - startedAt) / 1000,
      ...(costUsd > 0 && { cost_usd: costUsd }),
    }),
  };
}

/** Reads a count that an agent reported. Anything but a finite number above zero counts as 0. */
function amount(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) && value > 0 ? value : 0;
}
