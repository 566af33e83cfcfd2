// Passes when so many of the checks inside pass.
import { z } from "zod";
import type { Check } from "../check.ts";
import { checksIn, judgeGroup } from "./group.ts";
import { atLeast as atLeastOf } from "../nested/kleene.ts";
import { filesOf, needsJudge, needsWorkspace } from "../nested/nested.ts";
import type { NestedCheck, Registry } from "../nested/nested.ts";

export function atLeast(registry: Registry): Check<{ count: number; checks: NestedCheck[] }> {
  return {
    type: "at_least",
    config: z
      .strictObject({ count: z.int().min(1), checks: checksIn(registry) })
      .superRefine(({ count, checks }, context) => {
        if (count <= checks.length) return;
        const message = `"count" is more than there are checks`;
        context.addIssue({ code: "custom", path: ["count"], message });
      }),
    needsWorkspace: ({ checks }) => needsWorkspace(checks, registry),
    needsJudge: ({ checks }) => needsJudge(checks, registry),
    files: ({ checks }) => filesOf(checks, registry),
    async evaluate(subject, { count, checks }) {
      const decide = atLeastOf.bind(undefined, count);
      const judged = await judgeGroup(checks, subject, registry, { wished: "pass", decide, wanted: count });
      return { ...judged, message: `at least ${count} expected, ${judged.message}` };
    },
  };
}
