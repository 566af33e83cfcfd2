// Student's t distribution, as far as intervals of a mean need it.
import { requireLevel } from "./argument-rules.ts";
import { findRoot } from "./find-root.ts";
import { normalQuantile } from "./normal.ts";

/** Above this the expansion is exact to seven digits, and the finite sum would only take longer. */
const EXPAND_FROM = 100;

/** t with P(T <= t) = p, for whole degrees of freedom. */
export function studentQuantile(p: number, freedom: number): number {
  requireLevel("p", p);
  if (!Number.isInteger(freedom) || freedom < 1)
    throw new RangeError(`the degrees of freedom must be a whole number from 1, not ${freedom}`);
  if (p < 0.5) return -studentQuantile(1 - p, freedom);
  if (freedom >= EXPAND_FROM) return expansion(normalQuantile(p), freedom);
  const angle = findRoot((candidate) => centreOf(candidate, freedom) - (2 * p - 1), 0, Math.PI / 2);
  return Math.sqrt(freedom) * Math.tan(angle);
}

/** P(|T| <= t) for t = √ν tan(angle). Abramowitz and Stegun 26.7.3 and 26.7.4. */
function centreOf(angle: number, freedom: number): number {
  const [sine, cosine] = [Math.sin(angle), Math.cos(angle)];
  const odd = freedom % 2 === 1;
  let term = odd ? cosine : 1;
  let sum = freedom === 1 ? 0 : term;
  for (let index = odd ? 3 : 2; index < freedom; index += 2) {
    term *= ((index - 1) / index) * cosine * cosine;
    sum += term;
  }
  return odd ? (2 / Math.PI) * (angle + sine * sum) : sine * sum;
}

/** Abramowitz and Stegun 26.7.5. */
function expansion(z: number, freedom: number): number {
  const first = (z ** 3 + z) / 4;
  const second = (5 * z ** 5 + 16 * z ** 3 + 3 * z) / 96;
  const third = (3 * z ** 7 + 19 * z ** 5 + 17 * z ** 3 - 15 * z) / 384;
  return z + (first + (second + third / freedom) / freedom) / freedom;
}
