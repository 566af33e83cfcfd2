// Evaluations: one invocation of suites with all its verdicts, as the hub keeps it. A client records one while it runs; a reader sees
// from its lease whether that client is still there. Pure documents, and the limits that bound them.
import type { CaseChange, CaseComparison, Comparison } from "./comparison.ts";
import type { Outcome } from "./outcome.ts";

export const EVALUATION_STATUSES = ["running", "completed", "interrupted"] as const;
export type EvaluationStatus = (typeof EVALUATION_STATUSES)[number];

/** The reason why not everything was run. */
export const EVALUATION_STOPS = ["interrupted", "fail-fast", "max-cost"] as const;
export type EvaluationStop = (typeof EVALUATION_STOPS)[number];

/** The key in a run's `metadata` that says which evaluation the run was made for. */
export const EVALUATION_KEY = "evaluation_id";

/** Limits of what is kept: an evaluation is bounded, whatever a suite or an agent says. */
export const EVALUATION_LIMITS = {
  /** Characters of the longest name, label, file or host. */
  nameChars: 500,
  /** Characters of the longest reason or finding. */
  textChars: 2000,
  suites: 1000,
  agents: 1000,
  tags: 50,
  findings: 100,
  checks: 100,
  /** Runs of one case that are kept one by one; `runs_omitted` counts the others. */
  runs: 1000,
  /** Bytes of one case, as JSON: a record of it is no larger than what a hub takes. */
  caseBytes: 512 * 1024,
  /** Cases in one record. */
  batch: 500,
  cases: 100_000,
} as const;

export interface EvaluationSuite {
  name: string;
  file: string;
}

export interface EvaluationTotals {
  /** Number of cases that have settled so far. */
  cases: number;
  passed: number;
  failed: number;
  unevaluated: number;
  /** Number of tests that were left out because they cannot be run here. */
  skipped: number;
  /** Number of runs that were judged, including earlier runs that were used again. */
  runs: number;
  total_tokens: number;
  cost_usd: number;
}

/** What is known of where the invocation took place; null where it is not. */
export interface EvaluationMetadata {
  git_commit: string | null;
  git_branch: string | null;
  host: string | null;
  proctor_version: string | null;
}

/** The comparison with a baseline without its cases, which hold theirs. */
export interface EvaluationComparison extends Omit<Comparison, "cases"> {
  /** Number of cases for each kind of change. */
  changes: Record<CaseChange, number>;
}

export interface Evaluation {
  id: string;
  name: string;
  /** Status of the evaluation; `interrupted` even when the client went silent before it reported its end. */
  status: EvaluationStatus;
  started_at: string;
  ended_at: string | null;
  suites: EvaluationSuite[];
  agents: string[];
  planned: EvaluationPlan;
  totals: EvaluationTotals;
  stopped: EvaluationStop | null;
  exit_code: number | null;
  comparison: EvaluationComparison | null;
  metadata: EvaluationMetadata;
  /** Who recorded the evaluation: `operator`, `token:<id>`. */
  started_by: string;
  /** Number of later invocations that continued the evaluation. */
  resumed: number;
  /** Until when the client counts as present, in ISO 8601; null once the evaluation has ended. */
  alive_until: string | null;
}

/** Size of the plan: the most runs there can be, because a `pass_rate` may be decided earlier. */
export interface EvaluationPlan {
  cases: number;
  runs: number;
}

/** What tells cases apart, and how one came out: enough for a table of thousands. */
export interface CaseSummary {
  /** Id of the case within any evaluation: a hash of suite, file, test and agent. */
  id: string;
  evaluation_id: string;
  /** The place of the case in the plan, from 0. */
  number: number;
  suite: string;
  test_id: string;
  name: string;
  agent: string;
  /** Hash of the task, its environment and its checks; a case whose key differs was edited in between. */
  key: string;
  verdict: Outcome;
  settled_at: string;
  runs: number;
  pass_rate: PassRate | null;
  /** The chance that two runs disagree; null for fewer than two runs. */
  flakiness: number | null;
  cost_usd: number | null;
  total_tokens: number | null;
  duration_ms: number;
  /** How the case compares with the baseline; null where there is none. */
  change: CaseChange | null;
}

/** The share of passes among the evaluated runs, with its Wilson interval. */
export interface PassRate {
  value: number;
  low: number;
  high: number;
  confidence: number;
}

