// Do two groups of runs pass equally often? R. A. Fisher's exact test (The Design of Experiments, 1935, chapter II).
import { requirePart } from "./argument-rules.ts";
import { hypergeometric } from "./hypergeometric.ts";
import type { PValues } from "./p-values.ts";

interface RunGroup {
  passed: number;
  total: number;
}

/** Tables that are equally likely in theory differ by rounding; R's fisher.test allows for the same. */
const TIE = 1 + 1e-7;

/** `less` is small when `b` passes less often than `a`. Two-sided: all tables that are no more likely than the one seen. */
export function fisherExact(a: RunGroup, b: RunGroup): PValues {
  requirePart("a.passed", a.passed, "a.total", a.total);
  requirePart("b.passed", b.passed, "b.total", b.total);
  const { first, weights, total } = hypergeometric(a.total + b.total, a.passed + b.passed, b.total);
  const seen = b.passed - first;
  const limit = (weights[seen] ?? 0) * TIE;
  let [less, greater, unlikely] = [0, 0, 0];
  for (const [index, weight] of weights.entries()) {
    if (index <= seen) less += weight;
    if (index >= seen) greater += weight;
    if (weight <= limit) unlikely += weight;
  }
  const share = (sum: number): number => Math.min(1, sum / total);
  return { two_sided: share(unlikely), less: share(less), greater: share(greater) };
}
