// Where the mean lies. Resampling where there are enough values for it to work and few enough to be quick, else Student's t.
import type { Interval } from "./interval.ts";
import { normalCdf, normalQuantile } from "./normal.ts";
import { quantile } from "./quantile.ts";
import { createSeededRandom } from "./seeded-random.ts";
import { studentQuantile } from "./student.ts";

/** Number of values from which on resampling is used. Fewer cannot leave the range from the smallest to the largest value, which misses the mean too often. */
const FEW = 8;

/** Number of values above which both methods agree, and resampling only takes longer. */
const MANY = 1000;

interface MeanIntervalRule {
  confidence: number;
  resamples: number;
  seed: number;
}

/** At least two values, their mean and their sample deviation. */
export function meanInterval(
  values: Float64Array,
  mean: number,
  deviation: number,
  rule: MeanIntervalRule,
): Interval {
  const count = values.length;
  const t = studentQuantile((1 + rule.confidence) / 2, count - 1);
  if (count < FEW || count > MANY) {
    const reach = (t * deviation) / Math.sqrt(count);
    return { low: mean - reach, high: mean + reach };
  }
  // A resample varies less than a sample by √((n-1)/n), and normal quantiles ignore that the deviation is estimated: the level is
  // widened for both. T. C. Hesterberg, What Teachers Should Know About the Bootstrap, The American Statistician 69 (2015).
  const z = t * Math.sqrt(count / (count - 1));
  const means = resampledMeans(values, rule);
  const level = adjustedLevel(values, mean, means);
  return {
    low: Math.min(mean, quantile(means, level(-z))),
    high: Math.max(mean, quantile(means, level(z))),
  };
}

function resampledMeans(values: Float64Array, { resamples, seed }: MeanIntervalRule): Float64Array {
  const random = createSeededRandom(seed);
  const count = values.length;
  const means = new Float64Array(resamples);
  for (let index = 0; index < resamples; index++) {
    let sum = 0;
    for (let drawn = 0; drawn < count; drawn++) sum += values[random.below(count)] ?? 0;
    means[index] = sum / count;
  }
  return means.sort();
}

/** The BCa adjustment: for bias and for skew. B. Efron, Better Bootstrap Confidence Intervals, JASA 82 (1987). */
function adjustedLevel(values: Float64Array, mean: number, means: Float64Array): (z: number) => number {
  const below = means.filter((value) => value < mean).length;
  const equal = means.filter((value) => value === mean).length;
  const half = 0.5 / means.length;
  const bias = normalQuantile(Math.min(1 - half, Math.max(half, (below + equal / 2) / means.length)));
  let [squares, cubes] = [0, 0];
  for (const value of values) {
    squares += (value - mean) ** 2;
    cubes += (value - mean) ** 3;
  }
  const acceleration = cubes / (6 * squares ** 1.5);
  return (z) => {
    const shift = bias + z;
    const room = 1 - acceleration * shift;
    // Past the pole of the formula the level that is wanted is beyond all resamples.
    return room > 0 ? normalCdf(bias + shift / room) : z > 0 ? 1 : 0;
  };
}
