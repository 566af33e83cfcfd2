import { describe, expect, test } from "vitest";
import type { Artifact } from "../../core/artifact.ts";
import type { EventDraft } from "../../core/event.ts";
import type { Run } from "../../core/run.ts";
import { register } from "../check.ts";
import { check, file, structured, subject } from "../../../test/support/suites/check-subject.ts";
import type { Given } from "../../../test/support/suites/check-subject.ts";
import { CHECKS, findCheck } from "./registry.ts";
import { z } from "zod";
import { soonTooSlow } from "../../../test/support/soon-too-slow.ts";

test("every check has a type of its own and a strict config", () => {
  expect(new Set(CHECKS.map(({ type }) => type)).size).toBe(CHECKS.length);
  for (const { config } of CHECKS) {
    const result = config.safeParse({ surely_unknown: 1 });
    expect(result.error?.issues.some(({ code }) => code === "unrecognized_keys")).toBe(true);
  }
});

test("every check has an opposite, and the opposite has none", () => {
  for (const { type, config } of CHECKS) {
    expect(findCheck(`not_${type}`)).toMatchObject({ type: `not_${type}`, config });
    expect(findCheck(`not_not_${type}`)).toBeUndefined();
  }
});

test.each([
  ["Teams", "fail", '"Teams" found in "a.md"'],
  ["Zoom", "pass", '"Zoom" not found; the run produced "a.md": "Teams"'],
])("the opposite of contains, for %s, is a %s", async (pattern, outcome, message) => {
  const given = { artifacts: [file("1", "a.md")], bytes: { "1": "Teams" } };
  expect(await check("not_contains", { pattern }, given)).toEqual({ outcome, message });
});

test("an unevaluated check stays unevaluated when it is negated", async () => {
  const lost = { artifacts: [file("9", "lost.md")] };
  expect((await check("not_contains", { pattern: "x" }, lost)).outcome).toBe("unevaluated");
});

test("a check that throws is unevaluated, with the reason", async () => {
  const broken = register({
    type: "broken",
    config: z.strictObject({}),
    evaluate: () => {
      throw new Error("out of coffee");
    },
  });
  expect(await broken.bind({})(subject({}))).toEqual({
    outcome: "unevaluated",
    message: "could not be evaluated: out of coffee",
  });
});

