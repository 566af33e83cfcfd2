import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { EventDraft, RunEvent } from "./event.ts";
import { foldAllSteps, foldSteps, MAX_STEPS_CHARS, NO_STEPS, type StepsState } from "./fold-steps.ts";
import type { Json } from "./json.ts";
import { CLIENT_AGENT } from "./run.ts";
import { MAX_STEPS_HELD, type Step } from "./step.ts";

const T0 = Date.parse("2026-01-01T00:00:00.000Z");
const at = (sequence: number) => new Date(T0 + sequence * 1000).toISOString();

function created(agent: string): EventDraft {
  const nothing = { constraints: {}, context: {}, metadata: {}, retry: null, attempt: 1, retry_of: null };
  const spec = { protocol: "atp", transport: "stdio" };
  const payload = { agent, spec, task: { description: "do" }, trace_id: "0".repeat(32), ...nothing };
  return { type: "run.created", payload };
}

const byAgent: EventDraft[] = [
  created("a"),
  { type: "run.queued", payload: {} },
  { type: "run.started", payload: { worker: "w" } },
];
const byClient: EventDraft[] = [
  created(CLIENT_AGENT),
  { type: "run.started", payload: { worker: "client" } },
];

function logOf(drafts: readonly EventDraft[]): RunEvent[] {
  return drafts.map((draft, sequence) => ({ run_id: "run-1", sequence, timestamp: at(sequence), ...draft }));
}

function fold(drafts: readonly EventDraft[]): StepsState {
  return foldAllSteps(NO_STEPS, logOf(drafts));
}

const steps = (...drafts: EventDraft[]): readonly Step[] => fold([...byAgent, ...drafts]).steps;
const ended: EventDraft = { type: "run.ended", payload: { status: "completed" } };

