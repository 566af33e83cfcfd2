// What the page gets: one document with a small row for each case, and packed chunks with everything else about them.
// Documents, so snake_case; the reporter writes them and the page reads them.
import type { CaseStatistics } from "../../case-statistics.ts";
import type { CaseChange, CaseComparison, Comparison } from "../../compare/comparison.ts";
import type { Contest } from "../../contest.ts";
import type { Evidence } from "../../evidence.ts";
import type { GateResult, RunTotals } from "../../result.ts";
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
  /** Over all runs that could be evaluated. */
  pass_rate: Rate | null;
  stopped: string | null;
  /** The agents are one agent over several transports. */
  differential: boolean;
  contests: Contest[];
  /** Without its cases, which are in the last chunk. */
  comparison: (Omit<Comparison, "cases"> & { cases: Place; changes: Record<CaseChange, number> }) | null;
  rows: CaseRow[];
};

export type Rate = { value: number; low: number; high: number; confidence: number };

/** Which chunk, and which of its documents. */
export type Place = [chunk: number, index: number];

type RowOutcome = Outcome | "not_run";

/** What the overview shows and filters by. */
export type CaseRow = {
  id: string;
  name: string;
  /** Indices into the lists of the report. */
  suite: number;
  agent: number;
  tags: number[];
  outcome: RowOutcome;
  runs: number;
  passed: number;
  failed: number;
  rate?: [value: number, low: number, high: number];
  latency?: [p50: number, p95: number];
  /** Means of the runs. */
  tokens?: number;
  cost?: number;
  score?: number;
  gate?: GateResult["decision"];
  change?: CaseChange;
  /** Of the runs, in ascending order, for the plots. */
  values: { latency?: number[]; tokens?: number[]; cost?: number[]; score?: number[] };
  /** Why it did not pass, in a few words. */
  reason?: string;
  /** Absent for what was not run. */
  place?: Place;
};

/** With its place among the rows; null when it is not in this report. */
export type ComparedCase = CaseComparison & { row: number | null };

/** As it is stored: events by column, because that packs a quarter smaller. */
export type PackedCase = Omit<CaseDetail, "runs"> & { runs: PackedRun[] };
export type PackedRun = Omit<RunDetail, "evidence"> & { evidence?: PackedEvidence };
export type PackedEvidence = Omit<Evidence, "events"> & { events: PackedEvents };

/** Each list has one entry for each event. */
export type PackedEvents = {
  type: string[];
  /** More than those of the event before. */
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
  /** Parts of it were too large and are cut. */
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
  score?: number;
  details?: JsonObject;
};

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
  evidence?: Evidence;
};
