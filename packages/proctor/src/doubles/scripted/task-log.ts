// What was sent of a task, numbered, with those who follow it. Followers read at their own pace; nobody holds the script back.
import { whenAborted } from "../../core/when-aborted.ts";
import type { StreamFrame } from "../../protocols/a2a/service.ts";

export interface TaskLog {
  /** The number of the next frame. */
  readonly end: number;
  append(frame: StreamFrame): void;
  /** Wakes the followers, which then check again whether the log has ended. */
  wake(): void;
  /** Yields the frames from a number on, until `isOver` is true for the number reached, or the signal aborts. */
  follow(from: number, isOver: (at: number) => boolean, signal: AbortSignal): AsyncGenerator<StreamFrame>;
}

/** Number of frames that are kept for clients that reconnect. */
const MAX_FRAMES = 10_000;

export function createTaskLog(): TaskLog {
  let frames: StreamFrame[] = [];
  let waiting: (() => void)[] = [];

  function wake(): void {
    const woken = waiting;
    waiting = [];
    for (const resume of woken) resume();
  }

  const log: TaskLog & { end: number } = {
    end: 0,
    append(frame) {
      frames.push(frame);
      log.end += 1;
      if (frames.length > MAX_FRAMES) frames = frames.slice(-MAX_FRAMES / 2);
      wake();
    },
    wake,
    async *follow(from, isOver, signal) {
      const left = whenAborted(signal);
      let at = from;
      while (!signal.aborted) {
        const first = log.end - frames.length;
        at = Math.max(at, first);
        if (isOver(at)) return;
        const frame = frames[at - first];
        if (frame !== undefined) {
          at += 1;
          yield frame;
        } else await Promise.race([left, new Promise<void>((resolve) => waiting.push(resolve))]);
      }
    },
  };
  return log;
}
