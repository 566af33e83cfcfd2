import { describe, expect, test } from "vitest";
import { check, file, structured } from "../../../test/support/suites/check-subject.ts";
import { compared, shorten } from "./compared.ts";

const data = { name: "Ada", items: [{ id: 1 }, { id: 2 }] };
const given = {
  artifacts: [file("0", "a.txt"), structured("1", "data", data)],
  bytes: { "0": "hello\nworld" },
};

describe("a fail shows what was expected and what there was", () => {
  test.each<[string, object, object | undefined]>([
    ["equals", { text: "bye", path: "a.txt" }, { expected: "bye", actual: "hello\nworld" }],
    ["equals", { value: { name: "Bob" }, path: "data" }, { expected: { name: "Bob" }, actual: data }],
    ["equals", { value: 1, path: "a.txt" }, { expected: 1, actual: "hello\nworld" }],
    ["equals", { text: "bye" }, undefined],
    ["equals", { text: "bye", path: "none" }, undefined],
    ["contains", { pattern: "bye", path: "a.txt" }, undefined],
    [
      "similarity",
      { text: "bye", at_least: 0.9, path: "a.txt" },
      { expected: "bye", actual: "hello\nworld" },
    ],
    ["json_partial", { value: { name: "Bob" } }, { expected: { name: "Bob" }, actual: data }],
    ["json_path", { path: "$.name", equals: "Bob" }, { expected: "Bob", actual: "Ada" }],
    ["json_path", { path: "$..id", equals: 3 }, { expected: 3, actual: [1, 2] }],
    ["json_path", { path: "$.name", matches: "^B" }, { expected: "^B", actual: "Ada" }],
    ["json_path", { path: "$.none", equals: 3 }, { expected: 3 }],
    ["json_path", { path: "$.none", exists: true }, undefined],
    [
      "schema",
      { schema: { properties: { items: { items: { properties: { id: { maximum: 1 } } } } } } },
      { expected: { maximum: 1 }, actual: 2 },
    ],
    ["schema", { schema: { required: ["age"] } }, { expected: { required: ["age"] }, actual: data }],
  ])("%s %j", async (type, config, details) => {
    const verdict = await check(type, config, given);
    expect(verdict.outcome).toBe("fail");
    expect(verdict.details).toEqual(details);
  });

  test("in a size that can be held", () => {
    expect(shorten("x".repeat(4000))).toHaveLength(4000);
    expect(shorten("x".repeat(4001))).toMatch(/^x{3999}…$/);
    expect(shorten("😀".repeat(3000))).toMatch(/^(?:😀){1999}…$/u);
    const long = { list: Array.from({ length: 3000 }, (_, index) => index) };
    const { expected, actual } = compared(long, null);
    expect(expected).toMatch(/^\{\n {2}"list": \[[^]*…$/);
    expect(expected).toHaveLength(4000);
    expect(actual).toBeNull();
  });
});

describe("scores", () => {
  const yes = { type: "contains", config: { pattern: "hello" } };
  const no = { type: "contains", config: { pattern: "bye", path: "a.txt" } };
  const unknown = { type: "contains", config: { pattern: "bye", path: "lost" } };
  const lost = { ...given, artifacts: [...given.artifacts, file("9", "lost")] };

  test.each<[string, object, string, number | undefined]>([
    ["all", { checks: [yes, no] }, "fail", 0.5],
    ["all", { checks: [yes, yes] }, "pass", 1],
    ["all", { checks: [yes, unknown] }, "unevaluated", undefined],
    ["any", { checks: [yes, no] }, "pass", undefined],
    ["at_least", { count: 2, checks: [yes, no, no] }, "fail", 0.5],
    ["at_least", { count: 1, checks: [yes, no] }, "pass", 1],
    ["not_all", { checks: [yes, no, no, no] }, "pass", 0.75],
    ["similarity", { text: "hello\nworlds", at_least: 0.9, path: "a.txt" }, "pass", 11 / 12],
    ["similarity", { text: "hello\nworlds", at_least: 0.95, path: "a.txt" }, "fail", 11 / 12],
    ["not_similarity", { text: "hello\nworlds", at_least: 0.9, path: "a.txt" }, "fail", 1 / 12],
  ])("%s %j → %s %s", async (type, config, outcome, score) => {
    const verdict = await check(type, config, lost);
    expect(verdict.outcome).toBe(outcome);
    if (score === undefined) expect(verdict).not.toHaveProperty("score");
    else expect(verdict.score).toBeCloseTo(score);
  });
});
