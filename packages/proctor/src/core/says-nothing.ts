// Ends of runs that say nothing about their agents, because something else stopped them: neither a test nor a measure counts them.
import type { Run } from "./run.ts";

const NOT_THE_AGENT = new Set([
  "INTERRUPTED",
  "SECRETS_LOST",
  "CANCELLED",
  "WORKSPACE_FAILED",
  "TOOLS_FAILED",
  "MODEL_FAILED",
  "ENVIRONMENT_FAILED",
  "ENVIRONMENT_UNAVAILABLE",
  "BUILD_FAILED",
  "RECORDING_UNUSABLE",
]);

/** Returns whether the end of a run says nothing about its agent. */
export function saysNothing({ status, failure }: Pick<Run, "status" | "failure">): boolean {
  return status === "cancelled" || NOT_THE_AGENT.has(failure?.code ?? "");
}
