// Checks that hold others and count how many of them pass: `all`, `any`, `none` and `at_least`.
import { z } from "zod";
import { register, type CheckSubject, type RegisteredCheck } from "../check.ts";
import { allOf, anyOf, atLeast, noneOf } from "../nested/kleene.ts";
import { judgeAll, needsOf, nestedCheck, summary } from "../nested/nested.ts";
import type { NestedCheck, Registry } from "../nested/nested.ts";
import type { Outcome, Verdict } from "../verdict.ts";

interface GroupRule {
  /** How each check inside should come out. */
  wished: Outcome;
  decide: (outcomes: readonly Outcome[]) => Outcome;
  /** The number of passes that is a score of 1; the group has no score when absent. */
  wanted?: number | "all";
}

const RULES: Record<string, GroupRule> = {
  all: { wished: "pass", decide: allOf, wanted: "all" },
  any: { wished: "pass", decide: anyOf },
  none: { wished: "fail", decide: noneOf },
};

export function groups(registry: Registry): RegisteredCheck[] {
  const checks = z.array(nestedCheck(registry)).min(1).max(100);
  const needs = needsOf((config: { checks: NestedCheck[] }) => config.checks, registry);
  const plain = Object.entries(RULES).map(([type, rule]) =>
    register<{ checks: NestedCheck[] }>({
      type,
      config: z.strictObject({ checks }),
      ...needs,
      evaluate: (subject, { checks }) => judgeGroup(checks, subject, registry, rule),
    }),
  );
  const counting = register<{ count: number; checks: NestedCheck[] }>({
    type: "at_least",
    config: z.strictObject({ count: z.int().min(1), checks }).superRefine(({ count, checks }, context) => {
      if (count <= checks.length) return;
      const message = `"count" is more than there are checks`;
      context.addIssue({ code: "custom", path: ["count"], message });
    }),
    ...needs,
    async evaluate(subject, { count, checks }) {
      const rule: GroupRule = {
        wished: "pass",
        decide: (outcomes) => atLeast(count, outcomes),
        wanted: count,
      };
      const verdict = await judgeGroup(checks, subject, registry, rule);
      return { ...verdict, message: `at least ${count} expected, ${verdict.message}` };
    },
  });
  return [...plain, counting];
}

async function judgeGroup(
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
