// Many comparisons at once, of outcomes that are counted. What could not have become significant, whatever happened, takes
// nothing away from the others.
import { holm } from "../statistics/holm.ts";

export interface Hypothesis {
  p: number;
  /** Smallest p that the comparison could have had, which is large with few runs or when everything passed. */
  floor: number;
}

export interface Corrected {
  /** Corrected p-values in the order given; 1 for a comparison that was left out. */
  adjusted: number[];
  /** Level that each p must reach if it is the smallest; for one that was left out, as if it had joined the family. */
  levels: number[];
}

/**
 * R. E. Tarone, A Modified Bonferroni Method for Discrete Data, Biometrics 46 (1990): the smallest k for which at most k comparisons
 * can reach alpha / k. Those are the family, corrected by Holm's method; no other can be called significant. The floors of Fisher's
 * test depend on how many passed in all, before and after together, and not on which of them, so that choosing by them is fair.
 */
export function correct(hypotheses: readonly Hypothesis[], alpha: number): Corrected {
  const floors = Float64Array.from(hypotheses, ({ floor }) => floor).sort();
  let testable = floors.length;
  let k = 1;
  for (; ; k++) {
    while (testable > 0 && (floors[testable - 1] ?? 0) > alpha / k) testable--;
    if (testable <= k) break;
  }
  const inFamily = hypotheses.map(({ floor }) => floor <= alpha / k);
  const corrected = holm(hypotheses.filter((_, index) => inFamily[index]).map(({ p }) => p));
  let next = 0;
  const adjusted = inFamily.map((inside) => (inside ? (corrected[next++] ?? 1) : 1));
  const levels = inFamily.map((inside) => alpha / (corrected.length + (inside ? 0 : 1)));
  return { adjusted, levels };
}
