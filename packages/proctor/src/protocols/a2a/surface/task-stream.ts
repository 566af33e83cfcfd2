// The stream of a task: a snapshot, then what changes, each with the id `<run>:<sequence>` of the event behind it. A client that comes back
// with the last id it saw is continued exactly there, whatever happened to the hub or to the task meanwhile.
import type { LogReader } from "../../../core/ports/log-reader.ts";
import { decodeRecord } from "../../../core/ports/store.ts";
import type { Hub } from "../../../core/ports/hub.ts";
import type { A2aVersion, StreamFrame } from "../service.ts";
import { isInterruptedState, isTerminalState } from "../states.ts";
import { withAttempts, type FoundTask } from "./find-task.ts";
import { foldNow, saidBefore, viewOf } from "./read-task.ts";
import { changeEvent, taskDocument, type DocumentOptions, type TaskShape } from "./task-document.ts";
import { createTaskFold, isRelevant, type Change, type TaskFold } from "./task-fold.ts";
import { stateOf } from "./task-state.ts";

export interface StreamDeps extends DocumentOptions {
  hub: Pick<Hub, "run" | "events" | "readArtifact">;
  log: Pick<LogReader, "records">;
}

/** An event of a run's log, which a frame's id names. */
export interface LogPosition {
  runId: string;
  sequence: number;
}

export interface TaskStreamOptions extends TaskShape {
  task: FoundTask;
  /** The last event whose frame the client has; it gets a snapshot first when absent. */
  after?: LogPosition | undefined;
  /** Whether the stream ends at a change to this state, beside the states that end a task. */
  endsAt: (state: string) => boolean;
  signal: AbortSignal;
}

/** A stream that began with a message ends where its client has to say something; 0.3 counts authorization as such. */
export function endsForClient(version: A2aVersion): (state: string) => boolean {
  return version === "0.3" ? isInterruptedState : (state) => state === "TASK_STATE_INPUT_REQUIRED";
}

export function readPosition(id: string): LogPosition | undefined {
  const [, runId, sequence] = /^([\w-]{1,64}):(\d{1,15})$/.exec(id) ?? [];
  return runId === undefined ? undefined : { runId, sequence: Number(sequence) };
}

export async function* taskStream(
  deps: StreamDeps,
  { task, after, endsAt, signal, ...shape }: TaskStreamOptions,
): AsyncGenerator<StreamFrame> {
  let fold: TaskFold;
  if (after === undefined) {
    fold = await foldNow(deps.hub, task.last.id);
    const view = viewOf(task.id, await saidBefore(deps, task), fold);
    const event = { task: await taskDocument(view, deps, shape) };
    yield { event, id: idOf(task.last.id, fold.sequence()) };
    const state = stateOf(fold.run());
    if (isTerminalState(state) || endsAt(state)) return;
  } else {
    fold = createTaskFold(after.runId, { pieces: true });
  }
  for await (const change of changesAfter(deps, fold, after?.sequence ?? fold.sequence(), signal)) {
    yield { event: await changeEvent(change, task.id, deps), id: idOf(change.run.id, change.sequence) };
    if (change.kind === "status" && endsAt(change.state) && (await isStill(deps, task, endsAt))) return;
  }
}

/** A question that was answered at once, by a policy or by somebody faster, is nothing to stop for. */
async function isStill(
  { hub }: StreamDeps,
  task: FoundTask,
  endsAt: (state: string) => boolean,
): Promise<boolean> {
  const { last } = await withAttempts(hub, await hub.run(task.id));
  return endsAt(stateOf(last));
}

/**
 * What changes after an event, through all attempts, until the task has ended or the signal aborts. What the fold has not read yet of the log
 * before that event is folded too, because a change means something only after it.
 */
async function* changesAfter(
  { hub, log }: StreamDeps,
  begun: TaskFold,
  sequence: number,
  signal: AbortSignal,
): AsyncGenerator<Change> {
  let fold = begun;
  let after = sequence;
  for (;;) {
    for await (const records of log.records(fold.runId, fold.sequence(), signal)) {
      for (const record of records) {
        const change = isRelevant(record.type) ? fold.add(decodeRecord(record)) : undefined;
        if (change !== undefined && record.sequence > after) yield change;
      }
    }
    if (signal.aborted) return;
    const { retried_as: next } = await hub.run(fold.runId);
    if (next === null) return;
    fold = createTaskFold(next, { pieces: true });
    after = -1;
  }
}

function idOf(runId: string, sequence: number): string {
  return `${runId}:${sequence}`;
}
