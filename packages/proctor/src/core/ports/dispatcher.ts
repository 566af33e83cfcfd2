// Which worker carries out which run. What happened in a run is the Store's; a dispatcher only says which worker has it, and proves that worker
// alive. dispatcher.case.ts states every promise; `dispatch/` has one folder per implementation.
import type { ClaimedRun } from "./store.ts";

/** Callbacks for what operators of many processes want to know. */
export interface DispatchObserver {
  /** Called when this process took over `count` runs from workers that died. */
  redelivered(count: number): void;
  /** Called when the queue gave up `count` runs. */
  deadLetters(count: number): void;
  /** Called with the milliseconds that a notice of another process was under way. */
  noticed(lagMs: number): void;
}

/** A run that this worker now has. */
export interface Delivery {
  claimed: ClaimedRun;
  /** True where the last owner is dead, and what it had begun cannot be continued: the run is only to be concluded. */
  redelivered: boolean;
}

export interface ClaimWish {
  /** Runs that the worker has room for. With 0, only runs to conclude may come. */
  limit: number;
  /** Number of runs in flight here, by `Run.agent`. */
  inFlight: Readonly<Record<string, number>>;
  /** Ids of the only runs that may be claimed. */
  only?: readonly string[];
}

export interface Claimed {
  deliveries: Delivery[];
  /** When to ask again, in epoch milliseconds, if nothing is announced before. */
  nextDueAt: number | null;
}

export interface Dispatcher {
  /** Claims runs that are due and that this worker may carry out, with `run.started` in their logs; and runs that dead workers left. */
  claim(wish: ClaimWish): Promise<Claimed>;
  /** Milliseconds between two calls of `beat` while runs are held. */
  readonly beatEveryMs: number;
  /** Proves that this worker is alive. Returns those that are no longer its own: they are to be stopped, and write nothing more. */
  beat(held: readonly Delivery[]): Promise<readonly Delivery[]>;
  /** Gives back a run with which nothing was done yet: another worker, or this one, claims it later. */
  release(delivery: Delivery): Promise<void>;
  /** Calls back when something waits to be claimed, or when others may have written to these runs of this worker. */
  watch(listener: (runIds: readonly string[]) => void): () => void;
  /** Stops claims and announcements; what is held may still be beaten for until the store closes. */
  close(): Promise<void>;
}
