// Two sets of results side by side: what got worse, and how sure that is. Documents: they stand in reports as they are.
import type { Outcome } from "../verdict.ts";

/** The results of one invocation, of a baseline, or of one of two agents. */
export type ResultSet = {
  /** What reports call it: a file, a baseline, an agent. */
  name: string;
  created_at: string;
  cases: ResultCase[];
  /** Why it is not all of them: somebody interrupted it. */
  incomplete?: string;
};

export type ResultCase = {
  suite: string;
  test_id: string;
  agent: string;
  /** Of the task, its surroundings and its checks: a case whose key differs was changed in between. */
  key: string;
  outcome: Outcome;
  runs: ResultRun[];
  /** Its `pass_rate` decided how often it was run: the number of runs says something about their outcomes. */
  gated?: boolean;
};

export type ResultRun = {
  outcome: Outcome;
  score: number | null;
  duration_ms: number | null;
  total_tokens: number | null;
  cost_usd: number | null;
};

export type CaseChange = "regressed" | "improved" | "unchanged" | "undecided" | "new" | "missing";

export type CaseComparison = {
  suite: string;
  test_id: string;
  agent: string;
  change: CaseChange;
  /** The case itself is not the same as before. */
  edited: boolean;
  before: SideOfCase | null;
  after: SideOfCase | null;
  /** Fisher's exact test, one-sided towards worse; and after Holm's correction over all cases. */
  p_worse: number | null;
  p_worse_adjusted: number | null;
  p_better_adjusted: number | null;
  /** Permutation test of the scores, two-sided. */
  p_score: number | null;
  /** The smallest drop of the pass rate that so many runs would show; null when none. */
  detectable_drop: number | null;
  /** About so many runs before and after would show a change like this one; only where it is undecided. */
  runs_needed?: number | null;
};

export type SideOfCase = {
  outcome: Outcome;
  /** Those that could be evaluated, and beside them those that could not. */
  runs: number;
  unevaluated?: number;
  passed: number;
  rate: number | null;
  low: number;
  high: number;
  score: number | null;
  latency_ms: number | null;
  cost_usd: number | null;
};

export type Comparison = {
  before: { name: string; created_at: string };
  after: { name: string; created_at: string };
  alpha: number;
  /** Over all cases together: exact McNemar on which cases pass, and permutation of the scores. */
  overall: {
    cases: number;
    only_before: number;
    only_after: number;
    p_worse: number;
    p_better: number;
    /** After the correction: it is one more comparison beside those of the cases. */
    p_worse_adjusted?: number;
    p_better_adjusted?: number;
    score_difference: number | null;
    p_score: number | null;
    /** At least so many cases must flip one way before it can be significant. */
    detectable_flips: number;
  };
  cases: CaseComparison[];
  /** What is measured and does not decide: by case, paired. */
  measures?: Measure[];
  /** Something got significantly worse. */
  regression: boolean;
  /** `fail`: a regression. `unevaluated`: there is none, but a case of before is missing or could not be evaluated, or none is in both. */
  outcome: Outcome;
  /** For people: one line for each thing worth saying. */
  findings: string[];
};

export type Measure = {
  name: "score" | "latency_ms" | "cost_usd";
  before: number;
  after: number;
  /** So many cases were measured on both sides. */
  cases: number;
  /** Permutation test of the differences, two-sided; and after Holm's correction over the measures. */
  p: number;
  p_adjusted: number;
};
