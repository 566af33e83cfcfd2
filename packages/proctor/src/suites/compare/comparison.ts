// The results that are compared. What comes of it is in core/comparison.ts.
import type { Outcome } from "../../core/outcome.ts";

export type { CaseChange, CaseComparison, Comparison, Measure, SideOfCase } from "../../core/comparison.ts";

/** The results of one invocation, of a baseline, or of one of two agents. */
export type ResultSet = {
  /** Name that reports show: a file, a baseline or an agent. */
  name: string;
  created_at: string;
  cases: ResultCase[];
  /** Why the results are incomplete, for example because the invocation was interrupted. */
  incomplete?: string;
};

export type ResultCase = {
  suite: string;
  test_id: string;
  agent: string;
  /** Hash of the task, its environment and its checks; a case whose key differs was edited in between. */
  key: string;
  outcome: Outcome;
  runs: ResultRun[];
  /** Whether its `pass_rate` decided when to stop, so that the number of runs depends on their outcomes. */
  gated?: boolean;
};

export type ResultRun = {
  outcome: Outcome;
  score: number | null;
  duration_ms: number | null;
  total_tokens: number | null;
  cost_usd: number | null;
};
