// The two tests a gate can use. Each says whether outcomes prove a rate above some rate, and the highest rate that they prove.
import { binomialAtLeast } from "./binomial.ts";
import { clopperPearsonLower } from "./clopper-pearson.ts";
import { evidenceAbove } from "./evidence.ts";
import { findRoot } from "./find-root.ts";

export interface RateTest {
  proves(rate: number, passed: number, failed: number): boolean;
  /** Proves every rate below this, and none above. */
  bound(passed: number, failed: number): number;
}

/** May be asked after every run: wrong with probability `error` at most over all times together. */
export function anytimeTest(error: number): RateTest {
  return {
    proves: (rate, passed, failed) => evidenceAbove(rate, passed, failed) * error >= 1,
    bound: (passed, failed) => {
      if (passed === 0) return 0;
      const excess = (rate: number): number => Math.log(evidenceAbove(rate, passed, failed) * error);
      return findRoot(excess, 0, passed / (passed + failed));
    },
  };
}

/** May be asked once, after a number of runs that was fixed before. */
export function singleLookTest(error: number): RateTest {
  return {
    proves: (rate, passed, failed) => binomialAtLeast(passed, passed + failed, rate) <= error,
    bound: (passed, failed) => clopperPearsonLower(passed, passed + failed, 1 - error),
  };
}
