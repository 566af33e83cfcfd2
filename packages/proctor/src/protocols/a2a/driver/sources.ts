// Where news of a task come from: a stream, or asking for the task again and again. Pulled one by one: who does not ask holds the agent back.
import { pause } from "../../../runtime/time/pause.ts";
import type { Clock } from "../../../core/ports/clock.ts";
import { A2aError } from "../errors.ts";
import type { A2aTask } from "../model.ts";
import type { A2aStream, StreamFrame } from "../service.ts";

export type News =
  | { kind: "frame"; frame: StreamFrame }
  /** Last item of a source: the stream ended, or broke with this error. */
  | { kind: "over"; error?: A2aError };

export interface Source {
  /** A stream brings events; a poll only shows how things are. */
  readonly kind: "stream" | "poll";
  /** Never rejects because of the agent. */
  next(): Promise<News>;
  close(): void;
}

export function streamSource(stream: A2aStream): Source {
  const iterator = stream[Symbol.asyncIterator]();
  return {
    kind: "stream",
    async next() {
      try {
        const { done, value } = await iterator.next();
        return done === true ? { kind: "over" } : { kind: "frame", frame: value };
      } catch (error) {
        return brokenBy(error);
      }
    },
    close: () => void Promise.resolve(iterator.return?.()).catch(() => undefined),
  };
}

const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 5000;
const GROWTH = 1.5;

/** Polls at growing intervals; `over` comes only when a request fails. */
export function pollSource(
  getTask: () => Promise<A2aTask>,
  { clock, signal }: { clock: Clock; signal: AbortSignal },
): Source {
  const closing = new AbortController();
  const either = AbortSignal.any([signal, closing.signal]);
  let pauseMs = FIRST_PAUSE_MS;
  return {
    kind: "poll",
    async next() {
      try {
        await pause(clock, pauseMs, either);
        pauseMs = Math.min(pauseMs * GROWTH, LONGEST_PAUSE_MS);
        return { kind: "frame", frame: { event: { task: await getTask() } } };
      } catch (error) {
        return either.aborted ? { kind: "over" } : brokenBy(error);
      }
    },
    close: () => closing.abort(new Error("nobody asks any more")),
  };
}

/** Throws an error that is not one of A2A, because it is a bug. */
function brokenBy(error: unknown): News {
  if (error instanceof A2aError) return { kind: "over", error };
  throw error;
}
