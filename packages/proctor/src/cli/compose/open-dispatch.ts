// Who carries out the runs of a store: this process alone, or all that share a PostgreSQL database. What belongs to PostgreSQL is loaded
// only where it is used.
import type { Clock } from "../../core/ports/clock.ts";
import type { Dispatcher, DispatchObserver } from "../../core/ports/dispatcher.ts";
import type { LentRuns } from "../../core/ports/lent-runs.ts";
import type { RunQueue } from "../../core/ports/run-queue.ts";
import type { Store } from "../../core/ports/store.ts";
import { createInProcessDispatcher } from "../../dispatch/in-process/in-process-dispatcher.ts";
import type { Config } from "../config/load-config.ts";
import { WORKER_ID } from "./open-workers.ts";

export interface OpenDispatch {
  /** Queue for the store, whose transactions it is a part of. */
  queue?: RunQueue;
  /** Runs of workers that use this process instead of the database; absent where there can be none. */
  lent?: LentRuns;
  dispatcher(store: Store): Dispatcher;
  /** Reports events of the dispatch; absent where one process does everything and there are none. */
  observe?(observer: DispatchObserver): void;
  close(): Promise<void>;
}

export async function openDispatch(
  config: Pick<Config, "databaseUrl" | "agentConcurrency" | "labels">,
  options: {
    /** True for a command, which leaves what it submits to a shared database to the workers there. */
    ownRunsOnly: boolean;
    clock: Clock;
    report: (problem: unknown, runId: string) => void;
  },
): Promise<OpenDispatch> {
  const { databaseUrl: url, agentConcurrency, labels } = config;
  const { ownRunsOnly, clock, report } = options;
  const shared = { clock, worker: WORKER_ID, agentConcurrency, labels };
  if (url === undefined) {
    return {
      dispatcher: (store) => createInProcessDispatcher({ ...shared, store }),
      close: () => Promise.resolve(),
    };
  }
  if (ownRunsOnly) return { dispatcher: () => NOBODY, close: () => Promise.resolve() };
  const { openPgBossQueue } = await import("../../dispatch/pg-boss/pg-boss-dispatcher.ts");
  const { mapPostgresErrors } = await import("../../stores/postgres/postgres-errors.ts");
  return openPgBossQueue({ ...shared, url, report }).catch((error: unknown) => {
    throw mapPostgresErrors(url)(error);
  });
}

/** A dispatcher that carries out nothing. */
const NOBODY: Dispatcher = {
  beatEveryMs: 60_000,
  claim: () => Promise.resolve({ deliveries: [], nextDueAt: null }),
  beat: () => Promise.resolve([]),
  release: () => Promise.resolve(),
  watch: () => () => undefined,
  close: () => Promise.resolve(),
};
