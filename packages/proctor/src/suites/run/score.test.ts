import { describe, expect, test } from "vitest";
import type { Run } from "../../core/run.ts";
import type { CheckResult } from "../result.ts";
import { DEFAULT_SCORING } from "../suite.ts";
import type { Outcome } from "../verdict.ts";
import { scoreOf } from "./score.ts";

const run = (rest: Partial<Run> = {}): Run =>
  ({ status: "completed", metrics: {}, constraints: {}, ...rest }) as unknown as Run;
const check = (outcome: Outcome, rest: Partial<CheckResult> & { score?: number } = {}): CheckResult => {
  const { score, ...more } = rest;
  const verdict = { outcome, message: "", ...(score !== undefined && { score }) };
  return { type: "x", critical: false, weight: 1, file: "", line: 1, col: 1, verdict, ...more };
};
const score = (given: Run, checks: CheckResult[]): number | undefined =>
  scoreOf(given, checks, DEFAULT_SCORING);

describe("the score of a run", () => {
  test("is 100 for a run that does everything right, and 0 for one that did not complete", () => {
    expect(score(run(), [check("pass")])).toBe(100);
    expect(score(run(), [])).toBe(100);
    expect(score(run({ status: "failed" }), [])).toBe(0);
  });

  test("is made of quality, completeness, efficiency and cost as the ATP platform has it", () => {
    const given = run({
      metrics: { total_steps: 6, cost_usd: 0.25 },
      constraints: { max_steps: 11, budget_usd: 1 },
    });
    const checks = [check("pass", { score: 0.9 }), check("fail", { score: 0.3 })];
    // 0.4 * 0.6 + 0.3 * 0.5 + 0.2 * 0.5 + 0.1 * 0.75
    expect(score(given, checks)).toBeCloseTo(56.5);
  });

  test("counts tokens where there is no budget", () => {
    const given = run({ metrics: { total_tokens: 500 }, constraints: { max_tokens: 1000 } });
    const thrift = 1 - Math.log2(1.5);
    expect(score(given, [check("pass")])).toBeCloseTo(((0.4 + 0.3 + 0.1 * thrift) / 0.8) * 100, 1);
  });

  test("gives the share of what cannot be measured to the rest", () => {
    expect(score(run(), [check("pass"), check("fail")])).toBe(50);
  });

  test("is 0 when a critical check fails", () => {
    expect(score(run(), [check("pass"), check("fail", { critical: true })])).toBe(0);
  });

  test("weighs the checks, and leaves those out that only inform", () => {
    expect(score(run(), [check("pass", { weight: 3 }), check("fail")])).toBeCloseTo(
      (0.4 * 75 + 0.3 * 50) / 0.7,
    );
    expect(score(run(), [check("pass"), check("fail", { weight: 0 })])).toBe(100);
  });

  test("is not known when a check could not be evaluated", () => {
    expect(score(run(), [check("pass"), check("unevaluated")])).toBeUndefined();
  });

  test("stays between 0 and 100 beyond the limits", () => {
    const given = run({
      metrics: { total_steps: 99, cost_usd: 9 },
      constraints: { max_steps: 2, budget_usd: 1 },
    });
    expect(score(given, [check("pass")])).toBeCloseTo(70);
  });
});
