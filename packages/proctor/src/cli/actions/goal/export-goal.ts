// `proctor goal export`.
import { hubAction } from "../hub-action.ts";
import { writeTo } from "../write-to.ts";
import { findGoal } from "./find-goal.ts";
import type { ExportGoalFlags } from "./flags.ts";

export const exportGoal = hubAction("read", async (session, reference: string, flags: ExportGoalFlags) => {
  const { io } = session;
  const suite = await session.platform.goals.exportSuite(await findGoal(session, reference), {
    ...(flags.task && { tasks: flags.task }),
    ...(flags.whole === true && { whole: true }),
  });
  await writeTo(flags.output, suite, io, (file) => [`run it: proctor test ${file}`]);
});
