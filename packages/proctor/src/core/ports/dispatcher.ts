// Who carries out which run. What happened in a run is the Store's; a dispatcher only says whose it is, and proves that its worker is
// alive. dispatcher.case.ts states every promise; `dispatch/` has one folder per implementation.
import type { ClaimedRun } from "./store.ts";

/** Is told what operators of many processes want to know. */
export interface DispatchObserver {
  /** This process took over so many runs from workers that died. */
  redelivered(count: number): void;
  /** So many runs were given up by the queue. */
  deadLetters(count: number): void;
  /** A notice of another process was under way for so long, in milliseconds. */
  noticed(lagMs: number): void;
}

/** A run that this worker now has. */
export interface Delivery {
  claimed: ClaimedRun;
  /** Its last owner is dead, and what it had begun cannot be continued: the run is only to be concluded. */
  redelivered: boolean;
}

export interface ClaimWish {
  /** How many runs there is room for. With 0, only runs to conclude may come. */
  limit: number;
  /** How many runs are in flight here, by `Run.agent`. */
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
  /** Runs that are due and that this worker may carry out, with `run.started` in their logs; and runs that dead workers left. */
  claim(wish: ClaimWish): Promise<Claimed>;
  /** How often `beat` must be called while runs are held, in milliseconds. */
  readonly beatEveryMs: number;
  /** Proves that this worker is alive. Returns those that are no longer its own: they are to be stopped, and write nothing more. */
  beat(held: readonly Delivery[]): Promise<readonly Delivery[]>;
  /** Gives back a run with which nothing was done yet: another worker, or this one, claims it later. */
  release(delivery: Delivery): Promise<void>;
  /** Calls back when something waits to be claimed, or when others may have written to these runs of this worker. */
  watch(listener: (runIds: readonly string[]) => void): () => void;
  /** Neither claims nor announces anything more; what is held may still be beaten for until the store closes. */
  close(): Promise<void>;
}
