// What a comparison could have found: without it, "no significant difference" says nothing. All tests here are one-sided, for a drop.
import { requireCount, requireLevel, requireRate } from "./argument-rules.ts";
import { findRoot } from "./find-root.ts";
import { approximateFisherPower, createFisherPower } from "./fisher-power.ts";

/** Up to this many runs on either side the power is exact, else a normal approximation. */
const EXACT_UP_TO = 200;

/** Smallest drop that is considered; a smaller one would need impractically many runs. */
const SMALLEST_DROP = 1e-6;

interface DropRule {
  runs_before: number;
  runs_after: number;
  /** The pass rate before. */
  rate: number;
  alpha?: number;
  power?: number;
}

/** The smallest drop of the pass rate that Fisher's exact test finds with this power; undefined when it finds not even a drop to 0. */
export function detectableDrop(rule: DropRule): number | undefined {
  const { runs_before, runs_after, rate, alpha = 0.05, power = 0.8 } = rule;
  requireCount("runs_before", runs_before);
  requireCount("runs_after", runs_after);
  requireRate("rate", rate);
  requireLevel("alpha", alpha);
  requireLevel("power", power);
  if (rate === 0 || runs_before === 0 || runs_after === 0) return undefined;
  const { powerOf } =
    Math.max(runs_before, runs_after) <= EXACT_UP_TO
      ? createFisherPower(runs_before, runs_after, alpha)
      : approximateFisherPower(runs_before, runs_after, alpha);
  const excess = (drop: number): number => powerOf(rate, rate - drop) - power;
  if (excess(rate) < 0) return undefined;
  return excess(0) >= 0 ? 0 : findRoot(excess, 0, rate);
}

interface RunsRule {
  drop: number;
  /** The pass rate before. */
  rate: number;
  alpha?: number;
  power?: number;
}

/** The fewest runs, before and after alike, with which Fisher's exact test finds this drop with this power. */
export function runsNeeded({ drop, rate, alpha = 0.05, power = 0.8 }: RunsRule): number {
  requireRate("rate", rate);
  requireLevel("alpha", alpha);
  requireLevel("power", power);
  if (!(drop >= SMALLEST_DROP && drop <= rate))
    throw new RangeError(`drop must be from ${SMALLEST_DROP} to the rate (${rate}), not ${drop}`);
  const about = fewestRuns(
    (runs) => approximateFisherPower(runs, runs, alpha).powerOf(rate, rate - drop) >= power,
  );
  if (about > EXACT_UP_TO) return about;
  // The approximation is near, so the search starts well below it. Power is not quite monotone in the runs: the first is taken.
  for (let runs = Math.max(1, Math.floor(about * 0.6) - 3); runs <= EXACT_UP_TO; runs++) {
    if (createFisherPower(runs, runs, alpha).powerOf(rate, rate - drop) >= power) return runs;
  }
  return about;
}

/** How many cases must change from pass to fail, and none back, for McNemar's test: 2^-k <= alpha. Undefined when there are fewer. */
export function detectableFlips(cases: number, alpha = 0.05): number | undefined {
  requireCount("cases", cases);
  requireLevel("alpha", alpha);
  let flips = 1;
  while (0.5 ** flips > alpha) flips++;
  return flips <= cases ? flips : undefined;
}

function fewestRuns(enough: (runs: number) => boolean): number {
  let high = 1;
  while (!enough(high)) high *= 2;
  let low = Math.floor(high / 2);
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (enough(middle)) high = middle;
    else low = middle;
  }
  return high;
}
