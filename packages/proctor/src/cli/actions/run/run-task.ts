// `proctor run`: submits the task, shows what happens, and answers with the run's end.
import { buffer } from "node:stream/consumers";
import { applyEvent, type RunState } from "../../../core/fold.ts";
import type { RunEvent } from "../../../core/event.ts";
import type { Hub } from "../../../core/ports/hub.ts";
import type { Run } from "../../../core/run.ts";
import { localAgent } from "../../../hub/local-agent.ts";
import { readLog } from "../../../core/read-log.ts";
import type { CliIo } from "../../cli-io.ts";
import type { RunFlags } from "./flags.ts";
import { withHub, type CommandContext, type HubSession } from "../../compose/compose.ts";
import { requireFlag } from "../../flags.ts";
import { renderAnswers } from "../../terminal/answer-lines.ts";
import { renderEventLine } from "../../terminal/event-line.ts";
import { createLiveLine } from "../../terminal/live-line.ts";
import { renderProgressLine } from "../../terminal/progress-line.ts";
import { renderRunSummary } from "../../terminal/run-summary.ts";
import { createScreen } from "../../terminal/screen.ts";
import { oneLine, truncate } from "../../terminal/text.ts";
import { followRun, type Watcher } from "./follow-run.ts";
import { openTraces } from "../open-traces.ts";
import { readAnswers } from "./read-answers.ts";
import { recordingFile, writeRecordingOf } from "./recording-file.ts";
import { buildRequest } from "./run-request.ts";

export async function runTask(flags: RunFlags, context: CommandContext): Promise<number> {
  const { io } = context;
  const agentName = requireFlag(
    flags.agent,
    "--agent <address>",
    'proctor run --agent "atp+stdio:python agent.py" --task "…"',
  );
  const task = requireFlag(flags.task, "--task <text>", 'proctor run --agent … --task "Say hello"');
  const request = await buildRequest(flags, task, io);
  const recording = flags.record === undefined ? undefined : await recordingFile(flags.record, io);
  return withHub(context, flags, "write", async (session) => {
    io.signal.throwIfAborted();
    // A wrong address is reported before the run, not after it.
    const traces =
      flags.otlp === undefined ? undefined : await openTraces(flags.otlp, session.composition, io);
    const agent = localAgent(agentName, session, io.cwd);
    const { run } = await session.hub.submit({ ...request, agent });
    const ended = await watchRun(session.hub, run, flags.json === true, io);
    if (recording !== undefined) await writeRecordingOf(ended, recording, session);
    await traces?.send(ended, readLog(session.hub, ended.id));
    await traces?.close();
    if (flags.json === true) await printResponse(ended, session, io);
    if (io.signal.aborted) return 130;
    return ended.status === "completed" ? 0 : 1;
  });
}

/** With --json the events are not shown, and a terminal on stderr still gets the progress line. */
export async function watchRun(hub: Hub, first: Run, json: boolean, io: CliIo): Promise<Run> {
  const output = json ? io.stderr : io.stdout;
  const screen = createScreen(io, output);
  const startedAt = Date.now();
  let state: RunState = { run: first, openCalls: [] };
  const live = createLiveLine(output, () => {
    const { status, metrics } = state.run;
    const hint = io.signal.aborted ? "cancelling…" : "Ctrl-C cancels";
    const elapsedMs = Date.now() - startedAt;
    return renderProgressLine({ status, metrics, elapsedMs, hint }, screen.paint, screen.width ?? 80);
  });
  const watcher: Watcher = {
    onRun(run) {
      state = { run: { ...run, metrics: {} }, openCalls: [] };
      if (!json) live.print(heading(run));
    },
    onEvent(event) {
      state = advance(state, event);
      if (json || event.type === "run.created") return;
      const startMs = Date.parse(first.created_at);
      live.print(renderEventLine(event, { startMs, paint: screen.paint, width: screen.width }));
    },
  };
  const heading = (run: Run) => {
    const attempt = run.attempt > 1 ? ` attempt ${run.attempt}` : "";
    const text = `run ${run.id}${attempt} on ${oneLine(run.agent)}`;
    return screen.paint.bold(screen.width === undefined ? text : truncate(text, screen.width));
  };
  let ended: Run;
  try {
    ended = await followRun(hub, first, watcher, io.signal);
  } finally {
    live.stop();
  }
  if (json) return ended;
  const { paint, width } = screen;
  const answers = await readAnswers(ended, hub);
  screen.print(
    "",
    ...renderRunSummary(ended, paint, width),
    ...renderAnswers(ended.id, answers, paint, width),
  );
  return ended;
}

/** The counters at the bottom follow the same rules as the run itself; an event that does not fit changes nothing. */
function advance(state: RunState, event: RunEvent): RunState {
  try {
    if (event.type === "run.created")
      return applyEvent(null, event.run_id, event, Date.parse(event.timestamp));
    return applyEvent(state, event.run_id, event, Date.parse(event.timestamp));
  } catch {
    return state;
  }
}

async function printResponse(run: Run, { hub, composition }: HubSession, io: CliIo): Promise<void> {
  const response = await composition.encodeResponse(run, async (artifact) =>
    buffer(await hub.readArtifact(run.id, artifact.id)),
  );
  createScreen(io).printJson(response);
}
