// What the runs of a case say together: how often it passes, how sure that is, and how its cost is spread.
import { given } from "../core/given.ts";
import type { AttemptResult } from "./result.ts";
import { describe, type Distribution } from "./statistics/describe.ts";
import { flakiness } from "./statistics/flakiness.ts";
import { passAtK, passHatK } from "./statistics/pass-at-k.ts";
import { wilson } from "./statistics/wilson.ts";

/** Statistics of a case; reports contain this document unchanged. */
export type CaseStatistics = {
  runs: number;
  passed: number;
  failed: number;
  unevaluated: number;
  /** The share of passes among the evaluated runs, with its Wilson interval; null when none was evaluated. */
  pass_rate: { value: number; low: number; high: number; confidence: number } | null;
  /** The chance, by k, that at least one of k runs passes, and that all of them do. */
  pass_at_k: Record<string, number>;
  pass_hat_k: Record<string, number>;
  /** The chance that two runs disagree; null for fewer than two runs. */
  flakiness: number | null;
  score?: Distribution;
  latency_ms?: Distribution;
  cost_usd?: Distribution;
  total_tokens?: Distribution;
  total_steps?: Distribution;
};

const CONFIDENCE = 0.95;
/** The values of k that are reported, up to the number of runs. */
const KS = [1, 2, 3, 5, 10, 20, 50, 100];

export function caseStatistics(attempts: readonly AttemptResult[]): CaseStatistics {
  const outcomes = attempts.flatMap(({ outcome }) => (outcome === "unevaluated" ? [] : [outcome]));
  const judged = outcomes.length;
  const passed = outcomes.filter((outcome) => outcome === "pass").length;
  const each = (read: (attempt: AttemptResult) => number | undefined): Distribution | undefined =>
    describe(attempts.flatMap((attempt) => read(attempt) ?? []));
  const ks = KS.filter((k) => k <= judged);
  const byK = (of: (runs: number, passed: number, k: number) => number | undefined): Record<string, number> =>
    Object.fromEntries(ks.flatMap((k) => [[`${k}`, of(judged, passed, k) ?? 0]]));
  const distributions = {
    score: each(({ score }) => score),
    latency_ms: each(latencyOf),
    cost_usd: each(({ metrics }) => metrics.cost_usd),
    total_tokens: each(({ metrics }) => metrics.total_tokens),
    total_steps: each(({ metrics }) => metrics.total_steps),
  };
  return {
    runs: attempts.length,
    passed,
    failed: judged - passed,
    unevaluated: attempts.length - judged,
    pass_rate:
      judged === 0
        ? null
        : { value: passed / judged, ...wilson(passed, judged, CONFIDENCE), confidence: CONFIDENCE },
    pass_at_k: byK(passAtK),
    pass_hat_k: byK(passHatK),
    flakiness: flakiness(outcomes) ?? null,
    // Metrics that no run measured are left out.
    ...given(distributions),
  };
}

/** The time from the start of the run to its end in milliseconds, as the platform measured it. */
export function latencyOf({ metrics }: Pick<AttemptResult, "metrics">): number | undefined {
  return metrics.wall_time_seconds === undefined ? undefined : metrics.wall_time_seconds * 1000;
}
