// What a run used. Names are those of document 000, "ATP Response".
import type { JsonObject } from "./json.ts";

/** The metrics of the document, in its order. */
export const METRIC_NAMES = [
  "total_tokens",
  "input_tokens",
  "output_tokens",
  "total_steps",
  "tool_calls",
  "llm_calls",
  "wall_time_seconds",
  "cost_usd",
] as const;

export interface Metrics extends JsonObject {
  total_tokens?: number;
  input_tokens?: number;
  output_tokens?: number;
  total_steps?: number;
  tool_calls?: number;
  llm_calls?: number;
  wall_time_seconds?: number;
  cost_usd?: number;
  /** Calls that the platform saw at the run's tool endpoint; not in document 000. */
  observed_tool_calls?: number;
}

/** Returns the tokens that count against `max_tokens`: an agent may give the total, the two parts, or a total that leaves some out. */
export function tokensOf({
  total_tokens: total,
  input_tokens: input,
  output_tokens: output,
}: Metrics): number | undefined {
  if (input === undefined && output === undefined) return total;
  return Math.max(total ?? 0, (input ?? 0) + (output ?? 0));
}

const NUMBERS: ReadonlySet<string> = new Set(["wall_time_seconds", "cost_usd"]);
const COUNTS: ReadonlySet<string> = new Set([
  ...METRIC_NAMES.filter((name) => !NUMBERS.has(name)),
  "observed_tool_calls",
]);

/** Returns whether a value can be a count: of tokens, steps or calls. */
export function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

/** Returns whether a value can be a time or a cost. */
export function isAmount(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value) && value >= 0;
}

/** Returns what a known metric must be when its value is impossible; undefined for a possible value and for an unknown metric. */
export function metricProblem(name: string, value: unknown): string | undefined {
  if (value === undefined) return undefined;
  if (COUNTS.has(name)) return isCount(value) ? undefined : "must be a whole number of 0 or more";
  return NUMBERS.has(name) && !isAmount(value) ? "must be a number of 0 or more" : undefined;
}

/** Returns the metrics without impossible values, which would spoil every sum and every limit. */
export function possibleMetrics(metrics: Metrics): Metrics {
  const entries = Object.entries(metrics);
  const possible = entries.filter(([name, value]) => metricProblem(name, value) === undefined);
  return possible.length === entries.length ? metrics : Object.fromEntries(possible);
}
