// What all benchmarks share: the bare limit and ours are measured in the same run, in turns, and compared by medians.

export interface Result {
  name: string;
  /** The two sides of the comparison, in words. */
  what: string;
  value: number;
  bound: { atLeast: number } | { atMost: number };
  unit: "ratio" | "MB" | "ms" | "/s";
  details: Record<string, number>;
}

/** A benchmark measures once, and may return several results. */
export type Benchmark = () => Promise<Result | Result[]>;

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2;
}

/** Number of rounds of each side that are not counted. */
export const WARM_UPS = 3;

/** Warms both sides up, then runs them in turns. Resolves with the median of each. */
export async function inTurns(
  rounds: number,
  bare: () => Promise<number>,
  ours: () => Promise<number>,
): Promise<{ bare: number; ours: number }> {
  for (let round = 0; round < WARM_UPS; round++) {
    await bare();
    await ours();
  }
  const bares: number[] = [];
  const all: number[] = [];
  for (let round = 0; round < rounds; round++) {
    // The order alternates, so that drift of the machine favours neither side.
    if (round % 2 === 0) bares.push(await bare());
    all.push(await ours());
    if (round % 2 === 1) bares.push(await bare());
  }
  return { bare: median(bares), ours: median(all) };
}

export async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return (performance.now() - startedAt) / 1000;
}

export function holds({ value, bound }: Result): boolean {
  return "atLeast" in bound ? value >= bound.atLeast : value <= bound.atMost;
}

/** Builds the result that says which share of a limit is used. */
export function share(name: string, what: string, value: number, atMost: number, details = {}): Result {
  const shown = { value, "at most": atMost, ...details };
  return { name, what, value: value / atMost, bound: { atMost: 1 }, unit: "ratio", details: shown };
}
