// What came out of a case, and of all of them together.
import type { Failure } from "../core/failure.ts";
import type { JsonObject } from "../core/json.ts";
import type { RunStatus } from "../core/run.ts";
import type { PlannedCase } from "./plan.ts";
import type { Position } from "./problem.ts";
import type { Outcome, Verdict } from "./verdict.ts";

export interface CheckResult extends Position {
  type: string;
  critical: boolean;
  verdict: Verdict;
}

/** One run of a case. */
export interface AttemptResult {
  /** From 1. */
  number: number;
  outcome: Outcome;
  /** Absent when the hub did not take the run. */
  runId?: string;
  status?: RunStatus;
  failure?: Failure;
  /** Why it is no pass, where no check says so. */
  reason?: string;
  checks: CheckResult[];
  /** What the run came to, to be compared with other transports; only where that is asked for. */
  substance?: JsonObject;
  durationMs: number;
}

export interface CaseResult {
  case: PlannedCase;
  outcome: Outcome;
  attempts: AttemptResult[];
  durationMs: number;
}

export interface Summary {
  total: number;
  passed: number;
  failed: number;
  unevaluated: number;
  /** Cases that an interruption kept from being finished. */
  notRun: readonly PlannedCase[];
  interrupted: boolean;
  durationMs: number;
}

/** The exit code: 0 all passed, 1 something failed, 3 nothing failed but something could not be evaluated. */
export function suiteOutcome(results: readonly { outcome: Outcome }[]): 0 | 1 | 3 {
  if (results.some(({ outcome }) => outcome === "fail")) return 1;
  return results.length === 0 || results.some(({ outcome }) => outcome === "unevaluated") ? 3 : 0;
}
