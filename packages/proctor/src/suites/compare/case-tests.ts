// The exact tests of one case: did its runs pass less often than before, or more often? Suites have many cases with the same
// counts, so each question is answered once.
import { detectableDrop, runsNeeded } from "../statistics/detectable-effect.ts";
import { fisherExact } from "../statistics/fisher.ts";
import { hypergeometric } from "../statistics/hypergeometric.ts";
import type { Hypothesis } from "./correct.ts";
import type { Counted } from "./side-of-case.ts";

export interface CaseTests {
  compare(before: Counted, after: Counted): { worse: Hypothesis; better: Hypothesis };
  /** Smallest detectable drop of the pass rate; null when not even a drop to zero would be found at this level. */
  drop(before: Counted, after: Counted, level: number): number | null;
  /** About how many runs on each side would show a difference like this; null when there is none, or no number would. */
  runsFor(before: Counted, after: Counted, level: number): number | null;
}

export function createCaseTests(): CaseTests {
  const compared = new Map<string, ReturnType<CaseTests["compare"]>>();
  const drops = new Map<string, number | null>();
  const needed = new Map<string, number | null>();
  return {
    compare: (before, after) => once(compared, nameOf(before, after), () => compare(before, after)),
    drop: (before, after, level) =>
      once(drops, `${before.passed}/${before.runs} ${after.runs} ${level}`, () =>
        dropOf(before, after, level),
      ),
    runsFor: (before, after, level) =>
      once(needed, `${nameOf(before, after)} ${level}`, () => runsFor(before, after, level)),
  };
}

function compare(before: Counted, after: Counted): ReturnType<CaseTests["compare"]> {
  const [a, b] = [
    { passed: before.passed, total: before.runs },
    { passed: after.passed, total: after.runs },
  ];
  const { less, greater } = fisherExact(a, b);
  const { weights, total } = hypergeometric(a.total + b.total, a.passed + b.passed, b.total);
  return {
    worse: { p: less, floor: Math.min(less, (weights[0] ?? 1) / total) },
    better: { p: greater, floor: Math.min(greater, (weights.at(-1) ?? 1) / total) },
  };
}

function dropOf(before: Counted, after: Counted, alpha: number): number | null {
  if (before.runs === 0) return null;
  const rate = before.passed / before.runs;
  return detectableDrop({ runs_before: before.runs, runs_after: after.runs, rate, alpha }) ?? null;
}

/** A rise of passes is a drop of failures. */
function runsFor(before: Counted, after: Counted, alpha: number): number | null {
  if (before.runs === 0 || after.runs === 0) return null;
  const [first, second] = [before.passed / before.runs, after.passed / after.runs];
  const [rate, drop] = first >= second ? [first, first - second] : [1 - first, second - first];
  // A difference due to rounding does not count.
  return drop < 1e-6 ? null : runsNeeded({ rate, drop: Math.min(drop, rate), alpha });
}

function nameOf(before: Counted, after: Counted): string {
  return `${before.passed}/${before.runs} ${after.passed}/${after.runs}`;
}

function once<T>(known: Map<string, T>, name: string, compute: () => T): T {
  const found = known.get(name);
  if (found !== undefined) return found;
  const made = compute();
  known.set(name, made);
  return made;
}
