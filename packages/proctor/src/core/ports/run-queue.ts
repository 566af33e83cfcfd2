// The part of a queue beside the store that needs the store's transactions: what is queued and what is written change together or not at
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
  /** When they were taken, in epoch milliseconds: later than everything that had to happen before, whenever the claim was called. */
  at: number;
  /** Call it after the commit: queues that had nothing more are left alone until something is announced. */
  committed: () => void;
}

export interface RunQueue {
  /**
   * Takes at most `limit` runs off the queue for this worker and returns them, the first in line first. Runs that dead workers left
   * come before them, whatever the limit and their labels: they are only to be concluded.
   */
  take(tx: QueueTransaction, request: ClaimRequest): Promise<TakenRuns>;
  /** Whether this process has taken the run, and not left it. */
  holds(runId: string): boolean;
  /** Runs that this process holds have ended, and have no places any more: their jobs go. */
  completed(tx: QueueTransaction, runIds: readonly string[]): Promise<void>;
  /** The run ended, or is parked and may be queued again: its job goes, and its place is free. */
  left(tx: QueueTransaction, runId: string, how: "ended" | "parked"): Promise<void>;
  /** The run was taken, and there is nothing to do: its job goes. */
  drop(tx: QueueTransaction, runId: string): Promise<void>;
  /** After the commit: the status of one of the agent's runs has changed, so another may be due. */
  changed(agent: string, runId: string, isLeft: boolean): void;
}
