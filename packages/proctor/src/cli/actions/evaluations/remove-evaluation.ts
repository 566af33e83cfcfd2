// `proctor evaluations remove`.
import { hubAction } from "../hub-action.ts";
import { findEvaluation } from "./find-evaluation.ts";
import type { RemoveEvaluationFlags } from "./flags.ts";

export const removeEvaluation = hubAction(
  "write",
  async ({ platform, screen }, reference: string, flags: RemoveEvaluationFlags) => {
    const { id } = await findEvaluation(platform.evaluations, reference);
    await platform.evaluations.remove(id, { runs: flags.runs === true });
    if (flags.json === true) screen.printJson({ id, removed: true });
    else screen.print(`${screen.paint.green("✓")} removed ${screen.paint.bold(id)}`);
  },
);
