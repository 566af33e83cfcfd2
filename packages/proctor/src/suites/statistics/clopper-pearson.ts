// Exact bounds of a pass rate: whatever the true rate, they are wrong at most as often as they say.
// C. J. Clopper and E. S. Pearson, Biometrika 26 (1934).
import { requireLevel, requirePart } from "./argument-rules.ts";
import { binomialAtLeast } from "./binomial.ts";
import { findRoot } from "./find-root.ts";
import type { Interval } from "./interval.ts";

/** Both ends, each with half of the error. */
export function clopperPearson(passed: number, total: number, confidence = 0.95): Interval {
  requireLevel("confidence", confidence);
  const oneSided = (1 + confidence) / 2;
  return {
    low: clopperPearsonLower(passed, total, oneSided),
    high: clopperPearsonUpper(passed, total, oneSided),
  };
}

/** The rate is above this with the confidence given. */
export function clopperPearsonLower(passed: number, total: number, confidence = 0.95): number {
  requirePart("passed", passed, "total", total);
  requireLevel("confidence", confidence);
  if (passed === 0) return 0;
  const error = 1 - confidence;
  if (passed === total) return Math.pow(error, 1 / total);
  return findRoot((rate) => binomialAtLeast(passed, total, rate) - error, 0, passed / total);
}

/** The rate is below this with the confidence given. */
export function clopperPearsonUpper(passed: number, total: number, confidence = 0.95): number {
  requirePart("passed", passed, "total", total);
  return 1 - clopperPearsonLower(total - passed, total, confidence);
}