describe("the check contains", () => {
  const report: Given = {
    artifacts: [
      file("1", "out/report.md"),
      structured("2", "data", { quote: 'say "hi"', list: [{ deep: "needle" }] }),
    ],
    bytes: { "1": "# Report\nall well" },
  };

  test.each([
    ["in a text file", { pattern: "all well" }, "pass"],
    ["in a string of structured data", { pattern: 'say "hi"' }, "pass"],
    ["in the JSON of structured data", { pattern: '"deep":"needle"' }, "pass"],
    ["nowhere", { pattern: "haystack" }, "fail"],
    ["for the exact case", { pattern: "ALL WELL" }, "fail"],
    ["by regular expression", { pattern: "^# R\\w+", regex: true }, "pass"],
    ["with flags in front", { pattern: "(?i)ALL WELL", regex: true }, "pass"],
    ["for a pattern as plain text unless asked", { pattern: "a.l" }, "fail"],
    ["in the one artifact that is named", { pattern: "well", path: "./out/report.md" }, "pass"],
    ["not in another one", { pattern: "needle", path: "out/report.md" }, "fail"],
    ["in an artifact that is not there", { pattern: "x", path: "nope.md" }, "fail"],
  ])("looks %s", async (_, config, outcome) => {
    expect((await check("contains", config, report)).outcome).toBe(outcome);
  });

  test("says what there is instead", async () => {
    expect((await check("contains", { pattern: "x", path: "nope.md" }, report)).message).toBe(
      'no artifact "nope.md"; the run produced "out/report.md", "data"',
    );
    expect((await check("contains", { pattern: "x" }, {})).message).toBe(
      '"x" not found; the run produced no artifacts',
    );
  });

  test("reads structured data that is too large for the record", async () => {
    const given = { artifacts: [structured("2", "big")], bytes: { "2": '{"a":"needle"}' } };
    expect((await check("contains", { pattern: "needle" }, given)).outcome).toBe("pass");
  });

  test("does not take bytes for text", async () => {
    const given = { artifacts: [file("1", "a.bin")], bytes: { "1": Uint8Array.of(0xff, 0x68, 0x69) } };
    expect((await check("contains", { pattern: "hi" }, given)).outcome).toBe("fail");
  });

  test("is unevaluated when what might hold it cannot be read", async () => {
    const unsent: Artifact = { id: "1", type: "file", path: "a.md" };
    expect(await check("contains", { pattern: "x" }, { artifacts: [unsent] })).toMatchObject({
      outcome: "unevaluated",
    });
    const reference: Artifact = { id: "1", type: "reference", path: "https://else.where" };
    expect((await check("contains", { pattern: "x" }, { artifacts: [reference] })).outcome).toBe("fail");
    expect(
      (await check("contains", { pattern: "x", path: reference.path }, { artifacts: [reference] })).outcome,
    ).toBe("unevaluated");
    const lost = await check("contains", { pattern: "x" }, { artifacts: [file("9", "lost.md")] });
    expect(lost).toMatchObject({
      outcome: "unevaluated",
      message: expect.stringContaining("the hub is gone"),
    });
  });

  test("still passes when another artifact holds it", async () => {
    const given = { artifacts: [file("9", "lost.md"), file("1", "a.md")], bytes: { "1": "needle" } };
    expect((await check("contains", { pattern: "needle" }, given)).outcome).toBe("pass");
  });

  test("gives up on an expression that never ends", async () => {
    const given = { artifacts: [file("1", "a.md")], bytes: { "1": `${"a".repeat(60)}!` } };
    const verdict = await soonTooSlow(() => check("contains", { pattern: "^(a+)+$", regex: true }, given));
    expect(verdict).toMatchObject({
      outcome: "unevaluated",
      message: expect.stringContaining("is too slow: stopped after 1 s of CPU time"),
    });
  });
});

describe("the check artifact_exists", () => {
  const artifacts: Artifact[] = [
    file("1", "out/report.md"),
    structured("2", "result", 1),
    { id: "3", type: "reference", path: "https://x.test/y" },
  ];

  test.each([
    ["out/report.md", "pass"],
    ["./out/report.md", "pass"],
    ["result", "pass"],
    ["https://x.test/y", "pass"],
    ["report.md", "fail"],
    ["out/report", "fail"],
  ])("for %s is %s", async (path, outcome) => {
    expect((await check("artifact_exists", { path }, { artifacts })).outcome).toBe(outcome);
  });
});

describe("the check no_errors", () => {
  const call = (status: string): EventDraft => ({ type: "tool_call", payload: { tool: "search", status } });

  test("passes on a clean run", async () => {
    const events: EventDraft[] = [call("success"), { type: "progress", payload: {} }];
    expect((await check("no_errors", {}, { events })).outcome).toBe("pass");
  });

  test.each<[string, EventDraft]>([
    ["an error", { type: "error", payload: { message: "boom" } }],
    ["a recoverable error", { type: "error", payload: { error_type: "boom", recoverable: true } }],
    ["a failed call", { type: "tool_call", payload: { tool: "search", status: "failed", error: "boom" } }],
    ["an erroneous call", { type: "tool_call", payload: { tool: "boom", status: "error" } }],
  ])("fails on %s", async (_, event) => {
    const verdict = await check("no_errors", {}, { events: [call("success"), event, call("error")] });
    expect(verdict).toMatchObject({
      outcome: "fail",
      message: expect.stringMatching(/boom.*\(and 1 more\)/),
      details: { errors: 2, first_sequence: 1 },
    });
  });

  test("fails when the run did not complete", async () => {
    const run: Partial<Run> = { status: "partial", failure: { code: "LLM_ERROR", message: "no model" } };
    expect(await check("no_errors", {}, { run })).toMatchObject({
      outcome: "fail",
      message: "the run ended as partial: no model",
    });
  });
});
