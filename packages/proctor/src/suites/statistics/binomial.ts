// The binomial distribution: how likely k passes in n independent runs are, each passing with probability p.
import { requirePart, requireRate } from "./argument-rules.ts";
import { stirlingError } from "./stirling-error.ts";

/**
 * P(X = k). C. Loader's saddle-point form (Fast and Accurate Computation of Binomial Probabilities, 2000): it keeps about 14
 * digits where a difference of log-gammas of a million has lost half of them.
 */
export function binomialPmf(k: number, n: number, p: number): number {
  requirePart("k", k, "n", n);
  requireRate("p", p);
  return pmf(k, n, p);
}

/** P(X <= k). */
export function binomialAtMost(k: number, n: number, p: number): number {
  requirePart("k", k, "n", n);
  requireRate("p", p);
  return tail(n - k, n, 1 - p, p);
}

/** P(X >= k). */
export function binomialAtLeast(k: number, n: number, p: number): number {
  requirePart("k", k, "n", n);
  requireRate("p", p);
  return tail(k, n, p, 1 - p);
}

/** P(X >= k), summed on the side of k where the terms shrink, so that a small tail keeps its digits. */
function tail(k: number, n: number, p: number, q: number): number {
  if (k === 0) return 1;
  if (k > n * p) return shrinkingSum(k, n, p, q);
  return Math.max(0, 1 - shrinkingSum(n - k + 1, n, q, p));
}

function shrinkingSum(k: number, n: number, p: number, q: number): number {
  let term = pmf(k, n, p);
  let sum = term;
  for (let at = k; at < n && term > sum * 1e-17; at++) {
    term *= ((n - at) / (at + 1)) * (p / q);
    sum += term;
  }
  return Math.min(1, sum);
}

function pmf(k: number, n: number, p: number): number {
  if (p === 0 || p === 1) return k === n * p ? 1 : 0;
  if (k === 0) return Math.exp(n * Math.log1p(-p));
  if (k === n) return Math.exp(n * Math.log(p));
  const error = stirlingError(n) - stirlingError(k) - stirlingError(n - k);
  const deviance = devianceOf(k, n * p) + devianceOf(n - k, n * (1 - p));
  return Math.exp(error - deviance) * Math.sqrt(n / (2 * Math.PI * k * (n - k)));
}

/** x ln(x / mean) + mean - x. Near the mean the two halves cancel, so it is a series in v = (x - mean) / (x + mean) there. */
function devianceOf(x: number, mean: number): number {
  const v = (x - mean) / (x + mean);
  if (Math.abs(v) > 0.1) return x * Math.log(x / mean) + mean - x;
  let power = 2 * x * v;
  let sum = (x - mean) * v;
  for (let odd = 3; odd < 100; odd += 2) {
    power *= v * v;
    const next = sum + power / odd;
    if (next === sum) break;
    sum = next;
  }
  return sum;
}
