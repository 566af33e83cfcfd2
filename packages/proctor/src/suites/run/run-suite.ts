// Runs a plan on a hub: so many runs at once, each case reported as soon as its last run is judged.
import { setMaxListeners } from "node:events";
import type { Clock } from "../core/ports/clock.ts";
import type { Hub } from "../core/ports/hub.ts";
import { runAttempt } from "./attempt.ts";
import { createDifferential } from "./differential.ts";
import type { Plan, PlannedCase } from "./plan.ts";
import type { Reporter } from "./reporter.ts";
import type { AttemptResult, CaseResult, Summary } from "./result.ts";
import { combineOutcomes } from "./verdict.ts";
import type { Outcome } from "./verdict.ts";

export interface RunSuiteOptions {
  reporters?: readonly Reporter[];
  /** Runs in flight at once; the hub's own limits apply as well. */
  concurrency?: number;
  clock?: Pick<Clock, "now">;
}

export interface SuiteReport {
  /** In the order in which they ended. */
  results: CaseResult[];
  summary: Summary;
}

const DEFAULT_CONCURRENCY = 10;
const NEVER = new AbortController().signal;

/** When the signal fires, no further run is started and those in flight are cancelled; what had ended is kept. */
export async function runSuite(
  plan: Plan,
  hub: Hub,
  options: RunSuiteOptions = {},
  signal: AbortSignal = NEVER,
): Promise<SuiteReport> {
  const { reporters = [], concurrency = DEFAULT_CONCURRENCY, clock = { now: () => Date.now() } } = options;
  const startedAt = clock.now();
  const results: CaseResult[] = [];
  const finished = new Set<PlannedCase>();
  const transports = createDifferential(plan);
  const queue = attemptsOf(plan);
  // Also ends the other workers when one of them breaks, which only a reporter can do.
  const broken = new AbortController();
  const stop = AbortSignal.any([signal, broken.signal]);
  // Every run in flight listens to it, in several places: many are no leak.
  setMaxListeners(0, stop);

  async function work(): Promise<void> {
    // All workers share one queue: whoever is free takes the next run.
    for (const { state, number } of queue) {
      if (stop.aborted) return;
      if (state.startedAt === undefined) {
        state.startedAt = clock.now();
        for (const reporter of reporters) reporter.caseStarted?.(state.planned);
      }
      const { differential = false } = plan;
      state.attempts.push(
        await runAttempt(state.planned, number, { hub, clock, signal: stop, differential }),
      );
      if (state.attempts.length < state.planned.runs) continue;
      for (const result of transports.settle(caseResult(state, clock.now()))) {
        finished.add(result.case);
        results.push(result);
        for (const reporter of reporters) reporter.caseEnded(result);
      }
    }
  }

  for (const reporter of reporters) reporter.start(plan);
  const workers = Array.from({ length: Math.max(1, Math.min(concurrency, 1000)) }, () =>
    work().catch((error: unknown) => {
      broken.abort();
      throw error;
    }),
  );
  for (const worker of await Promise.allSettled(workers)) {
    if (worker.status === "rejected") throw worker.reason;
  }
  const notRun = plan.cases.filter((planned) => !finished.has(planned));
  const summary = summarize(results, notRun, signal.aborted, clock.now() - startedAt);
  for (const reporter of reporters) reporter.end(summary);
  return { results, summary };
}

interface CaseState {
  planned: PlannedCase;
  startedAt?: number;
  attempts: AttemptResult[];
}

function* attemptsOf(plan: Plan): Generator<{ state: CaseState; number: number }, void> {
  for (const planned of plan.cases) {
    const state: CaseState = { planned, attempts: [] };
    for (let number = 1; number <= planned.runs; number++) yield { state, number };
  }
}

function caseResult({ planned, startedAt = 0, attempts }: CaseState, now: number): CaseResult {
  return {
    case: planned,
    outcome: combineOutcomes(attempts.map(({ outcome }) => outcome)),
    attempts: attempts.sort((a, b) => a.number - b.number),
    durationMs: now - startedAt,
  };
}

function summarize(
  results: readonly CaseResult[],
  notRun: readonly PlannedCase[],
  interrupted: boolean,
  durationMs: number,
): Summary {
  const count = (outcome: Outcome): number => results.filter((result) => result.outcome === outcome).length;
  return {
    total: results.length + notRun.length,
    passed: count("pass"),
    failed: count("fail"),
    unevaluated: count("unevaluated"),
    notRun,
    interrupted,
    durationMs,
  };
}
