// Whether an agent is to blame for how its run ended, for its circuit. Stricter than a test: what the request, a budget, or silence on our
// side brought about is no reason to keep work from the agent.
import type { Run } from "../../core/run.ts";
import { saysNothing } from "../../core/says-nothing.ts";

const NOT_ITS_FAULT = new Set([
  "INVALID_REQUEST",
  "BUDGET_EXCEEDED",
  "NO_ANSWER",
  "SIMULATOR_FAILED",
  "TOOL_NOT_FOUND",
  "LOOP_DETECTED",
]);

/** Returns true for a good end, false where the agent is to blame, and null where the end says nothing about the agent. */
export function verdictOfEnd(run: Pick<Run, "status" | "failure">): boolean | null {
  if (saysNothing(run)) return null;
  if (run.status === "completed" || run.status === "partial") return true;
  return NOT_ITS_FAULT.has(run.failure?.code ?? "") ? null : false;
}
