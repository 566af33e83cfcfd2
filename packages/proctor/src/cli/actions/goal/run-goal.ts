// `proctor goal`: asks for a goal, shows what happens, and answers with its end.
import type { Goal } from "../../../core/goal.ts";
import { withHub, type CommandContext, type HubSession } from "../../compose/compose.ts";
import { createScreen } from "../../terminal/screen.ts";
import { hasPerson } from "../../terminal/prompt.ts";
import { planConversation } from "../run/conversation-plan.ts";
import { watchRun } from "../run/run-task.ts";
import type { GoalFlags } from "./flags.ts";
import { goalRequest } from "./goal-request.ts";
import { previewLines } from "./preview-lines.ts";

export async function runGoal(
  what: string | undefined,
  flags: GoalFlags,
  context: CommandContext,
): Promise<number> {
  const { io, composition } = context;
  const request = await goalRequest(what, flags, composition, io);
  return withHub(context, flags, "write", async (session) => {
    const { goals } = session.platform;
    const screen = createScreen(io);
    if (flags.dryRun === true) {
      const preview = await goals.preview(request);
      if (flags.json === true) screen.printJson(preview);
      else screen.print(...previewLines(preview, screen));
      return preview.problems.length > 0 ? 2 : 0;
    }
    const key = flags.idempotencyKey;
    const { goal } = await goals.submit(request, key === undefined ? {} : { idempotencyKey: key });
    return watchGoal(goal, flags, session, context);
  });
}

/** Follows a goal to its end, unless the flags say to leave it. */
export async function watchGoal(
  goal: Goal,
  flags: Pick<GoalFlags, "detach" | "json">,
  session: HubSession,
  { io }: CommandContext,
): Promise<number> {
  const screen = createScreen(io);
  const { hub, platform } = session;
  if (flags.detach === true) {
    if (flags.json === true) screen.printJson(goal);
    else screen.print(goal.id);
    return 0;
  }
  const json = flags.json === true;
  const ended = await watchRun(
    hub,
    await hub.run(goal.id),
    json,
    io,
    planConversation({}, !json && hasPerson(io)),
  );
  if (json) screen.printJson(await platform.goals.get(goal.id));
  else screen.print("", screen.paint.dim(`look at it: proctor goal show ${goal.id} --why`));
  if (io.signal.aborted) return 130;
  return ended.status === "completed" ? 0 : 1;
}
