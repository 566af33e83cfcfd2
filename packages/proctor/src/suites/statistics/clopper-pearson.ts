// The exact lower bound of a pass rate: whatever the true rate, it is wrong at most as often as it says.
// C. J. Clopper and E. S. Pearson, Biometrika 26 (1934).
import { requireLevel, requirePart } from "./argument-rules.ts";
import { binomialAtLeast } from "./binomial.ts";
import { findRoot } from "./find-root.ts";

/** The rate is above this with the confidence given. An upper bound is 1 minus the bound of the failures. */
export function clopperPearsonLower(passed: number, total: number, confidence = 0.95): number {
  requirePart("passed", passed, "total", total);
  requireLevel("confidence", confidence);
  if (passed === 0) return 0;
  const error = 1 - confidence;
  if (passed === total) return Math.pow(error, 1 / total);
  return findRoot((rate) => binomialAtLeast(passed, total, rate) - error, 0, passed / total);
}