describe("the fold of an agent's events into steps", () => {
  it("makes a step of each report that is work", () => {
    const found = steps(
      { type: "tool_call", payload: { tool: "grep", input: { q: 1 }, output: "x", duration_ms: 5 } },
      { type: "llm_request", payload: { model: "m-1", input_tokens: 3, output_tokens: 4, cost_usd: 0.5 } },
      { type: "reasoning", payload: { thought: "I should\n  look", plan: ["a"] } },
      { type: "progress", payload: { message: "half way", percentage: 50 } },
      { type: "progress", payload: { percentage: 60 } },
      { type: "state_change", payload: { to_state: "busy" } },
      { type: "log", payload: { stream: "stderr", text: "noise" } },
    );
    expect(found).toMatchObject([
      {
        id: "run-1-3",
        index: 0,
        owner: "executor",
        name: "grep",
        status: "completed",
        input: { q: 1 },
        output: "x",
        additional_output: { duration_ms: 5 },
        created_at: at(3),
        started_at: at(3),
        completed_at: at(3),
        is_last: false,
      },
      {
        name: "Model call: m-1",
        output: "3 tokens in, 4 out",
        additional_output: {
          model: "m-1",
          output_tokens: 4,
          task_total_tokens: 7,
          task_cumulative_cost: 0.5,
        },
      },
      { name: "I should look", output: "I should\n  look", additional_output: { plan: ["a"] } },
      { name: "half way", status: "completed", output: "half way", additional_output: { percentage: 50 } },
    ]);
  });

  it("pairs the start and the end of a tool call", () => {
    const start: EventDraft = {
      type: "tool_call",
      payload: { tool: "t", call_id: "1", status: "started", input: 1 },
    };
    const end: EventDraft = { type: "tool_call", payload: { call_id: "1", status: "success", output: 2 } };
    expect(steps(start)).toMatchObject([{ status: "running", started_at: at(3), completed_at: null }]);
    const done = {
      name: "t",
      status: "completed",
      input: 1,
      output: 2,
      started_at: at(3),
      completed_at: at(4),
    };
    expect(steps(start, end)).toMatchObject([done]);
    expect(steps(start, end, end)).toHaveLength(2);
  });

  it.each<[string, Record<string, string | null>, string]>([
    ["an error", { error: "no such file" }, "failed"],
    ["a bad status", { status: "FAILED" }, "failed"],
    ["no error", { error: null, status: "success" }, "completed"],
    ["nothing", {}, "completed"],
  ])("reads %s as the outcome of a call", (_, payload, status) => {
    expect(steps({ type: "tool_call", payload })).toMatchObject([{ name: "Tool call", status }]);
  });

  it("ends with the result, which has the artifacts and the cost", () => {
    const found = steps(
      { type: "llm_request", payload: { input_tokens: 10, output_tokens: 5, cost_usd: 0.25 } },
      { type: "tool_call", payload: { call_id: "open", status: "started" } },
      { type: "artifact.added", payload: { artifact: { id: "a1", type: "file", path: "out.txt" } } },
      {
        type: "artifact.added",
        payload: {
          artifact: { id: "a2", type: "file", path: "in.txt", agent_created: false },
          by: "client",
        },
      },
      { ...ended, payload: { status: "failed", failure: { code: "X", message: "y" } } },
    );
    expect(found.map(({ name, status }) => [name, status])).toEqual([
      ["Model call", "completed"],
      ["Tool call", "failed"],
      ["Result", "failed"],
    ]);
    expect(found.at(-1)).toMatchObject({
      is_last: true,
      output: "y",
      additional_output: {
        status: "failed",
        artifacts: ["out.txt"],
        failure: { code: "X" },
        task_total_tokens: 15,
        task_total_cost: 0.25,
        task_cumulative_cost: 0.25,
      },
      artifact_ids: ["a1"],
    });
  });

  it.each<[string, Json | undefined, Json]>([
    ["a text", "Washington", "Washington"],
    ["the output of data", { output: "Washington", why: "x" }, "Washington"],
    ["the only text of data", { answer: "Washington" }, "Washington"],
    ["an output that is no text", { output: [1, 2] }, [1, 2]],
    ["data of several fields", { a: 1, b: "x" }, { a: 1, b: "x" }],
    ["nothing", undefined, null],
  ])("answers with %s", (_, data, output) => {
    const artifact = {
      id: "a1",
      type: "structured" as const,
      name: "result",
      ...(data !== undefined && { data }),
    };
    expect(steps({ type: "artifact.added", payload: { artifact } }, ended).at(-1)).toMatchObject({
      name: "Result",
      output,
    });
  });

  it("holds a limited number of steps, counts the rest, and always holds the result", () => {
    const many = Array.from({ length: MAX_STEPS_HELD + 50 }, (): EventDraft => ({
      type: "tool_call",
      payload: {},
    }));
    const { steps: held, beyond } = fold([...byAgent, ...many, ended]);
    expect(held).toHaveLength(MAX_STEPS_HELD);
    expect(beyond).toBe(51);
    expect(held.at(-1)).toMatchObject({ name: "Result", index: MAX_STEPS_HELD + 50 });
  });

  it("leaves out output that would make the steps too large", () => {
    const output = "x".repeat(MAX_STEPS_CHARS / 4);
    const { steps: held, weight } = fold([
      ...byAgent,
      ...Array.from({ length: 8 }, (): EventDraft => ({ type: "tool_call", payload: { tool: "t", output } })),
    ]);
    expect(weight).toBeLessThan(MAX_STEPS_CHARS + 10_000);
    expect(held.at(-1)).toMatchObject({
      name: "t",
      output: null,
      additional_output: { omitted_chars: expect.any(Number) as number },
    });
  });
});