export interface EvaluationCase extends CaseSummary, CaseDetails {
  comparison: CaseComparison | null;
}

export interface CaseDetails {
  /** The file that holds the test. */
  file: string;
  line: number;
  tags: string[];
  /** Why the case has its outcome, where no run says it. */
  reason: string | null;
  /** Whether the case's `pass_rate` decided when to stop, so that the number of runs depends on their outcomes. */
  gated: boolean;
  /** Checks that judge all runs together. */
  checks: EvaluationCheck[];
  run_results: EvaluationRun[];
  /** Number of runs that are not in the list because there were too many, or because their texts are too long. */
  runs_omitted: number;
}

export interface EvaluationCheck {
  type: string;
  verdict: Outcome;
  reason: string;
  critical: boolean;
  /** Number of the turn that the check belongs to, from 1; null where it judges the whole run. */
  turn: number | null;
}

export interface EvaluationRun {
  /** The number of the run within its case, from 1. */
  number: number;
  /** Id of the run; null when the hub did not accept it. */
  run_id: string | null;
  verdict: Outcome;
  /** `run` means that the agent did the work now; with any other value it was done before. */
  source: string;
  status: string | null;
  score: number | null;
  failure_code: string | null;
  reason: string | null;
  /** Milliseconds from the start of the run to its end. */
  latency_ms: number | null;
  cost_usd: number | null;
  total_tokens: number | null;
  checks: EvaluationCheck[];
}

/** What a client sends when it begins. */
export interface NewEvaluation {
  /** UUID that the client chose; sending it again means the same evaluation. */
  id: string;
  /** UUID of the client's process: only its owner writes to an evaluation. */
  owner: string;
  name: string;
  suites: EvaluationSuite[];
  agents: string[];
  planned: EvaluationPlan;
  skipped: number;
  metadata: EvaluationMetadata;
  /** Whether an evaluation that was interrupted goes on under this id. */
  resume?: boolean;
  /** The previous owner, which is known to be gone: its lease is not waited for. */
  replaces?: string;
}

/** A case as a client records it. */
export type NewEvaluationCase = Omit<CaseSummary, "id" | "evaluation_id" | "settled_at" | "change"> &
  CaseDetails;

/** What a client sends while it runs; an empty record only reports that the client is still there. */
export interface EvaluationRecord {
  owner: string;
  totals?: EvaluationTotals;
  cases?: NewEvaluationCase[];
  /** How cases compare with the baseline, once that is known. */
  comparisons?: CaseComparison[];
}

export interface EvaluationEnd {
  owner: string;
  status: "completed" | "interrupted";
  stopped: EvaluationStop | null;
  exit_code: number | null;
  totals: EvaluationTotals;
  comparison: EvaluationComparison | null;
}

/** Tests × agents: one cell for each case that has settled. */
export interface EvaluationMatrix {
  evaluation_id: string;
  agents: string[];
  tests: MatrixRow[];
  next_cursor: string | null;
}

export interface MatrixRow {
  suite: string;
  test_id: string;
  name: string;
  cells: MatrixCell[];
}

export interface MatrixCell {
  case_id: string;
  /** The place of the case in the plan, from 0. */
  number: number;
  agent: string;
  verdict: Outcome;
  runs: number;
  pass_rate: number | null;
  /** The Wilson interval of the pass rate; null where there is none. */
  low: number | null;
  high: number | null;
  flakiness: number | null;
  cost_usd: number | null;
  duration_ms: number;
  change: CaseChange | null;
}

/** What a reader of evaluations receives. States, not steps: of two changes of one thing, a reader that was away sees the last. */
export type EvaluationEvent =
  | { type: "evaluation.changed"; evaluation_id: string; evaluation: Evaluation }
  | { type: "evaluation.case"; evaluation_id: string; case: CaseSummary }
  | { type: "evaluation.removed"; evaluation_id: string };

/** An event with its place in the order of everything that the hub committed, events of runs included. */
export interface PlacedEvaluationEvent {
  position: number;
  event: EvaluationEvent;
}

/** One point of a case's history: how it came out in one evaluation. */
export interface CasePoint extends CaseSummary {
  evaluation_name: string;
  evaluation_status: EvaluationStatus;
  git_commit: string | null;
}
