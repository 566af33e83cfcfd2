import { describe, expect, it } from "vitest";
import { documentOf, result } from "../../test/support/conformance/documents.ts";
import { baselineWords, compareBaseline, type Baseline, type BaselineFinding } from "./compare-baseline.ts";
import type { ConformanceRule, RuleResult } from "./conformance.ts";
import type { ConformHead } from "./document.ts";

type Outcome = RuleResult["outcome"];

function compare(
  before: Record<string, Outcome>,
  now: readonly RuleResult[],
  { asked = [], ...more }: Partial<Baseline & ConformHead> & { asked?: readonly ConformanceRule[] } = {},
): BaselineFinding {
  const baseline = { file: "base.json", agent: "x", outcomes: new Map(Object.entries(before)) };
  const { protocol, ...head } = more;
  return compareBaseline(
    documentOf(now, head),
    { ...baseline, ...(protocol !== undefined && { protocol }) },
    [...now.map(({ rule }) => rule), ...asked],
  );
}

const now = (outcome: Outcome, rule: Partial<ConformanceRule> = {}): RuleResult =>
  result({ id: "a.b", ...rule }, outcome, outcome === "pass" ? {} : { reason: "seen\ndo this" });

describe("A rule compared with a baseline", () => {
  it.each<[Outcome | "not there", Outcome, Partial<ConformanceRule>, Outcome, Partial<BaselineFinding>]>([
    ["pass", "pass", {}, "pass", {}],
    ["pass", "fail", {}, "fail", { new: ["a.b"] }],
    ["pass", "unevaluated", {}, "unevaluated", { undecided: ["a.b"] }],
    ["fail", "pass", {}, "pass", { fixed: ["a.b"] }],
    ["fail", "fail", {}, "pass", { known: ["a.b"] }],
    ["fail", "unevaluated", {}, "pass", {}],
    ["unevaluated", "pass", {}, "pass", {}],
    ["unevaluated", "fail", {}, "fail", { new: ["a.b"] }],
    ["unevaluated", "unevaluated", {}, "pass", {}],
    ["not there", "pass", {}, "pass", {}],
    ["not there", "fail", {}, "fail", { new: ["a.b"] }],
    ["not there", "unevaluated", {}, "unevaluated", { undecided: ["a.b"] }],
    ["pass", "fail", { level: "should" }, "pass", {}],
    ["pass", "fail", { level: "may" }, "pass", {}],
    ["pass", "fail", { owner: "proctor" }, "pass", {}],
    ["pass", "fail", { disputed: "section 2" }, "pass", {}],
    ["pass", "unevaluated", { level: "may" }, "pass", {}],
  ])("that was %s and is %s (%j) comes to %s", (before, outcome, rule, expected, lists) => {
    const found = compare({ "a.other": "pass", ...(before !== "not there" && { "a.b": before }) }, [
      now(outcome, rule),
      now("pass", { id: "a.other" }),
    ]);
    expect(found).toMatchObject({
      outcome: expected,
      known: [],
      new: [],
      fixed: [],
      undecided: [],
      ...lists,
    });
  });

  it("fails as a should only where shoulds count", () => {
    const broken = [now("fail", { level: "should" })];
    expect(compare({ "a.b": "pass" }, broken, { strict: true })).toMatchObject({ outcome: "fail" });
    expect(compare({ "a.b": "fail" }, broken, { strict: true })).toMatchObject({ known: ["a.b"] });
  });

  it("is undecided when it passed then, was asked for, and was not tried at all", () => {
    const { rule } = now("pass", { id: "a.gone" });
    const before = { "a.b": "pass", "a.gone": "pass", "a.unasked": "pass" } as const;
    expect(compare(before, [now("pass")], { asked: [rule] })).toMatchObject({
      outcome: "unevaluated",
      reason: "there was no occasion to compare a.gone",
      undecided: ["a.gone"],
    });
    expect(compare(before, [now("pass")], { asked: [{ ...rule, owner: "proctor" }] })).toMatchObject({
      outcome: "pass",
    });
  });
});

describe("A baseline that cannot be compared", () => {
  const nothing = { outcome: "unevaluated", known: [], new: [], fixed: [], undecided: [] };

  it("is of another protocol", () => {
    const found = compare({ "a.b": "fail" }, [now("fail")], { protocol: "atp" });
    expect(found).toMatchObject(nothing);
    expect(baselineWords(found)).toBe("the baseline is of an agent of atp, and this one speaks a2a");
  });

  it("has none of the rules", () => {
    const found = compare({ "x.y": "pass" }, [now("fail")]);
    expect(found).toMatchObject(nothing);
    expect(baselineWords(found)).toBe("the baseline has none of the rules that were tried");
  });

  it("meets an agent that is not there", () => {
    const found = compare({ "a.b": "pass" }, [{ ...now("fail"), unreachable: true }]);
    expect(found).toMatchObject(nothing);
    expect(baselineWords(found)).toBe("the agent could not be reached, so that nothing can be compared");
  });
});

it("What changed since a baseline is said in one line", () => {
  const rules = ["a.a", "a.b", "a.c", "a.d", "a.e"];
  const outcomes: Outcome[] = ["fail", "fail", "fail", "pass", "unevaluated"];
  const found = compare(
    { "a.a": "fail", "a.b": "fail", "a.c": "pass", "a.d": "fail", "a.e": "pass" },
    rules.map((id, index) => now(outcomes[index] ?? "pass", { id })),
  );
  expect(found.outcome).toBe("fail");
  expect(baselineWords(found)).toBe("2 known failures, 1 new, 1 fixed");
  const open = compare({ "a.a": "fail", "a.b": "pass", "a.c": "pass" }, [
    now("fail", { id: "a.a" }),
    now("unevaluated", { id: "a.b" }),
    now("unevaluated", { id: "a.c" }),
  ]);
  expect(baselineWords(open)).toBe(
    "1 known failure, 0 new; there was no occasion to compare a.b, and 1 more",
  );
});
