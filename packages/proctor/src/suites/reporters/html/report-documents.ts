// What a report's file holds: one document that is read at once, with a small row for each case, and packed chunks with everything else. Evaluations,
// cases, runs, messages and artifacts have the shapes of the public API, because the dashboard's pages read them; `more` is what only a report says of
// them. Documents, so snake_case; packages/dashboard/src/report reads them.
import type { CaseChange, CaseComparison, Comparison } from "../../../core/comparison.ts";
import type {
  Evaluation,
  EvaluationCheck,
  EvaluationRun,
  NewEvaluationCase,
} from "../../../core/evaluation.ts";
import type { JsonObject } from "../../../core/json.ts";
import type { ConversationMessage } from "../../../core/ports/hub.ts";
import type { Run } from "../../../core/run.ts";
import type { CaseStatistics } from "../../case-statistics.ts";
import type { Contest } from "../../contest.ts";
import type { GateResult, RunTotals } from "../../result.ts";
import type { Thread } from "../../thread.ts";
import type { Outcome } from "../../verdict.ts";
import type { Difference } from "../difference.ts";

export type ReportHead = {
  evaluation: Evaluation;
  more: MoreOfEvaluation;
  /** Names that rows refer to by place. */
  suites: string[];
  agents: string[];
  tags: string[];
  /** Where the comparison with the baseline is; null when there is none. */
  comparison: Place | null;
  rows: CaseRow[];
};

export type MoreOfEvaluation = {
  /** Pass rate over all runs that could be evaluated. */
  pass_rate: Rate | null;
  /** The numbers of runs that were not made now. */
  sources: Pick<RunTotals, "resumed" | "cached" | "rescored" | "replayed">;
  /** Tests that cannot be run here, in words; null when none was left out. */
  skipped: string | null;
  not_run: number;
  /** Whether the agents are one agent over several transports. */
  differential: boolean;
  contests: Contest[];
  /** The name under which the page asks for the comparison with the baseline; null when there is none. */
  baseline: string | null;
};

export type Rate = { value: number; low: number; high: number; confidence: number };

/** Index of a chunk, and of a document in it. */
export type Place = [chunk: number, index: number];

/** A case in the form that tables show and filter. */
export type CaseRow = {
  /** The id of the case, as an evaluation of the hub has it. */
  case: string;
  id: string;
  name: string;
  /** Index into the report's list of suites; `agent` and `tags` are indices likewise. */
  suite: number;
  agent: number;
  tags: number[];
  outcome: Outcome | "not_run";
  runs: number;
  passed: number;
  failed: number;
  rate?: [value: number, low: number, high: number];
  flakiness?: number;
  latency?: [p50: number, p95: number];
  /** Mean number of tokens of a run; `cost` and `score` are means likewise. */
  tokens?: number;
  cost?: number;
  score?: number;
  /** US dollars of all its runs together. */
  spent?: number;
  duration_ms: number;
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

/** The comparison as it is packed: the document of the API, whose cases know their rows. */
export type PackedComparison = Omit<Comparison, "cases"> & { cases: ComparedCase[] };

/** A case and its runs, packed together: they are read together. */
export type PackedCase = {
  case: Omit<NewEvaluationCase, "checks" | "run_results"> & {
    checks: (EvaluationCheck & { more: MoreOfCheck })[];
    run_results: (EvaluationRun & { more: MoreOfRun })[];
    more: MoreOfCase;
  };
  runs: PackedRun[];
  /** Whether parts of the case were too large and are cut. */
  cut?: boolean;
};

export type PackedRun = {
  run: Run;
  messages: ConversationMessage[];
  /** Absent where nothing is known of what the run did. */
  events?: PackedEvents;
  /** Texts of artifacts by their id. */
  contents: Record<string, string>;
};

/** Each list has one entry for each event: by column they pack a quarter smaller. */
export type PackedEvents = {
  type: string[];
  /** Difference to the event before; `at_ms` likewise. */
  sequence: number[];
  at_ms: number[];
  payload: JsonObject[];
};

export type MoreOfCase = {
  description?: string;
  task: string;
  parameters?: JsonObject;
  statistics: CaseStatistics;
  gate?: GateResult;
};

export type MoreOfCheck = {
  file: string;
  line: number;
  col: number;
  weight: number;
  score?: number;
  details?: JsonObject;
  /** The expected next to the actual value, made small enough to read. */
  difference?: Difference;
};

export type MoreOfRun = {
  ran_at?: string;
  /** Ids of earlier runs that broke and were tried again. */
  retried?: string[];
  /** What the agent said before it failed, line by line. */
  said?: string[];
  failure_details?: JsonObject;
  isolated?: false;
  notes?: string[];
  thread?: Thread;
  duration_ms: number;
  total_steps?: number;
  /** Numbers of events and artifacts that the report has no room for. */
  events_left_out: number;
  artifacts_left_out: number;
};
