// How strongly outcomes speak for a pass rate above some rate: the wealth of a gambler who bets on it, starting with 1.
import { binomialAtMost, binomialPmf } from "./binomial.ts";

/** The part of the wealth that is bet on "never fails"; the rest is spread evenly over all rates above. */
const NEVER_FAILS = 1 / 3;

/**
 * The mixture ∫ (q/r)^passed ((1-q)/(1-r))^failed dπ(q) over the rates q above r. While the true rate is r or less it is a
 * supermartingale, so it ever reaches 1/α with probability α at most (Ville's inequality), however long one looks. H. Robbins,
 * Ann. Math. Statist. 41 (1970); S. R. Howard et al., Ann. Statist. 49 (2021). It grows with every pass, shrinks with every
 * failure, and falls as r rises. The even part is an incomplete beta function; with X ~ Bin(n, r) it is
 * (1 + P(X < passed) / ((1-r) P(X = passed))) / (n+1), in which nothing overflows.
 */
export function evidenceAbove(rate: number, passed: number, failed: number): number {
  // No rate is above 1. Evidence of 1 says nothing; a failure speaks against.
  if (rate === 1) return failed === 0 ? 1 : 0;
  const certain = failed === 0 ? NEVER_FAILS * Math.pow(rate, -passed) : 0;
  return certain + (1 - NEVER_FAILS) * evenEvidence(rate, passed, failed);
}

function evenEvidence(rate: number, passed: number, failed: number): number {
  const runs = passed + failed;
  const seen = binomialPmf(passed, runs, rate);
  if (seen === 0) return passed > runs * rate ? Infinity : 0;
  const fewer = passed === 0 ? 0 : binomialAtMost(passed - 1, runs, rate);
  return (1 + fewer / ((1 - rate) * seen)) / (runs + 1);
}
