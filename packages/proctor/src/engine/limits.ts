// Compares what a run has used with what it may use. Time is not here: the stopper owns it.
import { failure, type Failure } from "../core/failure.ts";
import { tokensOf, type Metrics } from "../core/metrics.ts";
import type { Constraints } from "../core/task.ts";

const LIMITS = [
  { limit: "max_steps", used: ({ total_steps }: Metrics) => total_steps, unit: "steps" },
  { limit: "max_tokens", used: tokensOf, unit: "tokens" },
  { limit: "budget_usd", used: ({ cost_usd }: Metrics) => cost_usd, unit: "USD" },
] as const;

/** The first limit that is exceeded, as the failure that ends the run. */
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
