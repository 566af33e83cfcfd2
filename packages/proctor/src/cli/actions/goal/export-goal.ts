// `proctor goal export`.
import { withHub, type CommandContext } from "../../compose/compose.ts";
import { writeTo } from "../write-to.ts";
import { findGoal } from "./find-goal.ts";
import type { ExportGoalFlags } from "./flags.ts";

export function exportGoal(
  reference: string,
  flags: ExportGoalFlags,
  context: CommandContext,
): Promise<number> {
  const { io } = context;
  return withHub(context, flags, "read", async (session) => {
    const suite = await session.platform.goals.exportSuite(await findGoal(session, reference), {
      ...(flags.task && { tasks: flags.task }),
      ...(flags.whole === true && { whole: true }),
    });
    await writeTo(flags.output, suite, io, (file) => [`run it: proctor test ${file}`]);
    return 0;
  });
}
