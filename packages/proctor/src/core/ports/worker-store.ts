// The rows in which workers report that they are alive. They are for operators, and to ask a worker to drain; which worker has which run is the
// dispatcher's.
import type { Worker, WorkerBeat } from "../worker.ts";

export interface WorkerStore {
  /** Declares the worker alive until `untilMs` (epoch milliseconds). Resolves with whether it was asked to drain. */
  beat(worker: WorkerBeat, nowMs: number, untilMs: number): Promise<{ drain: boolean }>;
  /** Lists all workers, the one seen last first; those that are gone are left out after an hour. */
  list(nowMs: number): Promise<Worker[]>;
  /** Asks a worker to take no more runs. Resolves with false when there is no such worker. */
  drain(id: string): Promise<boolean>;
  /** Removes a worker that has ended. */
  remove(id: string): Promise<void>;
}
