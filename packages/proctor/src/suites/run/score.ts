// The score of a run, 0 to 100, as the ATP platform defines it: quality, completeness, efficiency and cost, each with its share.
// The share of a part that cannot be measured goes to the others.
import { tokensOf } from "../../core/metrics.ts";
import type { Run } from "../../core/run.ts";
import type { CheckResult } from "../result.ts";
import type { Scoring } from "../suite.ts";

/** Undefined when something that counts could not be evaluated. */
export function scoreOf(run: Run, checks: readonly CheckResult[], scoring: Scoring): number | undefined {
  if (run.status !== "completed" && run.status !== "partial") return 0;
  const counted = checks.filter(({ weight }) => weight > 0);
  if (counted.some(({ critical, verdict }) => critical && verdict.outcome === "fail")) return 0;
  if (counted.some(({ verdict }) => verdict.outcome === "unevaluated")) return undefined;
  const passed = counted.filter(({ verdict }) => verdict.outcome === "pass").length;
  const parts: [weight: number, value: number | undefined][] = [
    [scoring.quality_weight, counted.length === 0 ? undefined : meanScore(counted, 0)],
    [scoring.completeness_weight, counted.length === 0 ? undefined : passed / counted.length],
    [scoring.efficiency_weight, efficiency(run)],
    [scoring.cost_weight, thrift(run)],
  ];
  let total = 0;
  let weights = 0;
  for (const [weight, value] of parts) {
    if (value === undefined) continue;
    total += weight * value;
    weights += weight;
  }
  // A completed run without any measure has done all that was asked.
  return weights === 0 ? 100 : Math.round((total / weights) * 10_000) / 100;
}

/** Weighted mean of the checks: without a score a check counts 1 or 0, and `unknown` when it is unevaluated. */
export function meanScore(checks: readonly CheckResult[], unknown: 0 | 1): number {
  let total = 0;
  let weights = 0;
  for (const { weight, verdict } of checks) {
    const { outcome, score } = verdict;
    total += weight * (outcome === "unevaluated" ? unknown : (score ?? (outcome === "pass" ? 1 : 0)));
    weights += weight;
  }
  return total / weights;
}

function efficiency({ metrics, constraints }: Run): number | undefined {
  const { total_steps: steps } = metrics;
  const { max_steps: most } = constraints;
  if (steps === undefined || most == null) return undefined;
  return most <= 1 ? share(steps <= 1 ? 1 : 0) : share(1 - (steps - 1) / (most - 1));
}

function thrift({ metrics, constraints }: Run): number | undefined {
  const { cost_usd: cost } = metrics;
  const tokens = tokensOf(metrics);
  const { budget_usd: budget, max_tokens: most } = constraints;
  if (cost !== undefined && budget != null && budget > 0) return share(1 - cost / budget);
  if (tokens !== undefined && most != null) return share(1 - Math.log2(1 + tokens / most));
  return undefined;
}

const share = (value: number): number => Math.max(0, Math.min(1, value));
