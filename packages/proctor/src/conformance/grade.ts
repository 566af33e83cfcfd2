// What the result of a rule comes to. Only a rule of the protocol's document that nobody disputes decides the verdict.
import type { ConformanceRule, RuleResult } from "./conformance.ts";

/** Grade of a result. `no_occasion`: a rule that does not affect the verdict had no occasion. */
export type Grade = "passed" | "failed" | "warning" | "advice" | "disputed" | "unevaluated" | "no_occasion";

type Decisive = Pick<ConformanceRule, "owner" | "level" | "disputed">;

export function gradeOf(rule: Decisive, outcome: RuleResult["outcome"], strict: boolean): Grade {
  switch (outcome) {
    case "pass":
      return "passed";
    case "unevaluated":
      return decides(rule) ? "unevaluated" : "no_occasion";
    case "fail":
      if (rule.disputed !== undefined) return "disputed";
      if (!decides(rule)) return "advice";
      return rule.level === "should" && !strict ? "warning" : "failed";
  }
}

/** Whether the result of the rule affects the verdict. */
export function decides({ owner, level, disputed }: Decisive): boolean {
  return owner === "document" && level !== "may" && disputed === undefined;
}
