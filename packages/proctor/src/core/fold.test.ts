import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ProctorError } from "./errors.ts";
import { RETURNS_RULE, type EventDraft } from "./event.ts";
import { applyEvent, MAX_VIOLATIONS_SHOWN, type RunState } from "./fold.ts";
import type { JsonObject } from "./json.ts";
import type { Run } from "./run.ts";

const T0 = Date.parse("2026-01-01T00:00:00.000Z");

const created: EventDraft = {
  type: "run.created",
  payload: {
    agent: "a",
    spec: { protocol: "atp", transport: "stdio", command: ["a"] },
    task: { description: "do" },
    constraints: {},
    context: {},
    metadata: {},
    retry: null,
    attempt: 1,
    retry_of: null,
    trace_id: "0".repeat(31) + "1",
  },
};
const begun: EventDraft[] = [
  created,
  { type: "run.queued", payload: {} },
  { type: "run.started", payload: { worker: "w" } },
];

describe("the fold from events to a run (invariant 1: the event log is the truth)", () => {
  it("dates the run by its events", () => {
    const run = fold([...begun, { type: "run.ended", payload: { status: "completed" } }]);
    expect(run).toMatchObject({
      status: "completed",
      created_at: "2026-01-01T00:00:00.000Z",
      started_at: "2026-01-01T00:00:02.000Z",
      ended_at: "2026-01-01T00:00:03.000Z",
      metrics: { wall_time_seconds: 1 },
    });
  });

  it("never ends a run before it started, however the clock was set", () => {
    let state: RunState | null = null;
    const times = [T0, T0 - 1000, T0 - 2000, T0 - 500_000];
    const events = [...begun, { type: "run.ended", payload: { status: "completed" } } as const];
    for (const [index, event] of events.entries()) state = applyEvent(state, "r", event, times[index] ?? 0);
    expect(state?.run).toMatchObject({
      created_at: "2026-01-01T00:00:00.000Z",
      started_at: "2026-01-01T00:00:00.000Z",
      ended_at: "2026-01-01T00:00:00.000Z",
      metrics: { wall_time_seconds: 0 },
    });
  });

  it("adds up tokens, cost, calls and steps from events", () => {
    const run = fold([
      ...begun,
      { type: "llm_request", payload: { input_tokens: 10, output_tokens: 5, cost_usd: 0.25 } },
      { type: "llm_request", payload: { input_tokens: 1, output_tokens: 2, cost_usd: 0.5 } },
      { type: "tool_call", payload: { tool: "x" } },
      { type: "progress", payload: { current_step: 7 } },
    ]);
    expect(run.metrics).toEqual({
      input_tokens: 11,
      output_tokens: 7,
      total_tokens: 18,
      cost_usd: 0.75,
      llm_calls: 2,
      tool_calls: 1,
      total_steps: 7,
    });
  });

  it("counts a tool call that reports start and end once", () => {
    const run = fold([
      ...begun,
      { type: "tool_call", payload: { tool: "x", call_id: "1", status: "started" } },
      { type: "tool_call", payload: { tool: "x", call_id: "1", status: "success" } },
      { type: "tool_call", payload: { tool: "x", call_id: "1", status: "success" } },
    ]);
    expect(run.metrics.tool_calls).toBe(2);
  });

  it("takes the agent's final metrics over its own sums", () => {
    const run = fold([
      ...begun,
      { type: "llm_request", payload: { input_tokens: 10, output_tokens: 5 } },
      {
        type: "run.ended",
        payload: { status: "completed", metrics: { total_tokens: 99, wall_time_seconds: 500 } },
      },
    ]);
    // The clock is the platform's: the agent's own time stays in its event.
    expect(run.metrics).toMatchObject({ total_tokens: 99, input_tokens: 10, wall_time_seconds: 2 });
  });

  it("ignores negative, infinite or textual counts", () => {
    const odd = { input_tokens: -5, output_tokens: "many", cost_usd: Number.NaN } as unknown as JsonObject;
    const run = fold([
      ...begun,
      { type: "llm_request", payload: odd },
      { type: "progress", payload: { current_step: Infinity } },
    ]);
    expect(run.metrics).toEqual({
      llm_calls: 1,
      total_steps: 1,
      input_tokens: 0,
      output_tokens: 0,
      total_tokens: 0,
    });
  });

  it("shows the first violations and no more", () => {
    const violations = Array.from({ length: MAX_VIOLATIONS_SHOWN + 10 }, (_, index): EventDraft => {
      return { type: "violation", payload: { rule: "r", message: `${index}` } };
    });
    expect(fold([...begun, ...violations]).violations).toHaveLength(MAX_VIOLATIONS_SHOWN);
  });

  it("shows that the output is not what was promised, however many violations came before", () => {
    const flood = Array.from({ length: MAX_VIOLATIONS_SHOWN + 10 }, (_, index): EventDraft => {
      return { type: "violation", payload: { rule: "r", message: `${index}` } };
    });
    const mismatch: EventDraft = { type: "violation", payload: { rule: RETURNS_RULE, message: "other" } };
    expect(fold([...begun, ...flood, mismatch]).violations.at(-1)).toEqual(mismatch.payload);
  });

  it("refuses what the state does not take", () => {
    expect(() => fold([...begun, { type: "run.started", payload: { worker: "w" } }])).toThrow(ProctorError);
    expect(() => fold([{ type: "progress", payload: {} }])).toThrow(/does not exist/);
  });

  it("gives the same run however the log is cut, and never changes an earlier state", () => {
    const draft = fc.oneof(
      fc.record({
        type: fc.constant("llm_request" as const),
        payload: fc.record({ input_tokens: fc.nat(), output_tokens: fc.nat() }),
      }),
      fc.record({ type: fc.constant("progress" as const), payload: fc.record({ current_step: fc.nat(50) }) }),
      fc.record({
        type: fc.constant("tool_call" as const),
        payload: fc.record({
          tool: fc.string(),
          call_id: fc.constantFrom("a", "b"),
          status: fc.constantFrom("started", "success"),
        }),
      }),
      fc.record({
        type: fc.constant("violation" as const),
        payload: fc.record({ rule: fc.string(), message: fc.string() }),
      }),
    );
    fc.assert(
      fc.property(fc.array(draft, { maxLength: 60 }), fc.nat(), (drafts, cut) => {
        const log: EventDraft[] = [...begun, ...drafts];
        const middle = foldState(log.slice(0, begun.length + (cut % (drafts.length + 1))), null, 0);
        const frozen = JSON.stringify(middle);
        // What a store does between batches: the state goes through JSON.
        const restored = JSON.parse(frozen) as RunState;
        const start = begun.length + (cut % (drafts.length + 1));
        expect(foldState(log.slice(start), restored, start)).toEqual(foldState(log, null, 0));
        expect(JSON.stringify(middle)).toBe(frozen);
      }),
    );
  });
});

function foldState(drafts: readonly EventDraft[], from: RunState | null, offset: number): RunState {
  let state = from;
  for (const [index, draft] of drafts.entries()) {
    state = applyEvent(state, "run-1", draft, T0 + (offset + index) * 1000);
  }
  if (state === null) throw new Error("nothing to fold");
  return state;
}

function fold(drafts: readonly EventDraft[]): Run {
  return foldState(drafts, null, 0).run;
}
