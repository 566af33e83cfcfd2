// `proctor run`: submits the task, shows what happens, and answers with the run's end.
import { buffer } from "node:stream/consumers";
import type { Hub } from "../../../core/ports/hub.ts";
import type { Run } from "../../../core/run.ts";
import { localAgent } from "../../../hub/local-agent.ts";
import { readLog } from "../../../core/read-log.ts";
import type { CliIo } from "../../cli-io.ts";
import type { RunFlags } from "./flags.ts";
import { withHub, type CommandContext, type HubSession } from "../../compose/compose.ts";
import { requireFlag } from "../../flags.ts";
import { renderAnswers } from "../../terminal/answer-lines.ts";
import { hasPerson } from "../../terminal/prompt.ts";
import { renderRunSummary } from "../../terminal/run-summary.ts";
import { createScreen } from "../../terminal/screen.ts";
import { openTraces } from "../open-traces.ts";
import { createAsker } from "../talk/asker.ts";
import { continueRun } from "./continue-run.ts";
import { NOBODY_ASKED, planConversation, type ConversationPlan } from "./conversation-plan.ts";
import { followRun, type Watcher } from "./follow-run.ts";
import { readAnswers } from "./read-answers.ts";
import { recordingFile, writeRecordingOf } from "./recording-file.ts";
import { buildRequest } from "./run-request.ts";
import { createRunView } from "./run-view.ts";

export async function runTask(flags: RunFlags, context: CommandContext): Promise<number> {
  const { io } = context;
  if (flags.continue === undefined) requireAgent(flags.agent);
  const task = requireFlag(flags.task, "--task <text>", 'proctor run --agent … --task "Say hello"');
  const asksHere = flags.json !== true && flags.input !== "-" && hasPerson(io);
  const plan = planConversation(flags, asksHere);
  const request = await buildRequest(flags, task, plan, io);
  const recording = flags.record === undefined ? undefined : await recordingFile(flags.record, io);
  return withHub(context, flags, "write", async (session) => {
    io.signal.throwIfAborted();
    // A wrong address is reported before the run, not after it.
    const traces =
      flags.otlp === undefined ? undefined : await openTraces(flags.otlp, session.composition, io);
    const followed =
      flags.continue === undefined
        ? { agent: localAgent(requireAgent(flags.agent), session, io.cwd) }
        : await continueRun(flags.continue, flags.agent, session, io.cwd);
    const { run } = await session.hub.submit({ ...request, ...followed });
    const ended = await watchRun(session.hub, run, flags.json === true, io, plan);
    if (recording !== undefined) await writeRecordingOf(ended, recording, session);
    await traces?.send(ended, readLog(session.hub, ended.id));
    await traces?.close();
    if (flags.json === true) await printResponse(ended, session, io);
    if (io.signal.aborted) return 130;
    return ended.status === "completed" ? 0 : 1;
  });
}

function requireAgent(agent: string | undefined): string {
  return requireFlag(
    agent,
    "--agent <address>",
    'proctor run --agent "atp+stdio:python agent.py" --task "…"',
  );
}

/** Watches the run to its end. With --json the events are not shown, and a terminal on stderr still gets the progress line. */
export async function watchRun(
  hub: Hub,
  first: Run,
  json: boolean,
  io: CliIo,
  plan: ConversationPlan = NOBODY_ASKED,
): Promise<Run> {
  const output = json ? io.stderr : io.stdout;
  const screen = createScreen(io, output);
  const { paint } = screen;
  const view = createRunView({ io, output, screen, first, quiet: json });
  const asker = createAsker({
    hub,
    io,
    paint,
    plan,
    lend: view.lend,
    tell: (text) => json || view.tell(text),
    repeat: (question) => view.showQuestion(question),
  });
  const watcher: Watcher = {
    onRun(run) {
      view.onRun(run);
      asker.onRun(run);
    },
    onEvent(event) {
      view.onEvent(event, event.type === "question.answered" && asker.wasTyped(event.payload.answer.id));
      asker.onEvent(event);
    },
  };
  let ended: Run;
  try {
    ended = await followRun(hub, first, watcher, io.signal);
  } finally {
    await asker.close().finally(() => view.stop());
  }
  if (json) return ended;
  const answers = (await readAnswers(ended, hub)).filter(
    ({ text }) => text === undefined || !view.wasSaid(text),
  );
  screen.print(
    "",
    ...renderRunSummary(ended, paint, screen.width),
    ...renderAnswers(ended.id, answers, paint, screen.width),
  );
  return ended;
}

async function printResponse(run: Run, { hub, composition }: HubSession, io: CliIo): Promise<void> {
  const response = await composition.encodeResponse(run, async (artifact) =>
    buffer(await hub.readArtifact(run.id, artifact.id)),
  );
  createScreen(io).printJson(response);
}
