// The rows in which workers say that they are there. They are for operators, and to ask a worker to drain; which runs are whose is the
// dispatcher's.
import type { Worker, WorkerBeat } from "../worker.ts";

export interface WorkerStore {
  /** Says that the worker is there until `untilMs` (epoch milliseconds). Returns whether it was asked to drain. */
  beat(worker: WorkerBeat, nowMs: number, untilMs: number): Promise<{ drain: boolean }>;
  /** All workers heard of, the one seen last first; those that are gone are left out after an hour. */
  list(nowMs: number): Promise<Worker[]>;
  /** Asks a worker to take no more runs. False when there is no such worker. */
  drain(id: string): Promise<boolean>;
  /** The worker has ended. */
  remove(id: string): Promise<void>;
}
