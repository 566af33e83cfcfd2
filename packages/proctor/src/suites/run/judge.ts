// Judges an ended run: every check, what they come to together, and the score.
import type { Run } from "../../core/run.ts";
import { saysNothing } from "../../core/says-nothing.ts";
import type { CheckSubject } from "../check.ts";
import type { PlannedCase } from "../plan.ts";
import type { AttemptResult, CheckResult } from "../result.ts";
import type { SuiteCheck, SuiteTest } from "../suite.ts";
import { combineOutcomes } from "../verdict.ts";
import type { Outcome } from "../verdict.ts";
import { meanScore, scoreOf } from "./score.ts";

export type Judgement = Pick<
  AttemptResult,
  "runId" | "status" | "failure" | "outcome" | "reason" | "checks" | "score" | "metrics"
>;

export async function judge({ test }: PlannedCase, subject: CheckSubject): Promise<Judgement> {
  const { run } = subject;
  const base = {
    runId: run.id,
    status: run.status,
    metrics: run.metrics,
    ...(run.failure && { failure: run.failure }),
  };
  // A test that expects a certain end, or checks what a run left behind, grades runs that did not complete, too.
  const endIsChecked = test.checks.some(({ judgesAnyEnd }) => judgesAnyEnd);
  const stopped = saysNothing(run);
  const judged = run.status === "completed" || run.status === "partial" || (endIsChecked && !stopped);
  const checks = judged ? await evaluate(test.checks, subject) : [];
  const score = scoreOf(run, checks, test.scoring);
  const scored = score === undefined ? {} : { score };
  const outcome = weigh(test, checks);
  if (run.status === "completed" || (endIsChecked && !stopped))
    return { ...base, ...scored, outcome, checks };

  return {
    ...base,
    ...scored,
    outcome: combineOutcomes([outcome, stopped ? "unevaluated" : "fail"]),
    reason: whyEnded(run),
    checks,
  };
}

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
