// Where a run was forked from, as its metadata tells.
import type { Run } from "../../api/gen/schema.ts";

export interface ForkedFrom {
  runId: string;
  sequence?: number;
  step?: number;
}

/** Returns undefined for a run that is not a fork. */
export function forkedFrom({ metadata }: Pick<Run, "metadata">): ForkedFrom | undefined {
  const from = metadata["forked_from"];
  if (typeof from !== "object" || from === null || !("run_id" in from)) return undefined;
  if (typeof from.run_id !== "string") return undefined;
  return {
    runId: from.run_id,
    ...("sequence" in from && typeof from.sequence === "number" && { sequence: from.sequence }),
    ...("step" in from && typeof from.step === "number" && { step: from.step }),
  };
}
