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
import { createTaskFold, isRelevant, type TaskFold } from "./task-fold.ts";
import { stateOf } from "./task-state.ts";
import { toA2aError } from "./to-a2a-error.ts";

export interface StreamDeps extends DocumentOptions {
  hub: Pick<Hub, "run" | "events" | "readArtifact">;
  log: Pick<LogReader, "records">;
}

/** Position of an event in a run's log, which is the id of a frame. */
export interface LogPosition {
  runId: string;
  sequence: number;
}

export interface TaskStreamOptions extends TaskShape {
  task: FoundTask;
  /** Last event whose frame the client has; it gets a snapshot first when absent. */
  after?: LogPosition | undefined;
  /** Returns whether the stream ends at a change to this state, besides the states that end a task. */
  endsAt: (state: string) => boolean;
  signal: AbortSignal;
}

/** Returns the condition that ends a stream which began with a message: its client has to answer; 0.3 counts authorization as such. */
export function endsForClient(version: A2aVersion): (state: string) => boolean {
  return version === "0.3" ? isInterruptedState : (state) => state === "TASK_STATE_INPUT_REQUIRED";
}

export function readPosition(id: string): LogPosition | undefined {
  const [, runId, sequence] = /^([\w-]{1,64}):(\d{1,15})$/.exec(id) ?? [];
  return runId === undefined ? undefined : { runId, sequence: Number(sequence) };
}

/**
 * Yields a snapshot, then what changes, through all attempts, until the task has ended or the signal aborts. The part of the log before the last
 * event that the client has is folded too, because a change means something only after it. Throws A2aError. This is one generator and no more: very
 * many streams may be open at once, and each layer would wait in memory.
 */
export async function* taskStream(
  deps: StreamDeps,
  { task, after, endsAt, signal, ...shape }: TaskStreamOptions,
): AsyncGenerator<StreamFrame> {
  try {
    let fold = after === undefined ? await foldNow(deps.hub, task.last.id) : foldFrom(after.runId);
    let seen = after?.sequence ?? fold.sequence();
    if (after === undefined) {
      const view = viewOf(task.id, await saidBefore(deps, task), fold);
      yield { event: { task: await taskDocument(view, deps, shape) }, id: idOf(task.last.id, seen) };
      const state = stateOf(fold.run());
      if (isTerminalState(state) || endsAt(state)) return;
    }
    for (;;) {
      for await (const records of deps.log.records(fold.runId, fold.sequence(), signal)) {
        for (const record of records) {
          const change = isRelevant(record.type) ? fold.add(decodeRecord(record)) : undefined;
          if (change === undefined || record.sequence <= seen) continue;
          yield { event: await changeEvent(change, task.id, deps), id: idOf(fold.runId, change.sequence) };
          if (change.kind === "status" && endsAt(change.state) && (await isStill(deps, task, endsAt))) return;
        }
      }
      if (signal.aborted) return;
      const { retried_as: next } = await deps.hub.run(fold.runId);
      if (next === null) return;
      fold = foldFrom(next);
      seen = -1;
    }
  } catch (thrown) {
    throw toA2aError(thrown);
  }
}

function foldFrom(runId: string): TaskFold {
  return createTaskFold(runId, { pieces: true });
}

/**
 * Resolves with whether the task is still in such a state: a question that was answered at once, by a policy or by another client, does not stop the
 * stream.
 */
async function isStill(
  { hub }: StreamDeps,
  task: FoundTask,
  endsAt: (state: string) => boolean,
): Promise<boolean> {
  const { last } = await withAttempts(hub, await hub.run(task.id));
  return endsAt(stateOf(last));
}

function idOf(runId: string, sequence: number): string {
  return `${runId}:${sequence}`;
}
