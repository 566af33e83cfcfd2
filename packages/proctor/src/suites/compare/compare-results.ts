// Compares two sets of results, case by case and over all. The probability of calling anything worse that is not is at most
// alpha; docs/reference/compare.md says how.
import { ProctorError } from "../../core/errors.ts";
import { MAX_COUNT } from "../statistics/argument-rules.ts";
import { detectableFlips } from "../statistics/detectable-effect.ts";
import { createCaseTests, type CaseTests } from "./case-tests.ts";
import type { CaseChange, CaseComparison, Comparison, ResultSet } from "./comparison.ts";
import { coversBefore } from "./coverage.ts";
import { findingsOf } from "./findings.ts";
import { pairCases, type CasePair } from "./pair-cases.ts";
import { compareMeasures, compareScores } from "./score-tests.ts";
import { sideOfCase } from "./side-of-case.ts";
import { testHypotheses, type TestedCase } from "./test-hypotheses.ts";

const ALPHA = 0.05;

export function compareResults(
  before: ResultSet,
  after: ResultSet,
  options: { alpha?: number } = {},
): Comparison {
  const { alpha = ALPHA } = options;
  if (!(alpha > 0 && alpha < 1))
    throw new ProctorError("USAGE", `alpha must be between 0 and 1, not ${alpha}\nfor example: 0.05`);
  const tests = createCaseTests();
  const pairs = pairCases(before.cases, after.cases);
  const tested = testHypotheses(pairs, alpha, tests);
  const scores = compareScores(pairs);
  const cases = pairs.map((pair, index) =>
    compareCase(pair, { tested: tested.cases[index], scoreP: scores[index] ?? null, alpha, tests }),
  );
  const measures = compareMeasures(cases);
  const score = measures.find(({ name }) => name === "score");
  const { flips, p, worse, better } = tested.overall;
  const regression = worse.adjusted <= alpha || cases.some(({ change }) => change === "regressed");
  const comparison = {
    before: { name: before.name, created_at: before.created_at },
    after: { name: after.name, created_at: after.created_at },
    alpha,
    overall: {
      cases: flips.cases,
      only_before: flips.onlyBefore,
      only_after: flips.onlyAfter,
      p_worse: p.less,
      p_better: p.greater,
      p_worse_adjusted: worse.adjusted,
      p_better_adjusted: better.adjusted,
      score_difference: score ? score.after - score.before : null,
      p_score: score?.p ?? null,
      // The number of flips it would take, even if there are fewer cases.
      detectable_flips: detectableFlips(MAX_COUNT, worse.level) ?? MAX_COUNT,
    },
    cases,
    measures,
    regression,
    outcome: regression
      ? ("fail" as const)
      : coversBefore(cases)
        ? ("pass" as const)
        : ("unevaluated" as const),
  };
  return { ...comparison, findings: findingsOf(comparison, { before, after }) };
}

interface CaseOptions {
  tested: TestedCase | undefined;
  scoreP: number | null;
  alpha: number;
  tests: CaseTests;
}

function compareCase(pair: CasePair, { tested, scoreP, alpha, tests }: CaseOptions): CaseComparison {
  const { suite, test_id, agent } = pair;
  const [first, second] = [pair.before?.key ?? "", pair.after?.key ?? ""];
  const change = changeOf(pair, tested, alpha);
  const compared = {
    suite,
    test_id,
    agent,
    change,
    // A report has no keys: nothing is known to have been edited.
    edited: first !== "" && second !== "" && first !== second,
    before: pair.before ? sideOfCase(pair.before) : null,
    after: pair.after ? sideOfCase(pair.after) : null,
    p_score: scoreP,
  };
  if (!tested)
    return {
      ...compared,
      p_worse: null,
      p_worse_adjusted: null,
      p_better_adjusted: null,
      detectable_drop: null,
    };
  const { counts, pWorse, worse, better } = tested;
  const { level } = pair.after?.outcome === "pass" ? better : worse;
  return {
    ...compared,
    p_worse: pWorse,
    p_worse_adjusted: worse.adjusted,
    p_better_adjusted: better.adjusted,
    detectable_drop: tests.drop(...counts, worse.level),
    ...(change === "undecided" && { runs_needed: tests.runsFor(...counts, level) }),
  };
}

function changeOf({ before, after }: CasePair, tested: TestedCase | undefined, alpha: number): CaseChange {
  if (!before) return "new";
  if (!after) return "missing";
  if (tested && tested.worse.adjusted <= alpha) return "regressed";
  if (tested && tested.better.adjusted <= alpha) return "improved";
  return before.outcome === after.outcome ? "unchanged" : "undecided";
}
