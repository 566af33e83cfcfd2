// Where the median lies, by counting only: each value is below it with probability one half, whatever the distribution.
import { requireLevel } from "./argument-rules.ts";
import { binomialAtMost } from "./binomial.ts";
import type { Interval } from "./interval.ts";

/**
 * From the k-th smallest to the k-th largest value, k as large as the confidence allows: holds at least so often for any
 * distribution. Absent when even the smallest and the largest are not far enough apart: at 0.95, below 6 values.
 */
export function medianInterval(sorted: ArrayLike<number>, confidence = 0.95): Interval | undefined {
  requireLevel("confidence", confidence);
  const count = sorted.length;
  const allowed = (rank: number): boolean => binomialAtMost(rank - 1, count, 0.5) <= (1 - confidence) / 2;
  if (count === 0 || !allowed(1)) return undefined;
  let rank = 1;
  let tooHigh = Math.floor(count / 2) + 1;
  while (tooHigh - rank > 1) {
    const middle = Math.floor((rank + tooHigh) / 2);
    if (allowed(middle)) rank = middle;
    else tooHigh = middle;
  }
  return { low: sorted[rank - 1] ?? NaN, high: sorted[count - rank] ?? NaN };
}
