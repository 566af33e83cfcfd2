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
import type { Thread } from "./thread.ts";
import type { Outcome, Verdict } from "./verdict.ts";

export interface CheckResult extends Place {
  type: string;
  critical: boolean;
  /** The share of the score; a check of weight 0 informs and decides nothing. */
  weight: number;
  /** The turn that the check belongs to, from 1; absent where it judges the whole. */
  turn?: number;
  verdict: Verdict;
}

/** `run` means that the agent did it now. All others were done before, which every report says. */
export type AttemptSource = "run" | "resumed" | "cached" | "rescored" | "replayed";

/** One run of a case; in a conversation, all its turns. */
export interface AttemptResult {
  /** The number of the attempt, from 1. */
  number: number;
  outcome: Outcome;
  source: AttemptSource;
  /** When the run was made; ISO 8601. Absent when the hub did not take it. */
  ranAt?: string;
  /** The id of the run, the last one of a conversation; absent when the hub did not take it. */
  runId?: string;
  /** The ids of earlier runs that broke because of the infrastructure and were tried again. */
  retried?: string[];
  status?: RunStatus;
  failure?: Failure;
  /** The reason why it is not a pass, where no check gives it. */
  reason?: string;
  /** False when it worked on the hub's machine itself, because that was asked for. */
  isolated?: false;
  /** What was unusual about its terminal, one sentence each; absent when nothing was. */
  notes?: string[];
  /** The conversation, turn by turn; absent where the test has none. */
  thread?: Thread;
  checks: CheckResult[];
  /** The score, from 0 to 100. */
  score?: number;
  metrics: Metrics;
  /** What the run came to, for the comparison with other transports; absent unless asked for. */
  substance?: JsonObject;
  /** What the run did and produced; absent unless a reporter asks for it. */
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
  /** The outcome of the case's `pass_rate`. */
  gate?: GateResult;
  durationMs: number;
}

/** Result of a gate; reports contain this document unchanged. */
export type GateResult = {
  decision: "pass" | "fail" | "inconclusive";
  at_least: number;
  confidence: number;
  /** The number of runs that the decision is based on. */
  runs: number;
  passed: number;
  low: number;
  high: number;
  /** The approximate number of further runs needed; null when no number would do. Only for an inconclusive gate. */
  more_runs?: number | null;
  message: string;
};

/** The reason why not everything was run. */
export type StopReason = "interrupted" | "fail-fast" | "max-cost";

export interface Summary {
  total: number;
  passed: number;
  failed: number;
  unevaluated: number;
  /** Cases that were not finished. */
  notRun: readonly PlannedCase[];
  /** Tests that were left out because they cannot be run here. They count nowhere else. */
  skipped?: readonly SkippedTest[];
  stopped?: StopReason;
  interrupted: boolean;
  durationMs: number;
  runs: RunTotals;
  /** The results of tests with `mode: comparison`. */
  contests?: Contest[];
  /** The comparison with a baseline, if there is one. */
  comparison?: Comparison;
}

/** Totals over all runs of all cases. A document. */
export type RunTotals = {
  total: number;
  passed: number;
  failed: number;
  unevaluated: number;
  /** The numbers of runs that were not made now, by their source. */
  resumed: number;
  cached: number;
  rescored: number;
  replayed: number;
  /** Sums of what the runs of this invocation reported. */
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
