// What many measurements of the same thing look like: durations, tokens, costs, scores. The names are those of documents.
import { requireCount, requireFinite, requireLevel } from "./argument-rules.ts";
import type { Interval } from "./interval.ts";
import { meanInterval } from "./mean-interval.ts";
import { medianInterval } from "./median-interval.ts";
import { quantile } from "./quantile.ts";

export type Distribution = {
  count: number;
  mean: number;
  /** Standard deviation of a sample, with n - 1; 0 for a single value, which has none. */
  deviation: number;
  min: number;
  p50: number;
  p90: number;
  p95: number;
  p99: number;
  max: number;
  /** Interval of the mean. Absent for a single value. */
  interval?: Interval;
  /** Interval of the median. Absent when there are too few values for the confidence: at 0.95, below 6. */
  median_interval?: Interval;
};

interface DescribeOptions {
  confidence?: number;
  resamples?: number;
  seed?: number;
}

/** Undefined when there is nothing to describe. The same values and options give the same figures, in any order of the values. */
export function describe(values: readonly number[], options: DescribeOptions = {}): Distribution | undefined {
  const { confidence = 0.95, resamples = 1000, seed = 1 } = options;
  requireFinite("values", values);
  requireCount("the number of values", values.length);
  requireLevel("confidence", confidence);
  requireCount("resamples", resamples);
  if (resamples === 0) throw new RangeError("resamples must be at least 1");
  if (values.length === 0) return undefined;
  const sorted = Float64Array.from(values).sort();
  const at = (share: number): number => quantile(sorted, share);
  const spread = { min: at(0), p50: at(0.5), p90: at(0.9), p95: at(0.95), p99: at(0.99), max: at(1) };
  const median = medianInterval(sorted, confidence);
  return {
    count: sorted.length,
    ...centreOf(sorted, { confidence, resamples, seed }),
    ...spread,
    ...(median === undefined ? {} : { median_interval: median }),
  };
}

function centreOf(
  sorted: Float64Array,
  rule: Required<DescribeOptions>,
): Pick<Distribution, "mean" | "deviation" | "interval"> {
  const [smallest = 0, largest = 0] = [sorted.at(0), sorted.at(-1)];
  if (smallest === largest) {
    const interval = sorted.length < 2 ? {} : { interval: { low: smallest, high: smallest } };
    return { mean: smallest, deviation: 0, ...interval };
  }
  // Sums and squares of very large values overflow.
  const scale = Math.max(-smallest, largest) > 1e100 ? Math.max(-smallest, largest) : 1;
  const values = scale === 1 ? sorted : sorted.map((value) => value / scale);
  const rough = values.reduce((sum, value) => sum + value, 0) / values.length;
  // What the first division rounded away comes back here.
  const mean = rough + values.reduce((sum, value) => sum + (value - rough), 0) / values.length;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  const deviation = Math.sqrt(squares / (values.length - 1));
  const { low, high } = meanInterval(values, mean, deviation, rule);
  // A figure beyond the largest number is that number: infinity has no place in JSON.
  const unscaled = (value: number): number =>
    Math.max(-Number.MAX_VALUE, Math.min(Number.MAX_VALUE, value * scale));
  return {
    mean: unscaled(mean),
    deviation: unscaled(deviation),
    interval: { low: unscaled(low), high: unscaled(high) },
  };
}
