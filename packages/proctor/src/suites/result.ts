// What came out of a case, and of all of them together.
import type { Failure } from "../core/failure.ts";
import type { JsonObject } from "../core/json.ts";
import type { Metrics } from "../core/metrics.ts";
import type { RunStatus } from "../core/run.ts";
import type { CaseStatistics } from "./case-statistics.ts";
import type { Comparison } from "./compare/comparison.ts";
import type { Contest } from "./contest.ts";
import type { Evidence } from "./evidence.ts";
import type { PlannedCase, SkippedTest } from "./plan.ts";
import type { Place } from "./suite.ts";
import type { Outcome, Verdict } from "./verdict.ts";

export interface CheckResult extends Place {
  type: string;
  critical: boolean;
  /** Share of the score; a check of weight 0 informs and decides nothing. */
  weight: number;
  verdict: Verdict;
}

/** `run`: the agent did it now. Everything else was done before, and is marked so in every report. */
export type AttemptSource = "run" | "resumed" | "cached" | "rescored" | "replayed";

/** One run of a case. */
export interface AttemptResult {
  /** From 1. */
  number: number;
  outcome: Outcome;
  source: AttemptSource;
  /** When the run was made; ISO 8601. Absent when the hub did not take it. */
  ranAt?: string;
  /** Absent when the hub did not take the run. */
  runId?: string;
  /** Runs before this one that infrastructure broke, and that were tried again. */
  retried?: string[];
  status?: RunStatus;
  failure?: Failure;
  /** Why it is no pass, where no check says so. */
  reason?: string;
  /** It worked on the hub's machine itself, because somebody asked for that. */
  isolated?: false;
  /** What was other than expected about its terminal: one sentence each. Absent where there is nothing to say. */
  notes?: string[];
  checks: CheckResult[];
  /** 0 to 100. */
  score?: number;
  metrics: Metrics;
  /** What the run came to, to be compared with other transports; only where that is asked for. */
  substance?: JsonObject;
  /** What it did and produced; only where a reporter asks for it. */
  evidence?: Evidence;
  durationMs: number;
}

export interface CaseResult {
  case: PlannedCase;
  outcome: Outcome;
  attempts: AttemptResult[];
  /** Checks that judge all runs together. */
  checks: CheckResult[];
  statistics: CaseStatistics;
  /** What became of the case's `pass_rate`. */
  gate?: GateResult;
  durationMs: number;
}

/** A document: it stands in reports as it is. */
export type GateResult = {
  decision: "pass" | "fail" | "inconclusive";
  at_least: number;
  confidence: number;
  /** So many runs were looked at when it was decided. */
  runs: number;
  passed: number;
  low: number;
  high: number;
  /** About so many more are needed; null when no number of runs will do. Only where it is inconclusive. */
  more_runs?: number | null;
  message: string;
};

/** Why not everything was run. */
export type StopReason = "interrupted" | "fail-fast" | "max-cost";

export interface Summary {
  total: number;
  passed: number;
  failed: number;
  unevaluated: number;
  /** Cases that were not finished. */
  notRun: readonly PlannedCase[];
  /** Tests that were left out because they cannot be run here. They count in nothing else. */
  skipped?: readonly SkippedTest[];
  stopped?: StopReason;
  interrupted: boolean;
  durationMs: number;
  runs: RunTotals;
  /** Tests with `mode: comparison`: which agent did best. */
  contests?: Contest[];
  /** With a baseline. */
  comparison?: Comparison;
}

/** Over all runs of all cases. A document. */
export type RunTotals = {
  total: number;
  passed: number;
  failed: number;
  unevaluated: number;
  /** How many of them were not run now, by where they come from. */
  resumed: number;
  cached: number;
  rescored: number;
  replayed: number;
  /** Sums of what the runs of now reported. */
  cost_usd: number;
  total_tokens: number;
};

/** The exit code: 0 all passed, 1 something failed, 3 nothing failed but something could not be evaluated. */
export function suiteOutcome({
  passed,
  failed,
  total,
}: Pick<Summary, "passed" | "failed" | "total">): 0 | 1 | 3 {
  if (failed > 0) return 1;
  return passed === total && total > 0 ? 0 : 3;
}
