// Counts results as they come, so that they need not be kept.
import { possibleMetrics } from "../../core/metrics.ts";
import type { Plan, PlannedCase } from "../plan.ts";
import type { AttemptResult, CaseResult, RunTotals, StopReason, Summary } from "../result.ts";

export interface Tally {
  /** Cost in US dollars of the runs made by this invocation so far. */
  readonly costUsd: number;
  readonly failed: number;
  /** Counts a run that was made, even if it is tried again. */
  spend(attempt: AttemptResult): void;
  attemptEnded(attempt: AttemptResult): void;
  caseEnded(result: CaseResult): void;
  summary(end: { stopped: StopReason | undefined; durationMs: number }): Summary;
}

export function createTally(plan: Plan): Tally {
  const finished = new Set<PlannedCase>();
  const cases = { passed: 0, failed: 0, unevaluated: 0 };
  const runs: RunTotals = {
    total: 0,
    passed: 0,
    failed: 0,
    unevaluated: 0,
    resumed: 0,
    cached: 0,
    rescored: 0,
    replayed: 0,
    cost_usd: 0,
    total_tokens: 0,
  };
  return {
    get costUsd() {
      return runs.cost_usd;
    },
    get failed() {
      return cases.failed;
    },
    spend({ source, metrics }) {
      if (source !== "run") return;
      const { cost_usd: cost = 0, total_tokens: tokens = 0 } = possibleMetrics(metrics);
      runs.cost_usd += cost;
      runs.total_tokens += tokens;
    },
    attemptEnded({ outcome, source }) {
      runs.total += 1;
      if (outcome === "pass") runs.passed += 1;
      else if (outcome === "fail") runs.failed += 1;
      else runs.unevaluated += 1;
      if (source !== "run") runs[source] += 1;
    },
    caseEnded({ case: planned, outcome }) {
      finished.add(planned);
      if (outcome === "pass") cases.passed += 1;
      else if (outcome === "fail") cases.failed += 1;
      else cases.unevaluated += 1;
    },
    summary({ stopped, durationMs }) {
      return {
        total: plan.cases.length,
        ...cases,
        notRun: plan.cases.filter((planned) => !finished.has(planned)),
        ...(plan.skipped && plan.skipped.length > 0 && { skipped: plan.skipped }),
        ...(stopped && { stopped }),
        interrupted: stopped === "interrupted",
        durationMs,
        runs,
      };
    },
  };
}
