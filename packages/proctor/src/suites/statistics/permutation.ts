// Do scores differ, without assuming how they are distributed? If nothing differed, signs or labels could be exchanged freely.
// R. A. Fisher, The Design of Experiments (1935), section 21; E. J. G. Pitman, Suppl. J. R. Statist. Soc. 4 (1937).
import { requireCount, requireFinite } from "./argument-rules.ts";
import type { PValues } from "./p-values.ts";
import { createSeededRandom } from "./seeded-random.ts";

interface PermutationOptions {
  /** How many exchanges are drawn when there are too many to try them all. */
  resamples?: number;
  seed?: number;
}

interface PermutationResult extends PValues {
  /** Whether all exchanges were tried; otherwise some were drawn. */
  exact: boolean;
}

/** Number of exchanges up to which all of them are tried. */
const MAX_EXCHANGES = 2 ** 16;

/** Pairs: the second minus the first of each. The signs are exchanged. */
export function pairedPermutation(
  differences: readonly number[],
  options: PermutationOptions = {},
): PermutationResult {
  requireFinite("differences", differences);
  // A difference of nothing has no sign. Leaving it out changes no sum and halves the work.
  const changed = scaled(differences.filter((difference) => difference !== 0));
  const tally = createTally(sum(changed), sum(changed.map(Math.abs)));
  if (2 ** changed.length <= MAX_EXCHANGES) {
    everySign(changed, tally.add);
    return tally.result(true);
  }
  draw(options, (random) => {
    let total = 0;
    for (const difference of changed) total += random.below(2) === 0 ? difference : -difference;
    tally.add(total);
  });
  return tally.result(false);
}

/** Two groups of scores, not paired. The labels are exchanged. */
export function twoSamplePermutation(
  first: readonly number[],
  second: readonly number[],
  options: PermutationOptions = {},
): PermutationResult {
  requireFinite("first", first);
  requireFinite("second", second);
  if (first.length === 0 || second.length === 0) throw new RangeError("both groups must have a score");
  const pool = scaled([...first, ...second]);
  const mean = sum(pool) / pool.length;
  // About the mean of all, the sum of a group is the difference of the means times a constant. The smaller group is less work.
  const centred = pool.map((score) => score - mean);
  const tally = createTally(sum(centred.slice(first.length)), sum(centred.map(Math.abs)));
  const size = Math.min(first.length, second.length);
  const add = size === second.length ? tally.add : (total: number) => tally.add(-total);
  if (choices(pool.length, size) <= MAX_EXCHANGES) {
    everyChoice(centred, size, add);
    return tally.result(true);
  }
  draw(options, (random) => {
    let total = 0;
    for (let taken = 0; taken < size; taken++) {
      const other = taken + random.below(centred.length - taken);
      const score = centred[other] ?? 0;
      centred[other] = centred[taken] ?? 0;
      centred[taken] = score;
      total += score;
    }
    add(total);
  });
  return tally.result(false);
}

/** Counts the sums that are as far out as the one seen. Equal sums differ by rounding, so a little less is as far. */
function createTally(
  seen: number,
  scale: number,
): { add: (total: number) => void; result: (exact: boolean) => PermutationResult } {
  const slack = scale * 1e-12;
  let [count, less, greater, outside] = [0, 0, 0, 0];
  return {
    add: (total) => {
      count++;
      if (total <= seen + slack) less++;
      if (total >= seen - slack) greater++;
      if (Math.abs(total) >= Math.abs(seen) - slack) outside++;
    },
    result: (exact) => {
      // What was seen is one of the exchanges: counting it keeps a drawn p-value valid, and never 0.
      const extra = exact ? 0 : 1;
      const share = (hits: number): number => (hits + extra) / (count + extra);
      return { two_sided: share(outside), less: share(less), greater: share(greater), exact };
    },
  };
}

function draw(
  { resamples = 10_000, seed = 1 }: PermutationOptions,
  once: (random: ReturnType<typeof createSeededRandom>) => void,
): void {
  requireCount("resamples", resamples);
  const random = createSeededRandom(seed);
  for (let index = 0; index < resamples; index++) once(random);
}

function everySign(values: readonly number[], visit: (total: number) => void, at = 0, total = 0): void {
  const value = values[at];
  if (value === undefined) return visit(total);
  everySign(values, visit, at + 1, total + value);
  everySign(values, visit, at + 1, total - value);
}

function everyChoice(
  values: readonly number[],
  left: number,
  visit: (total: number) => void,
  at = 0,
  total = 0,
): void {
  if (left === 0) return visit(total);
  for (let index = at; index <= values.length - left; index++) {
    everyChoice(values, left - 1, visit, index + 1, total + (values[index] ?? 0));
  }
}

/** Number of ways to choose k of n, or any number above the limit. */
function choices(of: number, taken: number): number {
  let count = 1;
  for (let index = 1; index <= taken && count <= MAX_EXCHANGES; index++) {
    count = (count * (of - index + 1)) / index;
  }
  return count;
}

/** To at most 1 in size, so that no sum overflows. Only the proportions matter. */
function scaled(values: readonly number[]): number[] {
  const largest = values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  return largest === 0 ? [...values] : values.map((value) => value / largest);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
