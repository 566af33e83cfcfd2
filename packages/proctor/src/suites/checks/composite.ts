// Passes when conditions hold that are joined by and, or and not, as suites of the ATP platform have it.
import { z } from "zod";
import type { Check } from "../check.ts";
import { conditionSchema, leavesOf, weigh } from "../nested/condition.ts";
import type { Branch } from "../nested/condition.ts";
import { needsOf } from "../nested/nested.ts";
import { cut } from "../texts/words.ts";
import type { Registry } from "../nested/nested.ts";

const MESSAGE_CHARS = 1000;

export function composite(registry: Registry): Check<Branch> {
  return {
    type: "composite",
    config: z.strictObject({
      operator: z.enum(["and", "or"]).default("and"),
      conditions: z.array(conditionSchema(registry)).min(1).max(100),
    }),
    ...needsOf<Branch>(leavesOf, registry),
    async evaluate(subject, branch) {
      const { outcome, message } = await weigh(branch, subject, registry);
      return { outcome, message: cut(message, MESSAGE_CHARS) };
    },
  };
}
