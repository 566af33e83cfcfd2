// Two sets of results side by side: what got worse, and how sure that is. Documents: reports, evaluations and answers hold them as they are.
import type { Outcome } from "./outcome.ts";

export type CaseChange = "regressed" | "improved" | "unchanged" | "undecided" | "new" | "missing";

export type CaseComparison = {
  suite: string;
  test_id: string;
  agent: string;
  change: CaseChange;
  /** Whether the case itself was edited between the two sets of results. */
  edited: boolean;
  before: SideOfCase | null;
  after: SideOfCase | null;
  /** p of Fisher's exact test, one-sided towards worse, and the same after Holm's correction over all cases. */
  p_worse: number | null;
  p_worse_adjusted: number | null;
  p_better_adjusted: number | null;
  /** Two-sided p of the permutation test of the scores. */
  p_score: number | null;
  /** Smallest drop of the pass rate that this number of runs would show; null when none would. */
  detectable_drop: number | null;
  /** About how many runs on each side would show a change like this one; only where it is undecided. */
  runs_needed?: number | null;
};

export type SideOfCase = {
  outcome: Outcome;
  /** Number of runs that could be evaluated; `unevaluated` counts the others. */
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
    /** p after the correction, in which it counts as one comparison more than there are cases. */
    p_worse_adjusted?: number;
    p_better_adjusted?: number;
    score_difference: number | null;
    p_score: number | null;
    /** How many cases must flip one way before the change can be significant. */
    detectable_flips: number;
  };
  cases: CaseComparison[];
  /** Measures that inform and decide nothing, paired by case. */
  measures?: Measure[];
  /** Whether something got significantly worse. */
  regression: boolean;
  /** `fail`: a regression. `unevaluated`: no regression, but an earlier case is missing or could not be evaluated, or no case is in both. */
  outcome: Outcome;
  /** Findings in words, one line each. */
  findings: string[];
};

export type Measure = {
  name: "score" | "latency_ms" | "cost_usd";
  before: number;
  after: number;
  /** Number of cases that were measured on both sides. */
  cases: number;
  /** Two-sided p of the permutation test of the differences, and the same after Holm's correction over the measures. */
  p: number;
  p_adjusted: number;
};
