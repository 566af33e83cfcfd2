// The checks that hold others and count how many of them pass.
import { z } from "zod";
import type { Check, CheckSubject } from "../check.ts";
import type { Outcome, Verdict } from "../verdict.ts";
import { judgeAll, nestedCheck, summary } from "./nested.ts";
import type { NestedCheck, Registry } from "./nested.ts";

/** Lazy: the list of checks is complete only when a suite is read. */
export const checksIn = (registry: Registry) => z.array(nestedCheck(registry)).min(1).max(100);

/** `wished`: how the checks inside should come out. */
export function group(
  type: string,
  registry: Registry,
  wished: Outcome,
  decide: (outcomes: readonly Outcome[]) => Outcome,
): Check<{ checks: NestedCheck[] }> {
  return {
    type,
    config: z.strictObject({ checks: checksIn(registry) }),
    evaluate: (subject, { checks }) => judgeGroup(checks, subject, registry, wished, decide),
  };
}

export async function judgeGroup(
  checks: readonly NestedCheck[],
  subject: CheckSubject,
  registry: Registry,
  wished: Outcome,
  decide: (outcomes: readonly Outcome[]) => Outcome,
): Promise<Verdict> {
  const judged = await judgeAll(checks, subject, registry);
  const outcome = decide(judged.map((one) => one.outcome));
  return { outcome, message: summary(judged, wished, outcome) };
}
