// A limited number of calls at once, the others in the order in which they came.
import { setMaxListeners } from "node:events";
import { ProctorError } from "../core/errors.ts";

export interface Turns {
  /** Does the work when its turn comes. Throws RATE_LIMITED when too many wait, and the signal's reason when that comes first. */
  take<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T>;
}

export function createTurns(atOnce: number, maxWaiting: number): Turns {
  const waiting = new Set<() => void>();
  let working = 0;

  async function turn(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (working < atOnce) {
      working++;
      return;
    }
    if (waiting.size >= maxWaiting) {
      throw new ProctorError(
        "RATE_LIMITED",
        `${maxWaiting} calls of script tools wait already\ntry again later`,
      );
    }
    // Any number of calls may wait for one signal, and Node would report more than ten listeners as a leak.
    setMaxListeners(0, signal);
    await new Promise<void>((resolve, reject) => {
      const go = (): void => {
        signal.removeEventListener("abort", leave);
        resolve();
      };
      const leave = (): void => {
        waiting.delete(go);
        reject(signal.reason as Error);
      };
      waiting.add(go);
      signal.addEventListener("abort", leave, { once: true });
    });
  }

  /** Passes the turn to the next one that waits, or frees it. */
  function next(): void {
    const [first] = waiting;
    if (first === undefined) working--;
    else {
      waiting.delete(first);
      first();
    }
  }

  return {
    async take(work, signal) {
      await turn(signal);
      try {
        return await work();
      } finally {
        next();
      }
    },
  };
}
