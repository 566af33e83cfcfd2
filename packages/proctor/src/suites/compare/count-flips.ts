// Which cases pass on one side only. The same number of runs is looked at on both sides: a case all of whose runs must pass
// would else fail more often the more often it is run, and that would look like an agent that got worse.
import type { ResultCase, ResultRun } from "./comparison.ts";
import type { CasePair } from "./pair-cases.ts";
import { judgedRuns } from "./side-of-case.ts";

export interface Flips {
  /** Number of cases that could be evaluated before and after. */
  cases: number;
  onlyBefore: number;
  onlyAfter: number;
}

export function countFlips(pairs: readonly CasePair[]): Flips {
  const flips = { cases: 0, onlyBefore: 0, onlyAfter: 0 };
  for (const { before, after } of pairs) {
    if (!before || !after || before.outcome === "unevaluated" || after.outcome === "unevaluated") continue;
    const [first, second] = passes(before, after);
    flips.cases += 1;
    if (first && !second) flips.onlyBefore += 1;
    if (second && !first) flips.onlyAfter += 1;
  }
  return flips;
}

function passes(before: ResultCase, after: ResultCase): [boolean, boolean] {
  const [first, second] = [judgedRuns(before), judgedRuns(after)];
  // A pass rate is allowed to lose runs, and stops when it is decided: there the verdict is what can be compared.
  if (first.length === second.length || !needsAll(before, first) || !needsAll(after, second)) {
    return [before.outcome === "pass", after.outcome === "pass"];
  }
  const runs = Math.min(first.length, second.length);
  return [allPass(first.slice(0, runs)), allPass(second.slice(0, runs))];
}

/** The outcome that a case would have if all of its runs had to pass. */
function needsAll({ outcome, gated }: ResultCase, runs: readonly ResultRun[]): boolean {
  return gated !== true && (outcome === "pass") === allPass(runs);
}

function allPass(runs: readonly ResultRun[]): boolean {
  return runs.every(({ outcome }) => outcome === "pass");
}
