// pg-boss with the settings that were measured: it owns the queue, liveness and redelivery. Its `work()` is never used, because it
// takes one job per poll; and jobs are always named by what was fetched, never by their id alone, so that calls are fenced by attempt.
import type { Db, PgBoss } from "pg-boss";
import { DATABASE_LABEL } from "../../core/labels.ts";
import type { QueueTransaction } from "../../core/ports/run-queue.ts";
import type { QueuePool } from "./open-pool.ts";
import { isRunQueue, LOST_QUEUE, queueOf } from "./queue-names.ts";

export interface Boss {
  boss: PgBoss;
  /** Returns the queues that are known to exist. */
  queues: () => readonly string[];
  /** Finds out which queues others have made. */
  refresh: () => Promise<void>;
  /** Makes the queue unless it is there. */
  ensure: (queue: string) => Promise<void>;
  stop: () => Promise<void>;
}

const HOUR_SECONDS = 3600;
const DAY_SECONDS = 24 * HOUR_SECONDS;

const QUEUE = {
  // The shortest that pg-boss takes: a worker that is silent for this long has lost its runs.
  heartbeatSeconds: 10,
  // The longest that pg-boss takes: longer runs are renewed before.
  expireInSeconds: DAY_SECONDS,
  // A run is never given up: each delivery concludes it or carries it out.
  retryLimit: 1_000_000,
  retryDelay: 0,
  retryBackoff: false,
  deadLetter: LOST_QUEUE,
  retentionSeconds: 3650 * DAY_SECONDS,
  deleteAfterSeconds: HOUR_SECONDS,
};

export async function openBoss(pool: QueuePool, report: (problem: unknown) => void): Promise<Boss> {
  const { PgBoss: Library } = await import("pg-boss");
  const boss = new Library({
    db: { executeSql: pool.raw },
    schema: "proctor_queue",
    schedule: false,
    // The default of a minute would keep the runs of a dead worker for as long.
    superviseIntervalSeconds: 1,
    monitorIntervalSeconds: 1,
    maintenanceIntervalSeconds: 300,
  });
  boss.on("error", report);
  await boss.start();
  await boss.createQueue(LOST_QUEUE);
  let known: string[] = [];

  async function refresh(): Promise<void> {
    known = (await boss.getQueues()).map(({ name }) => name).filter(isRunQueue);
  }

  async function ensure(queue: string): Promise<void> {
    if (known.includes(queue)) return;
    await boss.createQueue(queue, QUEUE);
    await refresh();
  }

  await ensure(queueOf(null));
  await ensure(queueOf(JSON.stringify([DATABASE_LABEL])));
  await refresh();
  return {
    boss,
    queues: () => known,
    refresh,
    ensure,
    stop: () => boss.stop({ graceful: false, close: false }),
  };
}

/** Lets pg-boss use a transaction of the store. */
export function inTransaction(tx: QueueTransaction): Db {
  return {
    executeSql: async (sql, values) => ({ rows: await tx.all({ sql, parameters: values ?? [] }) }),
  };
}
