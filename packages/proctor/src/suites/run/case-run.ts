// A case while it is run: which of its runs may start, when it is over, and what came out.
import { caseStatistics } from "../case-statistics.ts";
import type { PlannedCase } from "../plan.ts";
import type { AttemptResult, CaseResult, CheckResult, GateResult } from "../result.ts";
import { combineOutcomes, type Outcome } from "../verdict.ts";
import { openGate } from "./open-gate.ts";

export interface CaseRun {
  readonly planned: PlannedCase;
  /** Place of the case in the plan, from 0. */
  readonly index: number;
  /** Time at which the first run started, in milliseconds since 1970. */
  startedAt: number | undefined;
  /** The number of the run to start now; undefined when none may. */
  next(now: number): NextRun | undefined;
  /** Returns the time at which a run that waits for its next try may start; undefined when none waits. */
  nextDue(): number | undefined;
  /** Whether no run is left to start, now or later. */
  readonly exhausted: boolean;
  take(result: AttemptResult): void;
  /** Starts a run again after infrastructure broke it. */
  again(number: number, retried: readonly string[], notBefore: number): void;
  /** Whether every started run has ended and no other is needed. */
  readonly over: boolean;
  result(now: number): CaseResult;
}

export interface NextRun {
  number: number;
  /** Ids of earlier tries of this run that infrastructure broke. */
  retried: readonly string[];
}

export function createCaseRun(planned: PlannedCase, index: number): CaseRun {
  const { test, runs } = planned;
  const gate = test.gate && openGate(test.gate);
  const attempts: AttemptResult[] = [];
  const waiting: (NextRun & { notBefore: number })[] = [];
  let started = 0;
  let inFlight = 0;

  const allowed = (): number => Math.min(test.concurrency ?? Infinity, gate?.horizon() ?? Infinity);
  const decided = (): boolean => gate?.decided === true;

  const self: CaseRun = {
    planned,
    index,
    startedAt: undefined,
    next(now) {
      if (decided() || inFlight >= allowed()) return undefined;
      const due = waiting.findIndex(({ notBefore }) => notBefore <= now);
      const [again] = due < 0 ? [] : waiting.splice(due, 1);
      if (!again && started >= runs) return undefined;
      inFlight += 1;
      return again ?? { number: ++started, retried: [] };
    },
    nextDue: () =>
      waiting.length === 0 ? undefined : Math.min(...waiting.map(({ notBefore }) => notBefore)),
    get exhausted() {
      return decided() || (started >= runs && waiting.length === 0);
    },
    take(result) {
      inFlight -= 1;
      attempts.push(result);
      gate?.take(result);
    },
    again(number, retried, notBefore) {
      inFlight -= 1;
      waiting.push({ number, retried, notBefore });
    },
    get over() {
      return inFlight === 0 && self.exhausted;
    },
    result(now) {
      attempts.sort((a, b) => a.number - b.number);
      const verdict = gate?.result();
      const checks = test.caseChecks.map(
        ({ type, critical, weight, file, line, col, judge }): CheckResult => {
          return { type, critical, weight, file, line, col, verdict: judge(attempts) };
        },
      );
      return {
        case: planned,
        outcome: outcomeOf(attempts, checks, verdict),
        attempts,
        checks,
        statistics: caseStatistics(attempts),
        ...(verdict && { gate: verdict }),
        durationMs: now - (self.startedAt ?? now),
      };
    },
  };
  return self;
}

/** Checks of weight 0 inform and decide nothing. */
function outcomeOf(
  attempts: readonly AttemptResult[],
  checks: readonly CheckResult[],
  gate: GateResult | undefined,
): Outcome {
  const counting = checks.filter(({ weight }) => weight > 0).map(({ verdict }) => verdict.outcome);
  const runs = gate ? [gateOutcome(gate)] : attempts.map(({ outcome }) => outcome);
  return combineOutcomes([...runs, ...counting]);
}

function gateOutcome({ decision }: GateResult): Outcome {
  return decision === "inconclusive" ? "unevaluated" : decision;
}
