// The workers of a hub, for operators: in this process (cli/compose/), and over HTTP (hub/).
import type { Caller } from "../caller.ts";
import type { Worker } from "../worker.ts";

export interface Workers {
  /** Lists all workers seen within an hour, the one seen last first. */
  list(): Promise<{ items: Worker[]; next_cursor: null }>;
  /** Throws WORKER_NOT_FOUND. */
  get(id: string): Promise<Worker>;
  /** Asks the worker to take no more runs and to end when those in flight have. Throws WORKER_NOT_FOUND. */
  drain(id: string, caller: Caller): Promise<Worker>;
}
