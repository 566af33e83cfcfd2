// How much of a comparison could be made at all. What is missing on a side, or could not be evaluated there, is never a pass.
import type { CaseComparison, SideOfCase } from "./comparison.ts";

type Cases = readonly Pick<CaseComparison, "before" | "after">[];

/** Cases that were evaluated on both sides. */
export function comparedCases<Case extends Cases[number]>(cases: readonly Case[]): Case[] {
  return cases.filter(({ before, after }) => isEvaluated(before) && isEvaluated(after));
}

/** Whether something could be compared, and every earlier case was evaluated again. New cases do not matter. */
export function coversBefore(cases: Cases): boolean {
  const isLost = ({ before, after }: Cases[number]): boolean => before !== null && !isEvaluated(after);
  return comparedCases(cases).length > 0 && !cases.some(isLost);
}

/** Whether every case was evaluated on both sides, as required where neither is the baseline. */
export function coversBoth(cases: Cases): boolean {
  return cases.length > 0 && comparedCases(cases).length === cases.length;
}

/** Returns why nothing could be compared, as the end of a sentence; undefined when something could. */
export function whyNothing(cases: Cases, names: { before: string; after: string }): string | undefined {
  if (comparedCases(cases).length > 0) return undefined;
  const [first, second] = [cases.map(({ before }) => before), cases.map(({ after }) => after)];
  const common = cases.some(({ before, after }) => before !== null && after !== null);
  if (!common) return "no case is in both";
  if (!first.some(isEvaluated)) return `no run of ${names.before} could be evaluated`;
  if (!second.some(isEvaluated)) return `no run of ${names.after} could be evaluated`;
  return "no case could be evaluated in both";
}

function isEvaluated(side: SideOfCase | null): boolean {
  return side !== null && side.outcome !== "unevaluated" && side.runs > 0;
}
