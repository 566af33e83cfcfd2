// What judging consists of: every check of a run, what they come to together, and the words for an end.
import type { Run } from "../../core/run.ts";
import type { CheckSubject } from "../check.ts";
import type { AttemptResult, CheckResult } from "../result.ts";
import type { SuiteCheck, SuiteTest } from "../suite.ts";
import { combineOutcomes, type Outcome } from "../verdict.ts";
import { meanScore } from "./score.ts";

export type Judgement = Pick<
  AttemptResult,
  "runId" | "status" | "failure" | "outcome" | "reason" | "checks" | "score" | "metrics"
>;

export function whyEnded({ status, failure }: Run): string {
  return `the run ended as ${status}${failure ? `: ${failure.code}: ${failure.message}` : ""}`;
}

export async function evaluate(checks: readonly SuiteCheck[], subject: CheckSubject): Promise<CheckResult[]> {
  const results: CheckResult[] = [];
  for (const { type, critical, weight, file, line, col, evaluate: check } of checks) {
    results.push({ type, critical, weight, file, line, col, verdict: await check(subject) });
  }
  return results;
}

/** Every check that counts must pass; with a threshold, that share of their weight and every critical check. */
export function weigh({ threshold }: Pick<SuiteTest, "threshold">, checks: readonly CheckResult[]): Outcome {
  const counted = checks.filter(({ weight }) => weight > 0);
  if (threshold === undefined) return combineOutcomes(counted.map(({ verdict }) => verdict.outcome));
  if (counted.length === 0) return "pass";
  const critical = combineOutcomes(
    counted.filter((check) => check.critical).map(({ verdict }) => verdict.outcome),
  );
  // An unevaluated check may turn out to be worth its whole weight or none of it.
  const low = meanScore(counted, 0);
  const high = meanScore(counted, 1);
  const reached = low >= threshold - 1e-9 ? "pass" : high < threshold - 1e-9 ? "fail" : "unevaluated";
  return combineOutcomes([critical, reached]);
}
