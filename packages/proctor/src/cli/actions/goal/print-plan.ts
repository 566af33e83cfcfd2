// `proctor goal plan`.
import { withHub, type CommandContext } from "../../compose/compose.ts";
import { createScreen } from "../../terminal/screen.ts";
import { findGoal } from "./find-goal.ts";
import type { PlanFlags } from "./flags.ts";

export function printPlan(reference: string, flags: PlanFlags, context: CommandContext): Promise<number> {
  return withHub(context, flags, "read", async (session) => {
    const plan = await session.platform.goals.plan(await findGoal(session, reference));
    createScreen(context.io).printJson(plan);
    return 0;
  });
}
