// Metrics as they may be counted. An agent can report anything; an amount that cannot be is as good as none.
import { isAmount, METRIC_NAMES, type Metrics } from "./metrics.ts";

const AMOUNTS = [...METRIC_NAMES, "observed_tool_calls"] as const;

/** Without amounts that are negative, infinite or no numbers. */
export function plausibleMetrics(metrics: Metrics): Metrics {
  const wrong = AMOUNTS.filter((name) => metrics[name] !== undefined && !isAmount(metrics[name]));
  if (wrong.length === 0) return metrics;
  return Object.fromEntries(
    Object.entries(metrics).filter(([name]) => !(wrong as readonly string[]).includes(name)),
  );
}
