// The frames of an agent's stream as a client gets them: each as soon as it has come, with the client's ids, and with files put together from
// their chunks and kept.
import type { Clock } from "../../../core/ports/clock.ts";
import type { ArtifactUpdate, StreamResponse, TaskStatus } from "../model.ts";
import { isTerminalState } from "../states.ts";
import type { Chunks } from "./chunks.ts";
import { withProduced, type Outward } from "./outward.ts";

export interface OutwardFramesDeps {
  outward: Outward;
  chunks: Chunks;
  /** Returns the final form of each frame. */
  note: (event: StreamResponse) => StreamResponse;
  clock: Clock;
  /** Milliseconds for which a file that may lack chunks is held back. */
  holdMs: number;
}

export async function* outwardFrames(
  events: AsyncIterable<StreamResponse>,
  { outward, chunks, note, clock, holdMs }: OutwardFramesDeps,
): AsyncGenerator<StreamResponse> {
  const iterator = events[Symbol.asyncIterator]();
  try {
    for (;;) {
      const coming = iterator.next();
      if (chunks.isUnsettled() && !(await settlesWithin(coming, clock, holdMs))) {
        for (const update of await chunks.settle()) yield note(toFrame(update));
      }
      const { done, value } = await coming;
      if (done === true) break;
      const now = translateNow(value);
      if (now) yield note(now);
      else for (const event of await translate(value)) yield note(event);
    }
    for (const update of await chunks.end(true)) yield note(toFrame(update));
  } finally {
    await chunks.close();
    await iterator.return?.();
  }

  /** Returns the frame at once, which nearly every frame allows; undefined for those that have to wait. */
  function translateNow(event: StreamResponse): StreamResponse | undefined {
    const { statusUpdate, artifactUpdate } = event;
    const update = statusUpdate ?? artifactUpdate;
    const ids = update && outward.knownIds(update.taskId, update.contextId);
    if (ids === undefined) return undefined;
    if (artifactUpdate)
      return chunks.passes(artifactUpdate) ? toFrame({ ...artifactUpdate, ...ids }) : undefined;
    if (statusUpdate === undefined || !chunks.isIdle() || isTerminalState(statusUpdate.status.state)) {
      return undefined;
    }
    const { status } = statusUpdate;
    if (status.message === undefined) return { ...event, statusUpdate: { ...statusUpdate, ...ids } };
    const message = outward.messageNow(status.message);
    return message && { ...event, statusUpdate: { ...statusUpdate, ...ids, status: { ...status, message } } };
  }

  async function translate(event: StreamResponse): Promise<StreamResponse[]> {
    const { task, message, statusUpdate, artifactUpdate } = event;
    if (task) return [...(await before(task.status)), { ...event, task: await outward.task(task) }];
    if (message) return [...(await settled()), { ...event, message: await outward.message(message) }];
    if (artifactUpdate) {
      const ids = await outward.ids(artifactUpdate.taskId, artifactUpdate.contextId);
      return (await chunks.take({ ...artifactUpdate, ...ids })).map(toFrame);
    }
    if (statusUpdate) {
      const held = await before(statusUpdate.status);
      const ids = await outward.ids(statusUpdate.taskId, statusUpdate.contextId);
      const status = await outward.status(statusUpdate.status);
      const told = { ...statusUpdate, ...ids, status };
      const isLast = isTerminalState(status.state);
      return [...held, { ...event, statusUpdate: isLast ? withProduced(told, outward.produced()) : told }];
    }
    return [...(await settled()), event];
  }

  /** Resolves with what is held, before a state that says that nothing more will come. */
  async function before({ state }: TaskStatus): Promise<StreamResponse[]> {
    if (!isTerminalState(state)) return settled();
    return (await chunks.end(state === "TASK_STATE_COMPLETED")).map(toFrame);
  }

  async function settled(): Promise<StreamResponse[]> {
    return (await chunks.settle()).map(toFrame);
  }
}

function toFrame(artifactUpdate: ArtifactUpdate): StreamResponse {
  return { artifactUpdate };
}

/** Never rejects: a caller that awaits the promise itself gets its error. */
function settlesWithin(promise: Promise<unknown>, clock: Clock, delayMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const callOff = clock.after(delayMs, () => resolve(false));
    const settle = (): void => {
      callOff();
      resolve(true);
    };
    promise.then(settle, settle);
  });
}
