// What the page gets: one document with a small row for each case, and packed chunks with everything else about them.
// Documents, so snake_case; the reporter writes them and the page reads them.
import type { CaseStatistics } from "../../case-statistics.ts";
import type { CaseChange, CaseComparison, Comparison } from "../../compare/comparison.ts";
import type { Contest } from "../../contest.ts";
import type { Evidence } from "../../evidence.ts";
import type { GateResult, RunTotals } from "../../result.ts";
import type { Thread } from "../../thread.ts";
import type { Outcome } from "../../verdict.ts";
import type { Failure } from "../../../core/failure.ts";
import type { JsonObject } from "../../../core/json.ts";
import type { Metrics } from "../../../core/metrics.ts";

export type ReportData = {
  suites: string[];
  agents: string[];
  tags: string[];
  started_at: string;
  duration_ms: number;
  counts: { total: number; passed: number; failed: number; unevaluated: number; not_run: number };
  /** Tests that cannot be run here, in words; null when none was left out. */
  skipped: string | null;
  totals: RunTotals;
  /** Pass rate over all runs that could be evaluated. */
  pass_rate: Rate | null;
  stopped: string | null;
  /** Whether the agents are one agent over several transports. */
  differential: boolean;
  contests: Contest[];
  /** The comparison without its cases, which are in the last chunk. */
  comparison: (Omit<Comparison, "cases"> & { cases: Place; changes: Record<CaseChange, number> }) | null;
  rows: CaseRow[];
};

export type Rate = { value: number; low: number; high: number; confidence: number };

/** Index of a chunk, and of a document in it. */
export type Place = [chunk: number, index: number];

type RowOutcome = Outcome | "not_run";

/** A case as the overview shows and filters it. */
export type CaseRow = {
  id: string;
  name: string;
  /** Index into the report's list of suites; `agent` and `tags` are indices likewise. */
  suite: number;
  agent: number;
  tags: number[];
  outcome: RowOutcome;
  runs: number;
  passed: number;
  failed: number;
  rate?: [value: number, low: number, high: number];
  latency?: [p50: number, p95: number];
  /** Mean number of tokens of a run; `cost` and `score` are means likewise. */
  tokens?: number;
  cost?: number;
  score?: number;
  gate?: GateResult["decision"];
  change?: CaseChange;
  /** Values of the runs in ascending order, for the plots. */
  values: { latency?: number[]; tokens?: number[]; cost?: number[]; score?: number[] };
  /** Why it did not pass, in a few words. */
  reason?: string;
  /** Where the details are; absent for a case that was not run. */
  place?: Place;
};

/** A compared case with the index of its row; null when it is not in this report. */
export type ComparedCase = CaseComparison & { row: number | null };

/** A case as it is stored, with events by column, because that packs a quarter smaller. */
export type PackedCase = Omit<CaseDetail, "runs"> & { runs: PackedRun[] };
export type PackedRun = Omit<RunDetail, "evidence"> & { evidence?: PackedEvidence };
export type PackedEvidence = Omit<Evidence, "events"> & { events: PackedEvents };

/** Each list has one entry for each event. */
export type PackedEvents = {
  type: string[];
  /** Difference to the event before. */
  sequence: number[];
  at_ms: number[];
  duration_ms: (number | null)[];
  payload: JsonObject[];
};

/** Everything about one case. */
export type CaseDetail = {
  file: string;
  line: number;
  col: number;
  description?: string;
  task: string;
  parameters?: JsonObject;
  duration_ms: number;
  checks: CheckDetail[];
  statistics: CaseStatistics;
  gate?: GateResult;
  runs: RunDetail[];
  /** Whether parts of the case were too large and are cut. */
  cut?: boolean;
};

export type CheckDetail = {
  type: string;
  outcome: Outcome;
  message: string;
  file: string;
  line: number;
  col: number;
  critical: boolean;
  weight: number;
  /** The turn that the check belongs to; absent where it judges the whole. */
  turn?: number;
  score?: number;
  details?: JsonObject;
};

export type ThreadDetail = Thread;

export type RunDetail = {
  number: number;
  outcome: Outcome;
  source: string;
  ran_at?: string;
  run_id?: string;
  retried?: string[];
  status?: string;
  failure?: Failure;
  /** What the agent said before it failed, line by line. */
  said?: string[];
  reason?: string;
  isolated?: false;
  notes?: string[];
  score?: number;
  metrics: Metrics;
  duration_ms: number;
  checks: CheckDetail[];
  thread?: ThreadDetail;
  evidence?: Evidence;
};
