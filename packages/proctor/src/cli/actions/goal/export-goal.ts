// `proctor goal export`.
import { writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { withHub, type CommandContext } from "../../compose/compose.ts";
import { createScreen } from "../../terminal/screen.ts";
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
    if (flags.output === undefined) io.stdout.write(suite);
    else {
      await writeFile(resolve(io.cwd, flags.output), suite);
      createScreen(io).print(`written: ${flags.output}`, `run it: proctor test ${flags.output}`);
    }
    return 0;
  });
}
