// Everything that is tested about outcomes, corrected together: each case by itself, and all cases over all. Only this decides what
// is called worse or better.
import { mcNemarExact } from "../statistics/mcnemar.ts";
import type { PValues } from "../statistics/p-values.ts";
import type { CaseTests } from "./case-tests.ts";
import { correct, type Corrected } from "./correct.ts";
import { countFlips, type Flips } from "./count-flips.ts";
import type { CasePair } from "./pair-cases.ts";
import { comparedRuns, type Counted } from "./side-of-case.ts";

export interface TestedCase {
  /** The compared runs before and after. */
  counts: [Counted, Counted];
  /** p of Fisher's exact test towards worse, before the correction. */
  pWorse: number;
  worse: CorrectedP;
  better: CorrectedP;
}

interface CorrectedP {
  adjusted: number;
  /** Level that p must reach if it is the smallest. */
  level: number;
}

interface TestedHypotheses {
  /** Result for each pair; undefined where one side is absent or has no run that could be evaluated. */
  cases: (TestedCase | undefined)[];
  overall: { flips: Flips; p: PValues; worse: CorrectedP; better: CorrectedP };
}

/** A test that can never be significant. */
const NOTHING = { p: 1, floor: 1 };

export function testHypotheses(
  pairs: readonly CasePair[],
  alpha: number,
  tests: CaseTests,
): TestedHypotheses {
  const flips = countFlips(pairs);
  const p = mcNemarExact(flips.onlyBefore, flips.onlyAfter);
  // The smallest p that this number of cases can have together.
  const floor = 0.5 ** flips.cases;
  const counts = pairs.map(({ before, after }) => {
    const both = before && after && comparedRuns(before, after);
    return both?.every(({ runs }) => runs > 0) === true ? both : undefined;
  });
  const tested = counts.map((both) => both && tests.compare(...both));
  const worse = correct([{ p: p.less, floor }, ...tested.map((one) => one?.worse ?? NOTHING)], alpha);
  const better = correct([{ p: p.greater, floor }, ...tested.map((one) => one?.better ?? NOTHING)], alpha);
  return {
    cases: tested.map((one, index) => {
      const both = counts[index];
      if (!one || !both) return undefined;
      return {
        counts: both,
        pWorse: one.worse.p,
        worse: at(worse, index + 1),
        better: at(better, index + 1),
      };
    }),
    overall: { flips, p, worse: at(worse, 0), better: at(better, 0) },
  };
}

function at({ adjusted, levels }: Corrected, index: number): CorrectedP {
  return { adjusted: adjusted[index] ?? 1, level: levels[index] ?? 0 };
}