describe("the fold of a client's events into steps", () => {
  const added: EventDraft = {
    type: "step.added",
    payload: { step_id: "s1", name: "one", input: { a: 1 }, additional_input: {} },
  };
  const to = (payload: object): EventDraft => ({
    type: "step.changed",
    payload: { step_id: "s1", ...payload },
  });

  it("dates a step by its events", () => {
    const told = fold([
      ...byClient,
      added,
      to({ status: "running" }),
      to({ output: { n: 1 } }),
      to({ status: "failed" }),
    ]);
    expect(told.steps).toEqual([
      {
        id: "s1",
        index: 0,
        owner: "client",
        name: "one",
        status: "failed",
        input: { a: 1 },
        output: { n: 1 },
        additional_input: {},
        additional_output: {},
        is_last: false,
        created_at: at(2),
        started_at: at(3),
        completed_at: at(5),
        artifact_ids: [],
      },
    ]);
    const quick = fold([...byClient, added, to({ status: "completed" }), ended]);
    expect(quick.steps).toMatchObject([{ started_at: at(3), completed_at: at(3) }]);
    expect(quick.steps).toHaveLength(1);
  });

  it("lists the artifacts of a step until they are removed", () => {
    const artifact = { id: "a1", type: "file" as const, path: "x" };
    const given: EventDraft = { type: "artifact.added", payload: { artifact, step_id: "s1", by: "client" } };
    const taken: EventDraft = { type: "artifact.removed", payload: { artifact_id: "a1" } };
    expect(fold([...byClient, added, given]).steps).toMatchObject([{ artifact_ids: ["a1"] }]);
    expect(fold([...byClient, added, ended, given, taken]).steps).toMatchObject([{ artifact_ids: [] }]);
  });

  it("makes a new object of a step that changed, and leaves the others", () => {
    const log = logOf([
      ...byClient,
      added,
      to({ status: "running" }),
      to({ status: "running" }),
      { type: "run.paused", payload: {} },
    ]);
    const states = log.map((_, index) => foldAllSteps(NO_STEPS, log.slice(0, index + 1)));
    const [, , , running, again, paused] = states;
    const next = foldSteps(running ?? NO_STEPS, log[4] ?? log[0]!);
    expect(next.steps[0]).not.toBe(running?.steps[0]);
    expect(next).toEqual(again);
    expect(foldSteps(next, log[5] ?? log[0]!).steps).toBe(next.steps);
    expect(paused?.run?.run.status).toBe("paused");
  });
});

it("the fold into steps gives the same however the log is cut, and never changes an earlier state", () => {
  const draft = fc.oneof(
    fc.constantFrom<EventDraft>(
      { type: "progress", payload: { message: "m" } },
      { type: "reasoning", payload: {} },
      { type: "log", payload: { stream: "stdout", text: "x" } },
      { type: "run.cancel_requested", payload: { reason: "x" } },
    ),
    fc.record({
      type: fc.constant("tool_call" as const),
      payload: fc.record({
        call_id: fc.constantFrom("a", "b"),
        status: fc.constantFrom("started", "ok", "error"),
      }),
    }),
    fc.nat(1e6).map((id): EventDraft => ({
      type: "artifact.added",
      payload: { artifact: { id: `a${id}`, type: "file", path: "x" } },
    })),
  );
  fc.assert(
    fc.property(fc.array(draft, { maxLength: 40 }), fc.nat(), fc.boolean(), (drafts, cut, ends) => {
      const log = logOf([...byAgent, ...drafts, ...(ends ? [ended] : [])]);
      const place = cut % (log.length + 1);
      const middle = foldAllSteps(NO_STEPS, log.slice(0, place));
      const frozen = JSON.stringify([middle, [...middle.openCalls]]);
      const one = log.slice(place).reduce(foldSteps, middle);
      const all = foldAllSteps(NO_STEPS, log);
      expect({ ...one, weight: 0 }).toEqual({ ...all, weight: 0 });
      expect(one.steps.map(({ index }) => index)).toEqual(one.steps.map((_, index) => index));
      if (ends) expect(one.steps.some(({ status }) => status === "running")).toBe(false);
      expect(JSON.stringify([middle, [...middle.openCalls]])).toBe(frozen);
    }),
  );
});
