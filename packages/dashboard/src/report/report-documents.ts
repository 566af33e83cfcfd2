// What the file of a report holds, as the reporter wrote it (packages/proctor/src/suites/reporters/html/report-documents.ts).
import type {
  CaseChange,
  CaseComparison,
  Comparison,
  ConversationMessage,
  Evaluation,
  EvaluationCase,
  Run,
} from "../api/gen/schema.ts";
import type { MoreOfCase, MoreOfCell, MoreOfEvaluation } from "../api/more.ts";

export interface ReportHead {
  evaluation: Evaluation;
  more: MoreOfEvaluation;
  /** Names of suites, to which rows refer by index. */
  suites: string[];
  agents: string[];
  tags: string[];
  comparison: Place | null;
  rows: CaseRow[];
}

/** Index of a chunk, and of a document in it. */
export type Place = [chunk: number, index: number];

export interface CaseRow extends Pick<
  MoreOfCell,
  "tokens" | "cost" | "score" | "gate" | "values" | "reason"
> {
  case: string;
  id: string;
  name: string;
  suite: number;
  agent: number;
  tags: number[];
  outcome: "pass" | "fail" | "unevaluated" | "not_run";
  runs: number;
  passed: number;
  failed: number;
  rate?: [value: number, low: number, high: number];
  flakiness?: number;
  latency?: [p50: number, p95: number];
  spent?: number;
  duration_ms: number;
  change?: CaseChange;
  place?: Place;
}

export interface PackedComparison extends Omit<Comparison, "cases"> {
  cases: (CaseComparison & { row: number | null })[];
}

export interface PackedCase {
  case: EvaluationCase & { more: MoreOfCase };
  runs: PackedRun[];
  cut?: boolean;
}

export interface PackedRun {
  run: Run;
  messages: ConversationMessage[];
  events?: PackedEvents;
  contents: Record<string, string>;
}

/** Events by column: each list has one entry for each event; numbers are differences from the event before. */
export interface PackedEvents {
  type: string[];
  sequence: number[];
  at_ms: number[];
  payload: Record<string, unknown>[];
}
