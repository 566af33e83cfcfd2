// Compares what a run has used with what it may use. Time is not here: the stopper owns it.
import { failure, type Failure } from "../core/failure.ts";
import type { Metrics } from "../core/metrics.ts";
import type { Constraints } from "../core/task.ts";

const LIMITS = [
  { limit: "max_steps", metric: "total_steps", unit: "steps" },
  { limit: "max_tokens", metric: "total_tokens", unit: "tokens" },
  { limit: "budget_usd", metric: "cost_usd", unit: "USD" },
] as const;

/** The first limit that is exceeded, as the failure that ends the run. */
export function exceededLimit(metrics: Metrics, constraints: Constraints): Failure | undefined {
  for (const { limit, metric, unit } of LIMITS) {
    const allowed = constraints[limit];
    const used = metrics[metric];
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
