// The checks that a metric of the run stays within a limit. A metric that nobody reported says nothing.
import { z } from "zod";
import type { Metrics } from "../../core/metrics.ts";
import type { Check } from "../check.ts";
import { fail, pass, unevaluated } from "../verdict.ts";

const limit = z.strictObject({ limit: z.number().min(0) });
type LimitCheck = Check<z.output<typeof limit>>;

/** `say` puts an amount into words. */
export function metricLimit(
  type: string,
  metric: string,
  read: (metrics: Metrics) => number | undefined,
  say: (amount: number) => string,
): LimitCheck {
  return {
    type,
    config: limit,
    evaluate({ run }, { limit }) {
      return Promise.resolve(compare(read(run.metrics), limit, metric, say));
    },
  };
}

export function compare(
  found: number | undefined,
  limit: number,
  metric: string,
  say: (amount: number) => string,
): ReturnType<typeof pass> {
  if (found === undefined) return unevaluated(`the run has no metric "${metric}"`);
  const message = `${say(found)}, at most ${limit} expected`;
  return found <= limit ? pass(message) : fail(message);
}
