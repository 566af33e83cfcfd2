// Logic with three values: what is not known is neither true nor false, until the rest decides it either way.
import type { Outcome } from "../verdict.ts";

/** Pass when so many pass for certain, fail when so many cannot, else unevaluated. */
export function atLeast(count: number, outcomes: readonly Outcome[]): Outcome {
  const passed = outcomes.filter((outcome) => outcome === "pass").length;
  const open = outcomes.filter((outcome) => outcome === "unevaluated").length;
  if (passed >= count) return "pass";
  return passed + open < count ? "fail" : "unevaluated";
}

export const allOf = (outcomes: readonly Outcome[]): Outcome => atLeast(outcomes.length, outcomes);
export const anyOf = (outcomes: readonly Outcome[]): Outcome => atLeast(1, outcomes);
export const noneOf = (outcomes: readonly Outcome[]): Outcome => opposite(anyOf(outcomes));

export function opposite(outcome: Outcome): Outcome {
  if (outcome === "unevaluated") return outcome;
  return outcome === "pass" ? "fail" : "pass";
}
