// How likely Fisher's exact test (one-sided, for a drop) finds a drop that is there.
import { binomialPmf } from "./binomial.ts";
import { normalCdf, normalQuantile } from "./normal.ts";
import { hypergeometric, hypergeometricAtMost } from "./hypergeometric.ts";

interface FisherPower {
  /** The probability of p <= alpha when the rates are these. It falls as `after` rises. */
  powerOf: (before: number, after: number) => number;
}

/** All tables that are significant are found once; they do not depend on the rates. The work grows with the square of the runs. */
export function createFisherPower(runsBefore: number, runsAfter: number, alpha: number): FisherPower {
  const critical = criticalPasses(runsBefore, runsAfter, alpha);
  return {
    powerOf: (before, after) => {
      const atMost = cumulated(runsAfter, after);
      let power = 0;
      for (const [passed, limit] of critical.entries()) {
        if (limit >= 0) power += binomialPmf(passed, runsBefore, before) * (atMost[limit] ?? 1);
      }
      return Math.min(1, power);
    },
  };
}

/**
 * For many runs: the normal approximation with the correction that makes it agree with the exact test. J. T. Casagrande, M. C. Pike and
 * P. G. Smith, Biometrics 34 (1978); J. L. Fleiss, A. Tytun and H. K. Ury, Biometrics 36 (1980), for groups of different sizes.
 */
export function approximateFisherPower(runsBefore: number, runsAfter: number, alpha: number): FisherPower {
  const z = normalQuantile(1 - alpha);
  const perRun = 1 / runsBefore + 1 / runsAfter;
  return {
    powerOf: (before, after) => {
      const pooled = (before * runsBefore + after * runsAfter) / (runsBefore + runsAfter);
      const withoutDrop = Math.sqrt(pooled * (1 - pooled) * perRun);
      const withDrop = Math.sqrt((before * (1 - before)) / runsBefore + (after * (1 - after)) / runsAfter);
      const margin = before - after - perRun / 2 - z * withoutDrop;
      if (withDrop === 0) return margin >= 0 ? 1 : 0;
      return normalCdf(margin / withDrop);
    },
  };
}

/** For each number of passes before: the most passes after that still are a significant drop; -1 when none is. */
function criticalPasses(runsBefore: number, runsAfter: number, alpha: number): number[] {
  const critical: number[] = [];
  let limit = -1;
  for (let passed = 0; passed <= runsBefore; passed++) {
    // More passes before make the same passes after more significant, so the limit only rises.
    while (limit < runsAfter && isSignificant(passed, limit + 1)) limit++;
    critical.push(limit);
  }
  return critical;

  function isSignificant(before: number, after: number): boolean {
    const table = hypergeometric(runsBefore + runsAfter, before + after, runsAfter);
    return hypergeometricAtMost(table, after) <= alpha;
  }
}

/** P(X <= k) for every k. */
function cumulated(runs: number, rate: number): Float64Array {
  const atMost = new Float64Array(runs + 1);
  let sum = 0;
  for (let passed = 0; passed <= runs; passed++) {
    sum += binomialPmf(passed, runs, rate);
    atMost[passed] = sum;
  }
  return atMost;
}
