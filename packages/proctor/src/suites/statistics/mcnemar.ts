// Did the same cases change from a first time to a second? Only those that changed count.
// Q. McNemar, Psychometrika 12 (1947), in its exact form: given that a case changed, either direction is equally likely.
import { requireCount } from "./argument-rules.ts";
import { binomialAtLeast, binomialAtMost } from "./binomial.ts";
import type { PValues } from "./p-values.ts";

/** Cases that passed only the first time, and only the second. `less` is small when the second time is worse. */
export function mcNemarExact(onlyFirst: number, onlySecond: number): PValues {
  requireCount("onlyFirst", onlyFirst);
  requireCount("onlySecond", onlySecond);
  const changed = onlyFirst + onlySecond;
  const less = binomialAtMost(onlySecond, changed, 0.5);
  const greater = binomialAtLeast(onlySecond, changed, 0.5);
  return { two_sided: Math.min(1, 2 * Math.min(less, greater)), less, greater };
}
