// Many comparisons at once. S. Holm, A Simple Sequentially Rejective Multiple Test Procedure, Scand. J. Statist. 6 (1979).
import { requireRate } from "./argument-rules.ts";

/**
 * Adjusted p-values, in the order given. Calling those up to alpha significant is wrong about any of them with probability alpha at
 * most, however the comparisons depend on each other.
 */
export function holm(pValues: readonly number[]): number[] {
  for (const value of pValues) requireRate("a p-value", value);
  const ascending = pValues.map((value, index) => ({ value, index })).sort((a, b) => a.value - b.value);
  const adjusted = Array.from(pValues);
  let largest = 0;
  for (const [rank, { value, index }] of ascending.entries()) {
    largest = Math.max(largest, Math.min(1, value * (pValues.length - rank)));
    adjusted[index] = largest;
  }
  return adjusted;
}
