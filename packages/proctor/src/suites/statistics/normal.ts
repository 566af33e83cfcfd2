// The standard normal distribution: its density, its distribution function, and the inverse of that.
import { requireLevel } from "./argument-rules.ts";

const ROOT_TWO_PI = Math.sqrt(2 * Math.PI);

export function normalDensity(x: number): number {
  return Math.exp((-x * x) / 2) / ROOT_TWO_PI;
}

/** P(Z <= x), with full relative accuracy in the lower tail. */
export function normalCdf(x: number): number {
  if (Number.isNaN(x)) throw new RangeError("x must be a number, not NaN");
  if (x > 0) return 1 - normalCdf(-x);
  return x > -3 ? 0.5 - centre(-x) : normalDensity(x) / millsDenominator(-x);
}

/** x with P(Z <= x) = p. A rough start (Abramowitz and Stegun 26.2.23), then Halley's steps, which triple the digits. */
export function normalQuantile(p: number): number {
  requireLevel("p", p);
  if (p === 0.5) return 0;
  if (p > 0.5) return -normalQuantile(1 - p);
  const t = Math.sqrt(-2 * Math.log(p));
  const share =
    (2.515517 + t * (0.802853 + t * 0.010328)) / (1 + t * (1.432788 + t * (0.189269 + t * 0.001308)));
  let x = share - t;
  for (let step = 0; step < 3; step++) {
    const newton = (normalCdf(x) - p) / normalDensity(x);
    x -= newton / (1 + (newton * x) / 2);
  }
  return x;
}

/** P(0 <= Z <= x), by the series x + x³/3 + x⁵/(3·5) + … times the density. */
function centre(x: number): number {
  let term = x;
  let sum = x;
  for (let odd = 3; sum + term !== sum; odd += 2) {
    term *= (x * x) / odd;
    sum += term;
  }
  return sum * normalDensity(x);
}

/** The continued fraction x + 1/(x + 2/(x + 3/(x + …))), by which the density is divided to give the tail. */
function millsDenominator(x: number): number {
  let value = x;
  for (let level = 120; level > 0; level--) value = x + level / value;
  return value;
}
