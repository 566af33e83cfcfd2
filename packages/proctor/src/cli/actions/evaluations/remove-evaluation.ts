// `proctor evaluations remove`.
import { withHub, type CommandContext } from "../../compose/compose.ts";
import { createScreen } from "../../terminal/screen.ts";
import { findEvaluation } from "./find-evaluation.ts";
import type { RemoveEvaluationFlags } from "./flags.ts";

export function removeEvaluation(
  reference: string,
  flags: RemoveEvaluationFlags,
  context: CommandContext,
): Promise<number> {
  return withHub(context, flags, "write", async ({ platform }) => {
    const { id } = await findEvaluation(platform.evaluations, reference);
    await platform.evaluations.remove(id, { runs: flags.runs === true });
    const screen = createScreen(context.io);
    if (flags.json === true) screen.printJson({ id, removed: true });
    else screen.print(`${screen.paint.green("✓")} removed ${screen.paint.bold(id)}`);
    return 0;
  });
}
