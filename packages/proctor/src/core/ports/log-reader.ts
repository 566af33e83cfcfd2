// How everything outside the engine reads logs that grow: surfaces, live streams, webhooks. Pages are raw records, so that a
// payload is parsed only by readers that look inside.
import type { Run } from "../run.ts";
import type { CommitListener, EventRecord } from "./store.ts";

export interface LogReader {
  /**
   * Yields pages of a run's log after the sequence `after` (-1 for all), then more as it grows. Ends after `run.ended`, or when the
   * signal aborts. A reader that has seen `run.ended` gets what clients have added since, and no more. Throws RUN_NOT_FOUND.
   */
  records(runId: string, after: number, signal: AbortSignal): AsyncIterable<readonly EventRecord[]>;
  /** Resolves with the run when it has ended; rejects when the signal aborts first. Throws RUN_NOT_FOUND. */
  ended(runId: string, signal: AbortSignal): Promise<Run>;
  /**
   * Calls `look` now and after each commit to the run, until it finds something. Rejects with the signal's reason, or with
   * what `look` throws.
   */
  until<T>(runId: string, look: () => Promise<T | undefined>, signal: AbortSignal): Promise<T>;
  /** Returns whether a reader follows the run's log as it grows. */
  isFollowed(runId: string): boolean;
  /** Calls back after each commit that grew a run's log, whichever run it is; returns a function that stops it. */
  watch(listener: CommitListener): () => void;
}
