// Quantiles of values, as R and most tools give them by default: type 7 of Hyndman and Fan, The American Statistician 50 (1996).
import { requireRate } from "./argument-rules.ts";

/** The values must be sorted and at least one. Between two values it is on the straight line that joins them. */
export function quantile(sorted: ArrayLike<number>, share: number): number {
  requireRate("share", share);
  if (sorted.length === 0) throw new RangeError("a quantile needs at least one value");
  const position = (sorted.length - 1) * share;
  const index = Math.floor(position);
  const below = sorted[index] ?? NaN;
  const above = sorted[Math.min(index + 1, sorted.length - 1)] ?? NaN;
  const part = position - index;
  // This also covers two equal infinities, whose difference is NaN.
  if (part === 0 || below === above) return below;
  const step = above - below;
  // Rounded once, so that a larger share never gives a smaller value; the sum of two products can, among the tiniest of numbers.
  if (Number.isFinite(step)) return below + part * step;
  // Values so far apart that their difference overflows.
  return below * (1 - part) + above * part;
}
