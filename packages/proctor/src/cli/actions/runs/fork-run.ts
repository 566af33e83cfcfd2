// `proctor runs fork`: goes on from a point of an ended run, in another one.
import { ProctorError } from "../../../core/errors.ts";
import type { ForkRequest } from "../../../core/fork.ts";
import type { Run } from "../../../core/run.ts";
import { localAgent } from "../../../hub/local-agent.ts";
import { withHub, type CommandContext, type HubSession } from "../../compose/compose.ts";
import { createScreen } from "../../terminal/screen.ts";
import { agentOf } from "../run/continue-run.ts";
import { watchRun } from "../run/run-task.ts";
import { findRun } from "./find-run.ts";
import type { ForkRunFlags } from "./flags.ts";

export async function forkRun(
  reference: string,
  flags: ForkRunFlags,
  context: CommandContext,
): Promise<number> {
  const { io } = context;
  if (flags.after !== undefined && flags.step !== undefined)
    throw new ProctorError("USAGE", "a fork is made after an event or a step: give --after or --step");
  return withHub(context, flags, "write", async (session) => {
    const { hub } = session;
    const before = await findRun(hub, reference);
    const { run } = await hub.fork(before.id, await requestOf(before, flags, session, io.cwd));
    const ended = await watchRun(hub, run, flags.json === true, io);
    const screen = createScreen(io);
    if (flags.json === true) screen.printJson(ended);
    else screen.print("", `   forked from ${before.id}`);
    if (io.signal.aborted) return 130;
    return ended.status === "completed" ? 0 : 1;
  });
}

async function requestOf(
  before: Run,
  { after, step, say, agent }: ForkRunFlags,
  session: HubSession,
  cwd: string,
): Promise<ForkRequest> {
  return {
    ...(after !== undefined && { after }),
    ...(step !== undefined && { step }),
    ...(say !== undefined && { message: say }),
    agent: agent === undefined ? await agentOf(before, session, cwd) : localAgent(agent, session, cwd),
  };
}
