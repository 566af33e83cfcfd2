// `proctor goal rerun`.
import type { TaskChange } from "../../../core/goal.ts";
import { withHub, type CommandContext } from "../../compose/compose.ts";
import { parsePairs } from "../key-values.ts";
import { findGoal } from "./find-goal.ts";
import type { RerunFlags } from "./flags.ts";
import { readJsonFlag } from "./goal-request.ts";
import { watchGoal } from "./run-goal.ts";

export async function rerunGoal(
  reference: string,
  flags: RerunFlags,
  context: CommandContext,
): Promise<number> {
  const changes = await changesOf(flags, context);
  return withHub(context, flags, "write", async (session) => {
    const { goal } = await session.platform.goals.rerun(await findGoal(session, reference), {
      ...(flags.from && { from: flags.from }),
      ...(Object.keys(changes).length > 0 && { changes }),
    });
    return watchGoal(goal, flags, session, context);
  });
}

async function changesOf(
  { agent = [], input = [] }: RerunFlags,
  { io }: CommandContext,
): Promise<Record<string, TaskChange>> {
  const changes = new Map<string, TaskChange>();
  for (const [task, name] of Object.entries(parsePairs("--agent", agent))) changes.set(task, { agent: name });
  for (const [task, text] of Object.entries(parsePairs("--input", input)))
    changes.set(task, { ...changes.get(task), input: await readJsonFlag("--input", text, io) });
  return Object.fromEntries(changes);
}
