import { describe, expect, test } from "vitest";
import type { Json } from "../../core/json.ts";
import type { Matcher } from "../../core/tools.ts";
import { MAX_PATTERN_TEXT } from "./guarded-pattern.ts";
import { compileMatcher } from "./match-input.ts";
import { soonTooSlow } from "../../../test/support/soon-too-slow.ts";

const INPUT: Json = {
  query: "Slack competitors",
  limit: 5,
  exact: null,
  "user.name": "Ada",
  user: { name: "Bob", tags: ["x", { y: [1, 2] }] },
};

const matches = (matcher: Matcher | undefined, input: Json = INPUT): boolean =>
  compileMatcher(matcher)(input);

describe("a matcher of tool inputs", () => {
  test.each<[Matcher, boolean]>([
    [{ type: "any" }, true],
    [{ type: "exact", field: "query", pattern: "Slack competitors" }, true],
    [{ type: "exact", field: "query", pattern: "Slack" }, false],
    [{ type: "exact", field: "limit", pattern: 5 }, true],
    [{ type: "exact", field: "limit", pattern: "5" }, false],
    [{ type: "exact", field: "exact", pattern: null }, true],
    [{ type: "exact", field: "user", pattern: { tags: ["x", { y: [1, 2] }], name: "Bob" } }, true],
    [{ type: "exact", field: "user.tags.1.y.0", pattern: 1 }, true],
    [{ type: "exact", field: "user.tags.7.y", pattern: 1 }, false],
    [{ type: "exact", field: "user.tags.-1", pattern: 1 }, false],
    [{ type: "exact", field: "user.constructor", pattern: "x" }, false],
    [{ type: "exact", field: "user.name", pattern: "Ada" }, true],
    [{ type: "contains", field: "query", pattern: "compet" }, true],
    [{ type: "contains", field: "query", pattern: "Compet" }, false],
    [{ type: "contains", pattern: '"limit":5' }, true],
    [{ type: "contains", field: "missing", pattern: "" }, false],
    [{ type: "contains", field: "limit", pattern: "5" }, true],
    [{ type: "regex", field: "query", pattern: "^Slack\\s" }, true],
    [{ type: "regex", field: "query", pattern: "^slack" }, false],
    [{ type: "regex", field: "query", pattern: "(?i)^slack" }, true],
    [{ type: "json_path", field: "$.user.tags[*].y" }, true],
    [{ type: "json_path", field: "$..y[1]", pattern: 2 }, true],
    [{ type: "json_path", field: "$..y[1]", pattern: 3 }, false],
    [{ type: "json_path", field: "$.nothing" }, false],
    [{ type: "json_path", field: "$.exact" }, true],
  ])("given as %j matches: %s", (matcher, expected) => {
    expect(matches(matcher)).toBe(expected);
  });

  test("that is absent takes every call", () => {
    expect(matches(undefined, null)).toBe(true);
  });

  test("looks at an input that is text", () => {
    expect(matches({ type: "exact", pattern: "hi" }, "hi")).toBe(true);
    expect(matches({ type: "contains", pattern: "h" }, "hi")).toBe(true);
    expect(matches({ type: "exact", field: "a", pattern: "h" }, "hi")).toBe(false);
  });
});

describe("a regular expression of a tool", () => {
  test("that would take forever is stopped, again and again", async () => {
    const match = compileMatcher({ type: "regex", pattern: "^(a+)+$" });
    for (let turn = 0; turn < 2; turn++) {
      await expect(soonTooSlow(() => match(`${"a".repeat(60)}!`))).rejects.toThrow(
        "the pattern /^(a+)+$/ is too slow: stopped after 0.5 s of CPU time",
      );
    }
    expect(match("aaa")).toBe(true);
  });

  test("is tried on the beginning of a very long text", () => {
    const text = `${"x".repeat(MAX_PATTERN_TEXT)}needle`;
    expect(matches({ type: "regex", pattern: "needle" }, text)).toBe(false);
    expect(matches({ type: "regex", pattern: "needle" }, text.slice(6))).toBe(true);
  });

  test("keeps no state between calls", () => {
    const match = compileMatcher({ type: "regex", pattern: "a" });
    expect([match("a"), match("a"), match("b"), match("a")]).toEqual([true, true, false, true]);
  });
});
