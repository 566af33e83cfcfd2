// Permutation tests of what was measured: of the runs of a case, and of the cases paired. They inform; they decide nothing.
import { holm } from "../statistics/holm.ts";
import { pairedPermutation, twoSamplePermutation } from "../statistics/permutation.ts";
import type { Measure, SideOfCase } from "./comparison.ts";
import { valuesOf, meanOf, medianOf } from "./side-of-case.ts";
import type { CasePair } from "./pair-cases.ts";

/** Steps of a comparison that measures alone may take, each a few nanoseconds. */
const WORK = 1e7;
const RESAMPLES = { least: 1000, most: 10_000 };
/** Number of exchanges up to which permutation.ts tries them all. */
const EXACT_UP_TO = 2 ** 16;
/** How many times longer it takes to try an exchange than to draw one value. */
const TRYING = 3;

interface Scores {
  index: number;
  before: number[];
  after: number[];
  /** Difference of the mean scores. */
  change: number;
}

/**
 * The two-sided p of the scores of each case; null where one side has none. In a suite of thousands also null where the mean changed
 * least: those are not worth the time.
 */
export function compareScores(pairs: readonly CasePair[]): (number | null)[] {
  const found = pairs.map((): number | null => null);
  const known = new Map<string, number>();
  const scores = scoresOf(pairs);
  const sizeOf = ({ before, after }: Scores): number => Math.min(before.length, after.length);
  const resamples = resamplesFor(scores.reduce((sum, one) => sum + sizeOf(one), 0));
  let left = WORK;
  for (const one of scores) {
    const { index, before, after } = one;
    const name = `${before.join()} ${after.join()}`;
    let p = known.get(name);
    if (p === undefined) {
      const size = sizeOf(one);
      left -= Math.min(TRYING * choices(before.length + after.length, size), resamples * size);
      if (left < 0) break;
      p = twoSamplePermutation(before, after, { resamples }).two_sided;
      known.set(name, p);
    }
    found[index] = p;
  }
  return found;
}

/** Sorts the largest change first. */
function scoresOf(pairs: readonly CasePair[]): Scores[] {
  const all = pairs.flatMap((pair, index): Scores[] => {
    const [before, after] = [pair.before, pair.after].map((one) =>
      valuesOf(one?.runs ?? [], "score").sort((a, b) => a - b),
    ) as [number[], number[]];
    const [first, second] = [meanOf(before), meanOf(after)];
    return first === null || second === null
      ? []
      : [{ index, before, after, change: Math.abs(second - first) }];
  });
  return all.sort((a, b) => b.change - a.change || a.index - b.index);
}

interface Side {
  before: SideOfCase | null;
  after: SideOfCase | null;
}

/** Of each measure that both sides have: its figure before and after, and a paired test over the cases. */
export function compareMeasures(cases: readonly Side[]): Measure[] {
  const found = (["score", "latency_ms", "cost_usd"] as const).flatMap((name) => {
    const values = cases.flatMap(({ before, after }) => {
      const [first, second] = [before?.[name] ?? null, after?.[name] ?? null];
      return first === null || second === null ? [] : [[first, second] as const];
    });
    // The middle of durations: one that hung says little about the others.
    const centre = name === "latency_ms" ? medianOf : meanOf;
    const before = centre(values.map(([first]) => first));
    const after = centre(values.map(([, second]) => second));
    if (before === null || after === null) return [];
    const differences = values.map(([first, second]) => second - first);
    const resamples = resamplesFor(differences.length);
    const p = pairedPermutation(differences, { resamples }).two_sided;
    return [{ name, before, after, cases: values.length, p }];
  });
  const adjusted = holm(found.map(({ p }) => p));
  return found.map((measure, index) => ({ ...measure, p_adjusted: adjusted[index] ?? 1 }));
}

function resamplesFor(values: number): number {
  return Math.max(RESAMPLES.least, Math.min(RESAMPLES.most, Math.floor(WORK / Math.max(1, values))));
}

/** Steps of a test: the number of ways to choose k of n, where permutation.ts tries them all. */
function choices(of: number, taken: number): number {
  let count = 1;
  for (let index = 1; index <= taken && count <= EXACT_UP_TO; index++)
    count = (count * (of - index + 1)) / index;
  return count <= EXACT_UP_TO ? count : Infinity;
}
