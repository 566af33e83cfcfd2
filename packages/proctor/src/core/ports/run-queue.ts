// The part of a queue outside the store that needs the store's transactions: what is queued and what is written change together or not at
// all. Absent where the table of runs is the queue.
import type { ClaimRequest } from "./store.ts";

export interface QueueQuery {
  sql: string;
  parameters: readonly unknown[];
}

/** The store's transaction, as far as a queue needs it. */
export interface QueueTransaction {
  all: <Row>(query: QueueQuery) => Row[] | Promise<Row[]>;
}

export interface TakenRuns {
  ids: string[];
  /** When the runs were taken, in epoch milliseconds: later than everything that had to happen before, whenever the claim was called. */
  at: number;
  /** To be called after the commit: queues that had nothing more are left alone until something is announced. */
  committed: () => void;
}

export interface RunQueue {
  /**
   * Takes at most `limit` runs off the queue for this worker and returns them, the first in line first. Runs that dead workers left
   * come before them, whatever the limit and their labels: they are only to be concluded.
   */
  take(tx: QueueTransaction, request: ClaimRequest): Promise<TakenRuns>;
  /** Returns whether this process has taken the run, and not left it. */
  holds(runId: string): boolean;
  /** Removes the jobs of runs that this process holds: they have ended, and take up no slots any more. */
  completed(tx: QueueTransaction, runIds: readonly string[]): Promise<void>;
  /** Removes the job of a run that ended, or is parked and may be queued again, and frees its slot. */
  left(tx: QueueTransaction, runId: string, how: "ended" | "parked"): Promise<void>;
  /** Removes the job of a run that was taken though there is nothing to do. */
  drop(tx: QueueTransaction, runId: string): Promise<void>;
  /** To be called after the commit: the status of one of the agent's runs has changed, so another may be due. */
  changed(agent: string, runId: string, isLeft: boolean): void;
}
