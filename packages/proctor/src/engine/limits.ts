// Compares what a run has used with what it may use. Time is not here: the stopper owns it.
import { failure, type Failure } from "../core/failure.ts";
import { tokensOf, type Metrics } from "../core/metrics.ts";
import type { Constraints } from "../core/task.ts";

const LIMITS = [
  { limit: "max_steps", used: ({ total_steps }: Metrics) => total_steps, unit: "steps" },
  { limit: "max_tokens", used: tokensOf, unit: "tokens" },
  { limit: "budget_usd", used: ({ cost_usd }: Metrics) => cost_usd, unit: "USD" },
] as const;

/** Returns the failure for the first limit that is exceeded. */
export function exceededLimit(metrics: Metrics, constraints: Constraints): Failure | undefined {
  for (const { limit, unit, ...metric } of LIMITS) {
    const allowed = constraints[limit];
    const used = metric.used(metrics);
    if (allowed !== undefined && used !== undefined && used > allowed) {
      return failure("BUDGET_EXCEEDED", `used ${used} ${unit}, ${limit} is ${allowed}`, {
        limit,
        allowed,
        used,
      });
    }
  }
  return undefined;
}

/** Limits on what a model call uses. A budget that is used up exactly is not exceeded, but nothing more can be done with it. */
const SPENT_BY_MODELS = new Set<string>(["max_tokens", "budget_usd"]);

/** Returns why no model may be called any more; undefined while something is left. */
export function usedUpLimit(metrics: Metrics, constraints: Constraints): Failure | undefined {
  for (const { limit, unit, ...metric } of LIMITS) {
    if (!SPENT_BY_MODELS.has(limit)) continue;
    const allowed = constraints[limit];
    const used = metric.used(metrics) ?? 0;
    if (allowed === undefined || used < allowed) continue;
    const message = `the budget of the goal is used up: ${used} of ${allowed} ${unit}`;
    return failure("BUDGET_EXCEEDED", message, { limit, allowed, used });
  }
  return undefined;
}

export function hasLimits(constraints: Constraints): boolean {
  return LIMITS.some(({ limit }) => constraints[limit] !== undefined);
}
