import { describe, expect, test } from "vitest";
import type { EventDraft } from "../../core/event.ts";
import type { JsonObject } from "../../core/json.ts";
import type { Run } from "../../core/run.ts";
import { check } from "../../../test/support/suites/check-subject.ts";

describe("limits", () => {
  test.each<[string, object, JsonObject, string]>([
    ["max_latency", { seconds: 1 }, { wall_time_seconds: 1 }, "pass"],
    ["max_latency", { seconds: 1 }, { wall_time_seconds: 1.001 }, "fail"],
    ["max_latency", { seconds: 1 }, {}, "unevaluated"],
    ["max_steps", { limit: 3 }, { total_steps: 3 }, "pass"],
    ["max_steps", { limit: 3 }, { total_steps: 4 }, "fail"],
    ["max_steps", { limit: 3 }, { total_tokens: 1 }, "unevaluated"],
    ["max_tokens", { limit: 10 }, { total_tokens: 10, input_tokens: 99 }, "fail"],
    ["max_tokens", { limit: 10 }, { total_tokens: 11 }, "fail"],
    ["max_tokens", { limit: 10 }, { input_tokens: 6, output_tokens: 5 }, "fail"],
    ["max_tokens", { limit: 10 }, { output_tokens: 5 }, "pass"],
    ["max_tokens", { limit: 10 }, {}, "unevaluated"],
    ["max_cost", { limit: 0.5 }, { cost_usd: 0.5 }, "pass"],
    ["max_cost", { limit: 0.5 }, { cost_usd: 0.51 }, "fail"],
    ["max_cost", { limit: 0 }, { cost_usd: 0 }, "pass"],
    ["max_cost", { limit: 0.5 }, {}, "unevaluated"],
  ])("%s %j of %j → %s", async (type, config, metrics, outcome) => {
    expect((await check(type, config, { run: { metrics } })).outcome).toBe(outcome);
  });

  test("say which metric is missing", async () => {
    expect((await check("max_cost", { limit: 1 }, {})).message).toBe('the run has no metric "cost_usd"');
  });

  test.each([
    ["max_latency", { seconds: 0 }],
    ["max_steps", { limit: -1 }],
    ["max_cost", {}],
    ["max_tokens", { limit: "10" }],
  ])("%s refuses %j", (type, config) => {
    expect(() => check(type, config, {})).toThrow();
  });
});

describe("no_violations", () => {
  const violation = (rule: string, more: JsonObject = {}): EventDraft => ({
    type: "violation",
    payload: { rule, message: "it is wrong", ...more },
  });

  test.each<[string[], string[], string]>([
    [[], [], "pass"],
    [["atp.json"], [], "fail"],
    [["atp.request"], [], "pass"],
    [["atp.sequence.gap"], ["atp.sequence.gap"], "pass"],
    [["atp.sequence.gap", "atp.sequence.repeated"], ["atp.sequence.*"], "pass"],
    [["atp.sequence.gap", "atp.json"], ["atp.sequence.*"], "fail"],
    [["atp.sequence.gap"], ["atp.sequence"], "fail"],
    [["atp.sequencer"], ["atp.sequence.*"], "fail"],
  ])("%j except %j → %s", async (rules, except, outcome) => {
    const events = rules.map((rule) => violation(rule));
    expect((await check("no_violations", { except }, { events })).outcome).toBe(outcome);
  });

  test("says the first, where it is, and how many there are", async () => {
    const events = [
      violation("atp.event", { where: "payload.tool" }),
      violation("atp.event", { repeated: 3 }),
    ];
    expect(await check("no_violations", {}, { events })).toEqual({
      outcome: "fail",
      message: 'atp.event at "payload.tool", "it is wrong", in event 0 (and 3 more)',
      details: { violations: 4, first_sequence: 0 },
    });
  });

  test("is unevaluated when the log cannot be read", async () => {
    const events = {
      get entries(): never {
        throw new Error("the hub is gone");
      },
    } as unknown as EventDraft[];
    expect(await check("no_violations", {}, { events })).toEqual({
      outcome: "unevaluated",
      message: "could not be evaluated: the hub is gone",
    });
  });
});

describe("events", () => {
  const events: EventDraft[] = [
    { type: "progress", payload: {} },
    { type: "progress", payload: {} },
    { type: "unknown", payload: { event_type: "heartbeat", payload: null } },
  ];

  test.each<[object, string]>([
    [{ kind: "progress" }, "pass"],
    [{ kind: "reasoning" }, "fail"],
    [{ kind: "progress", at_least: 2 }, "pass"],
    [{ kind: "progress", at_least: 3 }, "fail"],
    [{ kind: "progress", at_most: 2 }, "pass"],
    [{ kind: "progress", at_most: 1 }, "fail"],
    [{ kind: "error", at_most: 0 }, "pass"],
    [{ kind: "progress", at_least: 2, at_most: 2 }, "pass"],
    [{ kind: "unknown" }, "pass"],
    [{ kind: "unknown:heartbeat" }, "pass"],
    [{ kind: "unknown:other" }, "fail"],
  ])("%j → %s", async (config, outcome) => {
    expect((await check("events", config, { events })).outcome).toBe(outcome);
  });

  test.each([
    [{ kind: "tool_cal" }, /unknown event/],
    [{ kind: "heartbeat" }, /unknown event/],
    [{ kind: "error", at_least: 2, at_most: 1 }, /at_least/],
  ])("refuses %j", (config, message) => {
    expect(() => check("events", config, { events })).toThrow(message);
  });
});

describe("status", () => {
  const partial: Partial<Run> = { status: "partial", failure: { code: "X", message: "half of it" } };

  test("compares how the run ended", async () => {
    expect((await check("status", { is: "completed" }, {})).outcome).toBe("pass");
    expect((await check("status", { is: "partial" }, { run: partial })).outcome).toBe("pass");
    expect(await check("status", { is: "completed" }, { run: partial })).toEqual({
      outcome: "fail",
      message: "the run ended as partial: half of it; expected completed",
    });
  });

  test("refuses what is no end", () => {
    expect(() => check("status", { is: "running" }, {})).toThrow();
  });
});
