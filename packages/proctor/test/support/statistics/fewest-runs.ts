// How many runs a gate needs at least, found by asking the gate.
import { createGate, type GateRule } from "../../../src/suites/statistics/sequential.ts";

/** Nobody makes more runs than this. */
const MOST = 1_000_000;

/** The fewest runs after which the gate passes, when none fails; undefined when it never does. */
export function fewestRunsToPass(rule: Omit<GateRule, "max_runs">): number | undefined {
  const passes = (runs: number): boolean =>
    createGate({ ...rule, max_runs: Math.max(1, runs) }).decide(runs, 0).decision === "pass";
  if (passes(0)) return 0;
  let enough = 1;
  while (!passes(enough)) {
    enough *= 2;
    if (enough > MOST) return undefined;
  }
  // More runs without a failure never prove less.
  for (let tooFew = Math.floor(enough / 2); enough - tooFew > 1;) {
    const middle = Math.floor((tooFew + enough) / 2);
    if (passes(middle)) enough = middle;
    else tooFew = middle;
  }
  return enough;
}
