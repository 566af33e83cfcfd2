// Logarithms of the gamma function and of what is made of it. Factorials overflow at 171; these do not.
import { requirePart } from "./argument-rules.ts";

const HALF_LOG_TWO_PI = Math.log(2 * Math.PI) / 2;

/** From here on Stirling's series is exact to the last digits of a double. */
const SERIES_FROM = 16;

/** ln Γ(x) for x > 0: Stirling's series, after stepping up with Γ(x + 1) = x Γ(x). */
export function logGamma(x: number): number {
  if (!(x > 0) || x === Infinity) throw new RangeError(`the argument of logGamma must be positive, not ${x}`);
  let product = 1;
  let at = x;
  for (; at < SERIES_FROM; at++) product *= at;
  return (at - 0.5) * Math.log(at) - at + HALF_LOG_TWO_PI + stirlingSeries(at) - Math.log(product);
}

/** ln of the number of ways to choose k of n. */
export function logChoose(n: number, k: number): number {
  requirePart("k", k, "n", n);
  return k === 0 || k === n ? 0 : logGamma(n + 1) - logGamma(k + 1) - logGamma(n - k + 1);
}

/** ln n! minus Stirling's formula for it. Small, so that what is built of it keeps its digits where ln n! is large. */
export function stirlingError(n: number): number {
  if (n >= SERIES_FROM) return stirlingSeries(n);
  return SMALL_ERRORS[n] ?? NaN;
}

const SMALL_ERRORS = Array.from({ length: SERIES_FROM }, (_, n) => {
  let factorial = 1;
  for (let factor = 2; factor <= n; factor++) factorial *= factor;
  return n === 0 ? 0 : Math.log(factorial) - (n + 0.5) * Math.log(n) + n - HALF_LOG_TWO_PI;
});

/** Abramowitz and Stegun 6.1.41. */
function stirlingSeries(x: number): number {
  const square = x * x;
  return (1 / 12 - (1 / 360 - (1 / 1260 - (1 / 1680 - 1 / (1188 * square)) / square) / square) / square) / x;
}
