// What Stirling's formula for n! leaves out. It is small, so sums that are built of it keep their digits where ln n! is large.

const HALF_LOG_TWO_PI = Math.log(2 * Math.PI) / 2;

/** From here on Stirling's series is exact to the last digits of a double. */
const SERIES_FROM = 16;

/** ln n! minus Stirling's formula for it. */
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
