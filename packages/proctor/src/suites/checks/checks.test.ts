import { describe, expect, test } from "vitest";
import type { Artifact } from "../../core/artifact.ts";
import type { EventDraft } from "../../core/event.ts";
import type { Json } from "../../core/json.ts";
import type { Run } from "../../core/run.ts";
import type { CheckSubject } from "../check.ts";
import { register } from "../check.ts";
import { CHECKS, findCheck } from "./registry.ts";
import { z } from "zod";

interface Given {
  artifacts?: Artifact[];
  /** By artifact id. */
  bytes?: Record<string, string | Uint8Array>;
  events?: EventDraft[];
  run?: Partial<Run>;
}

function subject({ artifacts = [], bytes = {}, events = [], run = {} }: Given): CheckSubject {
  // Only what a check may look at.
  const whole = { id: "r", status: "completed", failure: null, artifacts, ...run } as Run;
  return {
    run: whole,
    async *events() {
      for (const [sequence, draft] of events.entries()) {
        yield { run_id: "r", sequence, timestamp: "2026-01-01T00:00:00.000Z", ...draft };
      }
    },
    readArtifact(artifact) {
      const content = bytes[artifact.id];
      if (content === undefined) return Promise.reject(new Error("the hub is gone"));
      return Promise.resolve(typeof content === "string" ? new TextEncoder().encode(content) : content);
    },
  };
}

function check(type: string, config: object, given: Given): Promise<{ outcome: string; message: string }> {
  const found = findCheck(type);
  if (!found) throw new Error(`no check ${type}`);
  return found.bind(config)(subject(given));
}

const file = (id: string, path: string): Artifact => ({ id, type: "file", path, content_hash: "sha256:00" });
const structured = (id: string, name: string, data?: Json): Artifact =>
  data === undefined ? { id, type: "structured", name } : { id, type: "structured", name, data };

test("every check has a type of its own and a strict config", () => {
  expect(new Set(CHECKS.map(({ type }) => type)).size).toBe(CHECKS.length);
  for (const { config } of CHECKS) {
    const result = config.safeParse({ surely_unknown: 1 });
    expect(result.error?.issues.some(({ code }) => code === "unrecognized_keys")).toBe(true);
  }
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

describe("contains", () => {
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
    ["case matters", { pattern: "ALL WELL" }, "fail"],
    ["by regular expression", { pattern: "^# R\\w+", regex: true }, "pass"],
    ["with flags in front", { pattern: "(?i)ALL WELL", regex: true }, "pass"],
    ["a pattern is no expression unless asked", { pattern: "a.l" }, "fail"],
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
    const verdict = await check("contains", { pattern: "^(a+)+$", regex: true }, given);
    expect(verdict).toMatchObject({
      outcome: "unevaluated",
      message: expect.stringContaining("took longer than 1 s"),
    });
  });
});

describe("artifact_exists", () => {
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
  ])("%s → %s", async (path, outcome) => {
    expect((await check("artifact_exists", { path }, { artifacts })).outcome).toBe(outcome);
  });
});

describe("no_errors", () => {
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
