import { describe, expect, it } from "vitest";
import type { Event, Run } from "../../api/gen/schema.ts";
import { pairCalls } from "./pair-calls.ts";
import { flameOf, spansOf } from "./spans.ts";

const at = (ms: number): string => new Date(1_000_000 + ms).toISOString();
const run = {
  id: "r",
  task: { description: "t" },
  created_at: at(0),
  started_at: at(0),
  ended_at: at(1000),
  metrics: { cost_usd: 0.5 },
  status: "completed",
} as Run;
let sequence = 0;
const event = (ms: number, type: string, payload: Record<string, unknown>): Event => ({
  run_id: "r",
  sequence: sequence++,
  timestamp: at(ms),
  type,
  payload,
});

describe("The timeline of a run", () => {
  const events = [
    event(300, "llm_request", { model: "m", duration_ms: 200, cost_usd: 0.3 }),
    event(400, "step.added", { step_id: "s", name: "step" }),
    event(600, "tool_call", { tool: "t", duration_ms: 100, error: "no" }),
    event(700, "step.changed", { step_id: "s", status: "completed" }),
    event(800, "question.asked", { question: { id: "q", kind: "input" } }),
  ];
  const spans = spansOf(run, events, [], 0);

  it("has a span for everything that took time, inside what it was a part of", () => {
    expect(
      spans.map(({ name, depth, startMs, endMs }) => [name, depth, startMs - 1_000_000, endMs - 1_000_000]),
    ).toEqual([
      ["t", 0, 0, 1000],
      ["m", 1, 100, 300],
      ["step", 1, 400, 700],
      ["t", 2, 500, 600],
      ["input", 1, 800, 1000],
    ]);
    expect(spans.find(({ kind }) => kind === "tool")?.failed).toBe(true);
  });

  it("adds up to no more than the whole, by time and by cost", () => {
    const time = flameOf(spans, "time");
    expect(time.value).toBe(1000);
    expect(time.children.map(({ name, value }) => [name, value])).toEqual([
      ["step", 300],
      ["model", 200],
      ["wait", 200],
    ]);
    expect(flameOf(spans, "cost")).toMatchObject({
      value: 0.5,
      children: [{ name: "model", value: 0.3 }, { value: 0 }, { value: 0 }, { value: 0 }],
    });
  });
});

describe("Tool calls", () => {
  const reported = (tool: string, input: unknown, more = {}) =>
    event(1, "tool_call", { tool, input, ...more });
  const observed = (tool: string, input: unknown, more = {}) =>
    event(2, "tool.called", { tool, input, status: "success", mode: "mock", ...more });

  it("agree when the agent reports what was seen", () => {
    expect(pairCalls([observed("a", 1), reported("a", 1)])).toMatchObject([{ name: "a", agrees: true }]);
  });

  it("that were only reported, only seen, or told otherwise do not agree", () => {
    const pairs = pairCalls([reported("a", 1), observed("b", 1), reported("c", 1), observed("c", 2)]);
    expect(
      pairs.map(({ name, agrees, reported: said, observed: seen }) => [name, agrees, !!said, !!seen]),
    ).toEqual([
      ["a", false, true, false],
      ["b", false, false, true],
      ["c", false, true, true],
    ]);
  });

  it("that were reported at their start and at their end are one call", () => {
    const both = [reported("a", 1, { call_id: "x" }), reported("a", 1, { call_id: "x", output: 2 })];
    expect(pairCalls([...both, observed("a", 1, { call_id: "x" })])).toHaveLength(1);
  });
});
