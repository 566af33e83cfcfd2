// `proctor tasks fork`: another agent goes on from a step of a trial, and is judged as the first one was.
import { ProctorError } from "../../../core/errors.ts";
import type { Run } from "../../../core/run.ts";
import { localAgent } from "../../../hub/local-agent.ts";
import { readTask, findTasks } from "../../../tasks/find-tasks.ts";
import { judgeRun } from "../../../tasks/judge-run.ts";
import type { ForkFlags } from "./flags.ts";
import { withHub, type CommandContext, type HubSession } from "../../compose/compose.ts";
import { requireFlag } from "../../flags.ts";
import { createScreen } from "../../terminal/screen.ts";
import { builtinAgent } from "./builtin-agent.ts";
import { environmentOf } from "../environment-flags.ts";
import { findRun } from "../runs/find-run.ts";
import { watchRun } from "../run/run-task.ts";

export async function forkTrial(
  reference: string,
  flags: ForkFlags,
  context: CommandContext,
): Promise<number> {
  const { io } = context;
  const name = requireFlag(
    flags.agent,
    "--agent <address>",
    'proctor tasks fork <run> --step 3 --agent "term+stdio:agent.py"',
  );
  return withHub(context, flags, "write", async (session) => {
    const { hub } = session;
    const before = await findRun(hub, reference);
    const { files: _, ...environment } = before.options.environment ?? {};
    const { script: __, ...terminal } = before.options.terminal ?? {};
    const from = { run_id: before.id, ...(flags.step !== undefined && { step: flags.step }) };
    const { run } = await hub.submit({
      agent: localAgent(builtinAgent(name), session, io.cwd),
      task: before.task,
      constraints: before.constraints,
      metadata: {
        ...before.metadata,
        forked_from: from,
      },
      conversation_id: before.conversation_id,
      options: {
        ...before.options,
        environment: {
          ...environment,
          ...environmentOf(flags),
          from,
          hold: typeof before.metadata["task_dir"] === "string",
        },
        terminal,
      },
    });
    const ended = await watchRun(hub, run, flags.json === true, io);
    if (flags.json === true) createScreen(io).printJson(ended);
    if (io.signal.aborted) return 130;
    return judge(ended, session, context, flags.json === true);
  });
}

/** Judges the fork by the tests of its task, or by its status alone where it has no task. */
async function judge(run: Run, session: HubSession, { io }: CommandContext, quiet: boolean): Promise<number> {
  const { task_dir: dir } = run.metadata;
  if (typeof dir !== "string") return run.status === "completed" ? 0 : 1;
  const {
    tasks: [found],
  } = await findTasks(dir, io.cwd);
  if (!found) throw new ProctorError("TASK_INVALID", `${dir}  there is no task any more`);
  const services = await session.composition.checkServices(session.config, session.hub);
  const verdict = await judgeFork(run, await readTask(found), {
    hub: session.hub,
    services,
    signal: io.signal,
  });
  const screen = createScreen(io, quiet ? io.stderr : io.stdout);
  const paint = { pass: screen.paint.green, fail: screen.paint.red, unevaluated: screen.paint.yellow }[
    verdict.outcome
  ];
  screen.print("", `${paint(verdict.outcome)}  ${verdict.message}`);
  return { pass: 0, fail: 1, unevaluated: 3 }[verdict.outcome];
}

/** Releases the environment that was held open for the tests. */
async function judgeFork(...[run, task, deps]: Parameters<typeof judgeRun>): ReturnType<typeof judgeRun> {
  try {
    return await judgeRun(run, task, deps);
  } finally {
    await deps.hub.release(run.id);
  }
}
