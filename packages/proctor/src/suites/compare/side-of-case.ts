// One side of a compared case: how often it passed, how sure that is, and what its runs cost.
import { quantile } from "../statistics/quantile.ts";
import { wilson } from "../statistics/wilson.ts";
import type { ResultCase, ResultRun, SideOfCase } from "./comparison.ts";

export function sideOfCase(one: ResultCase): SideOfCase {
  const judged = judgedRuns(one);
  const { passed } = counted(judged);
  return {
    outcome: one.outcome,
    runs: judged.length,
    unevaluated: one.runs.length - judged.length,
    passed,
    rate: judged.length === 0 ? null : passed / judged.length,
    ...wilson(passed, judged.length),
    score: meanOf(valuesOf(judged, "score")),
    latency_ms: medianOf(valuesOf(judged, "duration_ms")),
    cost_usd: meanOf(valuesOf(judged, "cost_usd")),
  };
}

export type Counted = Pick<SideOfCase, "runs" | "passed">;

/**
 * What is compared of the two sides: all runs that could be evaluated. Of a case that is run until its pass rate is decided, the
 * same number on both sides, from the first on: two failures at once and thirty passes in a row would else weigh too much.
 */
export function comparedRuns(before: ResultCase, after: ResultCase): [Counted, Counted] {
  const [first, second] = [judgedRuns(before), judgedRuns(after)];
  const equal = before.gated === true || after.gated === true;
  const most = equal ? Math.min(first.length, second.length) : Infinity;
  return [counted(first.slice(0, most)), counted(second.slice(0, most))];
}

export function judgedRuns({ runs }: ResultCase): ResultRun[] {
  return runs.filter(({ outcome }) => outcome !== "unevaluated");
}

function counted(runs: readonly ResultRun[]): Counted {
  return { runs: runs.length, passed: runs.filter(({ outcome }) => outcome === "pass").length };
}

type Measured = "score" | "duration_ms" | "cost_usd";

/** What was measured in runs that could be evaluated. */
export function valuesOf(runs: readonly ResultRun[], name: Measured): number[] {
  const values: number[] = [];
  for (const run of runs) {
    const value = run[name];
    if (run.outcome !== "unevaluated" && value !== null) values.push(value);
  }
  return values;
}

export function meanOf(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value / values.length, 0);
}

export function medianOf(values: readonly number[]): number | null {
  return values.length === 0 ? null : quantile(Float64Array.from(values).sort(), 0.5);
}
