// How far it is: what has ended, what is running, how fast it goes and how long it will take. It keeps numbers, and of the
// cases only those that are running.
import type { Plan, PlannedCase } from "../../plan.ts";
import type { AttemptResult, CaseResult } from "../../result.ts";
import type { Outcome } from "../../verdict.ts";
import { createRate } from "./rate.ts";

export interface ProgressState {
  total: number;
  cases: Record<Outcome, number>;
  runs: number;
  failedRuns: number;
  costUsd: number;
  elapsedMs: number;
  runsPerSecond: number;
  /** Undefined when nothing says how long it will take. */
  remainingMs?: number;
  running: Iterable<PlannedCase>;
  runningCount: number;
}

export interface Progress {
  caseStarted(planned: PlannedCase): void;
  attemptEnded(planned: PlannedCase, attempt: AttemptResult): void;
  caseEnded(result: CaseResult): void;
  state(): ProgressState;
}

export function createProgress(plan: Plan, now: () => number): Progress {
  const startedAt = now();
  const rate = createRate(startedAt);
  const cases = { pass: 0, fail: 0, unevaluated: 0 };
  /** Cases that are running, with the number of their runs that have ended. */
  const running = new Map<PlannedCase, number>();
  let remainingRuns = plan.cases.reduce((sum, planned) => sum + planned.runs, 0);
  let runs = 0;
  let failedRuns = 0;
  let costUsd = 0;

  function count({ outcome, source, metrics }: AttemptResult): void {
    runs += 1;
    remainingRuns -= 1;
    if (outcome === "fail") failedRuns += 1;
    // What was done before says nothing about how fast the rest will be, and was paid for then.
    if (source === "resumed" || source === "cached") return;
    rate.add(now());
    if (source === "run" && typeof metrics.cost_usd === "number") costUsd += metrics.cost_usd;
  }

  return {
    caseStarted(planned) {
      running.set(planned, running.get(planned) ?? 0);
    },
    attemptEnded(planned, attempt) {
      running.set(planned, (running.get(planned) ?? 0) + 1);
      count(attempt);
    },
    caseEnded({ case: planned, outcome, attempts }) {
      const known = running.get(planned) ?? 0;
      // Runs that were not reported one by one.
      for (const attempt of attempts.slice(known)) count(attempt);
      // Runs that turned out not to be needed.
      remainingRuns -= Math.max(0, planned.runs - attempts.length);
      running.delete(planned);
      cases[outcome] += 1;
    },
    state() {
      const runsPerSecond = rate.perSecond(now());
      return {
        total: plan.cases.length,
        cases: { ...cases },
        runs,
        failedRuns,
        costUsd,
        elapsedMs: now() - startedAt,
        runsPerSecond,
        ...(runsPerSecond > 0 && { remainingMs: (Math.max(0, remainingRuns) * 1000) / runsPerSecond }),
        running: running.keys(),
        runningCount: running.size,
      };
    },
  };
}
