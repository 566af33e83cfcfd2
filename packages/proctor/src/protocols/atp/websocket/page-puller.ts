// Takes the pages of a task's messages in turn with the other tasks of its socket, so that few pages are in memory at a
// time, however many tasks have something to say and however slowly the client reads.
import type { Turns } from "./turns.ts";

export interface PagePuller<T> {
  /** Resolves with the next page; undefined at the end. */
  next(): Promise<T | undefined>;
  close(): Promise<void>;
}

/** Milliseconds in which a page that exists comes; a task that waits longer waits for its agent, and lets the others go first. */
const PATIENCE_MS = 2;
/** Pages after which a task lets the others go first as well. Its last page stays in memory until its next turn. */
const STINT = 32;

export function createPagePuller<T>(pages: AsyncIterator<T>, turns: Turns): PagePuller<T> {
  let holding = false;
  let pulled = 0;
  /** True when the last page existed before it was asked for; the next one may exist, too. */
  let behind = true;

  async function take(): Promise<void> {
    await turns.take();
    holding = true;
    pulled = 0;
  }

  function give(): void {
    if (!holding) return;
    holding = false;
    turns.give();
  }

  return {
    async next() {
      if (pulled >= STINT) give();
      if (!holding) await take();
      const callOff = behind ? afterPatience(give) : afterThisTurn(give);
      let result: IteratorResult<T>;
      try {
        result = await pages.next();
      } finally {
        callOff();
      }
      behind = holding;
      if (!holding) await take();
      pulled += 1;
      return result.done === true ? undefined : result.value;
    },
    async close() {
      give();
      await pages.return?.();
    },
  };
}

function afterPatience(callback: () => void): () => void {
  const timer = setTimeout(callback, PATIENCE_MS);
  return () => clearTimeout(timer);
}

function afterThisTurn(callback: () => void): () => void {
  const immediate = setImmediate(callback);
  return () => clearImmediate(immediate);
}
