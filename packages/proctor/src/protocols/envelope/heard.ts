// What an agent says while it works, from two sides: the answer to the request, and envelopes that arrive by themselves. One queue, in the
// order of arrival, that holds back whoever can be held back.
import type { Failure } from "../../core/failure.ts";
import type { Heard } from "./read-envelopes.ts";

/** `over` means that nothing more comes from the answer to the request; it has a failure where the answer should have said more. */
export type HeardItem = Heard | { over: Failure | undefined };

export interface HeardQueue {
  /** Resolves when there is room again. */
  push(item: HeardItem): Promise<void>;
  /** Takes the item even beyond the limit; returns false where even that is too much. */
  offer(item: HeardItem): boolean;
  /** Resolves with undefined when the signal aborts first. */
  next(signal: AbortSignal): Promise<HeardItem | undefined>;
}

const ROOM = 64;
/** Envelopes that may wait; each has at most a megabyte, and most are far smaller. */
const MAX_WAITING = 2000;

export function createHeardQueue(): HeardQueue {
  const items: HeardItem[] = [];
  let wakeReader: (() => void) | undefined;
  const writers: (() => void)[] = [];

  function add(item: HeardItem): void {
    items.push(item);
    wakeReader?.();
  }

  return {
    async push(item) {
      add(item);
      if (items.length > ROOM) await new Promise<void>((resolve) => writers.push(resolve));
    },
    offer(item) {
      if (items.length >= MAX_WAITING) return false;
      add(item);
      return true;
    },
    async next(signal) {
      while (items.length === 0 && !signal.aborted) {
        await new Promise<void>((resolve) => {
          const wake = (): void => {
            signal.removeEventListener("abort", wake);
            wakeReader = undefined;
            resolve();
          };
          wakeReader = wake;
          signal.addEventListener("abort", wake, { once: true });
        });
      }
      if (signal.aborted) for (const release of writers.splice(0)) release();
      const item = items.shift();
      if (items.length <= ROOM / 2) for (const release of writers.splice(0)) release();
      return item;
    },
  };
}
