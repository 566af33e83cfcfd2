// The outcomes that comparisons go by. A test fails when its agent cannot be reached, but that says nothing about the agent: such
// runs count as not evaluated, so that they neither make it worse nor become the measure for later ones.
import type { FailureCode } from "../../core/failure.ts";
import type { Outcome } from "../verdict.ts";

const NOT_REACHED: ReadonlySet<string> = new Set<FailureCode>([
  "UNREACHABLE",
  "TLS_FAILED",
  "AGENT_NOT_STARTED",
]);

interface Judged {
  outcome: Outcome;
  failure?: { code: string } | null | undefined;
}

export function comparedRun({ outcome, failure }: Judged): Outcome {
  return isReached(failure) ? outcome : "unevaluated";
}

/** Returns the outcome of a case with these runs. */
export function comparedCase(outcome: Outcome, runs: readonly Judged[]): Outcome {
  if (runs.every(({ failure }) => isReached(failure))) return outcome;
  return runs.some((run) => comparedRun(run) === "fail") ? "fail" : "unevaluated";
}

function isReached(failure: Judged["failure"]): boolean {
  return !NOT_REACHED.has(failure?.code ?? "");
}
