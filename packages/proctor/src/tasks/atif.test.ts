// A run as a trajectory: numbered steps, calls tied to what was observed, tokens where they were spent.
import { expect, it } from "vitest";
import type { EventDraft, RunEvent } from "../core/event.ts";
import type { Run } from "../core/run.ts";
import { atifOf } from "./atif.ts";

const TIME = "2026-01-01T00:00:00.000Z";

async function* log(drafts: readonly EventDraft[]): AsyncGenerator<RunEvent> {
  for (const [sequence, draft] of drafts.entries())
    yield { run_id: "r", sequence, timestamp: TIME, ...draft };
}

// Only what is looked at.
const run = {
  id: "r",
  agent: "term+stdio:agent",
  status: "failed",
  created_at: TIME,
  task: { description: "Write hello" },
  metrics: { input_tokens: 30, output_tokens: 3, cost_usd: 0.5 },
} as Run;

it("a run in ATIF has the question, each step with its tokens, and how it ended", async () => {
  const events: EventDraft[] = [
    { type: "llm_request", payload: { model: "m", input_tokens: 10, output_tokens: 1, cost_usd: 0.25 } },
    { type: "llm_request", payload: { model: "m", input_tokens: 20, output_tokens: 2, cost_usd: 0.25 } },
    { type: "reasoning", payload: { thought: "look first" } },
    {
      type: "tool_call",
      payload: {
        tool: "shell",
        call_id: "step-1",
        input: { command: "ls" },
        output: { output: "a\nb", exit_code: 0 },
      },
    },
    { type: "tool_call", payload: { tool: "shell", input: "odd" } },
    { type: "run.ended", payload: { status: "failed", failure: { code: "MAX_STEPS", message: "too many" } } },
  ];
  expect(await atifOf(run, log(events), "1.2.3")).toEqual({
    schema_version: "ATIF-v1.7",
    session_id: "r",
    agent: { name: "term+stdio:agent", version: "1.2.3", model_name: "m" },
    steps: [
      { step_id: 1, timestamp: TIME, source: "user", message: "Write hello" },
      {
        step_id: 2,
        timestamp: TIME,
        source: "agent",
        model_name: "m",
        message: "look first",
        tool_calls: [{ tool_call_id: "step-1", function_name: "shell", arguments: { command: "ls" } }],
        observation: { results: [{ source_call_id: "step-1", content: "a\nb" }] },
        metrics: { prompt_tokens: 30, completion_tokens: 3, cost_usd: 0.5 },
        llm_call_count: 2,
      },
      {
        step_id: 3,
        timestamp: TIME,
        source: "agent",
        message: "",
        tool_calls: [{ tool_call_id: "call-2", function_name: "shell", arguments: { input: "odd" } }],
        observation: { results: [{ source_call_id: "call-2", content: "" }] },
      },
      { step_id: 4, timestamp: TIME, source: "system", message: "MAX_STEPS: too many" },
    ],
    final_metrics: {
      total_prompt_tokens: 30,
      total_completion_tokens: 3,
      total_cost_usd: 0.5,
      total_steps: 4,
    },
    extra: { status: "failed" },
  });
});
