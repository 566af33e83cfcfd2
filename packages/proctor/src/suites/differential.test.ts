import { describe, expect, it } from "vitest";
import type { RunEvent } from "../core/event.ts";
import type { JsonObject } from "../core/json.ts";
import type { Run } from "../core/run.ts";
import { createDifferential } from "./differential.ts";
import type { Plan, PlannedCase } from "./plan.ts";
import { caseStatistics } from "./case-statistics.ts";
import type { AttemptResult, CaseResult } from "./result.ts";
import { differences, substanceOf } from "./substance.ts";

const test = { id: "t" };
const planned = (label: string): PlannedCase => ({ test, agent: { label } }) as unknown as PlannedCase;
const cases = [planned("stdio"), planned("http"), planned("ws")];
const plan = { cases, differential: true } as unknown as Plan;

function ended(index: number, substance: JsonObject): CaseResult {
  const base = { number: 1, source: "run", outcome: "pass", checks: [], metrics: {}, durationMs: 1 } as const;
  const attempts: AttemptResult[] = [{ ...base, checks: [], substance }];
  const statistics = caseStatistics(attempts);
  return { case: cases[index]!, outcome: "pass", attempts, checks: [], statistics, durationMs: 1 };
}

describe("cases of one agent over several transports", () => {
  it("wait for each other and pass when they agree, whichever ends first", () => {
    const differential = createDifferential(plan);
    expect(differential.settle(ended(2, { status: "completed" }))).toEqual([]);
    expect(differential.settle(ended(0, { status: "completed" }))).toEqual([]);
    const settled = differential.settle(ended(1, { status: "completed" }));
    expect(settled.map((result) => [result.case.agent.label, result.outcome])).toEqual([
      ["stdio", "pass"],
      ["http", "pass"],
      ["ws", "pass"],
    ]);
  });

  it("fail where they differ from the first, and say in what", () => {
    const differential = createDifferential(plan);
    differential.settle(ended(0, { artifacts: [{ data: { output: "a" } }] }));
    differential.settle(ended(1, { artifacts: [{ data: { output: "b" } }] }));
    const settled = differential.settle(ended(2, { artifacts: [{ data: { output: "a" } }] }));
    expect(settled.map(({ outcome }) => outcome)).toEqual(["pass", "fail", "pass"]);
    expect(settled[1]?.attempts[0]?.reason).toBe('differs from stdio: artifacts.0.data.output: "a" ≠ "b"');
  });

  it("say each difference on a line of its own, below what was wrong already", () => {
    const differential = createDifferential(plan);
    const [one, other] = [ended(0, { status: "completed", n: 1 }), ended(1, { status: "failed", n: 2 })];
    const attempts = other.attempts.map((attempt) => ({ ...attempt, reason: "the run ended as failed" }));
    differential.settle(one);
    differential.settle({ ...other, attempts });
    const settled = differential.settle(ended(2, { status: "completed", n: 1 }));
    expect(settled[1]?.attempts[0]?.reason).toBe(
      'the run ended as failed\ndiffers from stdio:\n  status: "completed" ≠ "failed"\n  n: 1 ≠ 2',
    );
  });

  it("are passed on as they are without --transports", () => {
    const result = ended(0, {});
    expect(createDifferential({ ...plan, differential: false }).settle(result)).toEqual([result]);
  });
});

describe("the substance of a run", () => {
  const run = (extra: object): Run =>
    ({ status: "completed", failure: null, artifacts: [], metrics: {}, ...extra }) as unknown as Run;
  const log = async function* (...events: object[]): AsyncGenerator<RunEvent> {
    for (const event of events) yield event as RunEvent;
  };

  it("leaves out clocks and ids", async () => {
    const call = (duration_ms: number, call_id: string) => ({
      type: "tool_call",
      payload: { tool: "search", input: { q: 1 }, duration_ms, call_id },
    });
    const one = await substanceOf(
      run({
        metrics: { total_steps: 1, wall_time_seconds: 3 },
        artifacts: [{ id: "1", type: "structured", name: "r", data: { x: 1 } }],
      }),
      log({ type: "run.started", payload: {} }, call(5, "a"), { type: "log", payload: {} }),
    );
    const other = await substanceOf(
      run({
        metrics: { total_steps: 1, wall_time_seconds: 9 },
        artifacts: [{ id: "2", type: "structured", name: "r", data: { x: 1 } }],
      }),
      log(call(90, "b")),
    );
    expect(differences(one, other)).toEqual([]);
  });

  it.each<[string, object, object]>([
    ["status", { status: "completed" }, { status: "failed" }],
    [
      "content",
      { artifacts: [{ type: "file", path: "a", content_hash: "1" }] },
      { artifacts: [{ type: "file", path: "a", content_hash: "2" }] },
    ],
    ["tokens", { metrics: { total_tokens: 1 } }, { metrics: { total_tokens: 2 } }],
  ])("differs by %s", async (_name, left, right) => {
    expect(
      differences(await substanceOf(run(left), log()), await substanceOf(run(right), log())),
    ).toHaveLength(1);
  });

  it("names the entry that is missing or too many, not only the number", () => {
    expect(differences({ events: ["a"] }, { events: ["a", "b"] })).toEqual(['events.1: nothing ≠ "b"']);
    expect(differences({ metrics: { steps: 1 } }, { metrics: {} })).toEqual(["metrics.steps: 1 ≠ nothing"]);
    expect(differences({ failure: null }, { failure: null })).toEqual([]);
  });

  it("differs by what the agent said", async () => {
    const one = await substanceOf(run({}), log({ type: "progress", payload: { message: "a" } }));
    const other = await substanceOf(run({}), log());
    expect(differences(one, other)).toHaveLength(1);
  });
});
