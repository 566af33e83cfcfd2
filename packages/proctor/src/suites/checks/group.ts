// The checks that hold others and count how many of them pass.
import { z } from "zod";
import type { Check, CheckSubject } from "../check.ts";
import type { Outcome, Verdict } from "../verdict.ts";
import { filesOf, judgeAll, needsJudge, needsWorkspace, nestedCheck, summary } from "../nested/nested.ts";
import type { NestedCheck, Registry } from "../nested/nested.ts";

/** Lazy: the list of checks is complete only when a suite is read. */
export const checksIn = (registry: Registry) => z.array(nestedCheck(registry)).min(1).max(100);

export interface GroupRule {
  /** How the checks inside should come out. */
  wished: Outcome;
  decide: (outcomes: readonly Outcome[]) => Outcome;
  /** So many passes are a score of 1; there is no score when absent. */
  wanted?: number | "all";
}

export function group(type: string, registry: Registry, rule: GroupRule): Check<{ checks: NestedCheck[] }> {
  return {
    type,
    config: z.strictObject({ checks: checksIn(registry) }),
    needsWorkspace: ({ checks }) => needsWorkspace(checks, registry),
    needsJudge: ({ checks }) => needsJudge(checks, registry),
    files: ({ checks }) => filesOf(checks, registry),
    evaluate: (subject, { checks }) => judgeGroup(checks, subject, registry, rule),
  };
}

export async function judgeGroup(
  checks: readonly NestedCheck[],
  subject: CheckSubject,
  registry: Registry,
  { wished, decide, wanted }: GroupRule,
): Promise<Verdict> {
  const judged = await judgeAll(checks, subject, registry);
  const outcome = decide(judged.map((one) => one.outcome));
  const verdict: Verdict = { outcome, message: summary(judged, wished, outcome) };
  if (wanted === undefined || outcome === "unevaluated") return verdict;
  const passed = judged.filter((one) => one.outcome === "pass").length;
  return { ...verdict, score: Math.min(1, passed / (wanted === "all" ? checks.length : wanted)) };
}
