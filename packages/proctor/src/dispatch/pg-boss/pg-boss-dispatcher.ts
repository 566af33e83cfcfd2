// Dispatches runs over many processes: PostgreSQL holds the truth, pg-boss owns queueing, liveness and redelivery, and the fence of a run
// keeps a worker that lost it from writing.
import { DATABASE_LABEL } from "../../core/labels.ts";
import type { Clock } from "../../core/ports/clock.ts";
import type { Delivery, Dispatcher, DispatchObserver } from "../../core/ports/dispatcher.ts";
import type { LentRuns } from "../../core/ports/lent-runs.ts";
import type { RunQueue } from "../../core/ports/run-queue.ts";
import type { Store } from "../../core/ports/store.ts";
import { releaseRun } from "../release-run.ts";
import { createAdmission } from "./admission.ts";
import { createLentRuns } from "./lent-runs.ts";
import { openNotices } from "./notices.ts";
import { openBoss } from "./open-boss.ts";
import { openPool } from "./open-pool.ts";
import { createPump } from "./pump.ts";
import { LOST_QUEUE } from "./queue-names.ts";
import { createRunQueue } from "./run-queue.ts";
import { isAnyLeft } from "./take-left.ts";
import { touchJobs } from "./touch-jobs.ts";

export interface PgBossOptions {
  /** Address of the store's database: `postgres://user:password@host:port/database`. */
  url: string;
  clock: Clock;
  /** Name of this process in `run.started`. */
  worker: string;
  /** Runs of one agent that may be in flight at once over all workers, where its spec does not say. */
  agentConcurrency: number;
  /** Labels of this worker, which runs may ask for. */
  labels?: readonly string[];
  report: (problem: unknown, runId: string) => void;
}

export interface OpenQueue {
  /** The queue, a part of the store's transactions. */
  queue: RunQueue;
  /** Returns the dispatcher; to be called once the store is open. */
  dispatcher(store: Store): Dispatcher;
  /** The runs of workers that use this process instead of the database. */
  lent: LentRuns;
  /** Reports to this observer from now on. */
  observe(observer: DispatchObserver): void;
  /** Closes what was opened; to be called after the store's close, which still completes jobs. */
  close(): Promise<void>;
}

/** Number of connections besides the store's, without the one that listens. */
const CONNECTIONS = 4;

/** Milliseconds between two beats, a third of what pg-boss allows. */
const BEAT_MS = 3000;

const DEAD_LETTERS =
  "select count(*)::int as count from proctor_queue.job_common where name = $1 and state < 'completed'";

export async function openPgBossQueue(options: PgBossOptions): Promise<OpenQueue> {
  const { url, clock, worker } = options;
  const report = (problem: unknown): void => options.report(problem, "");
  const pool = await openPool(url, CONNECTIONS);
  const boss = await openBoss(pool, report).catch(async (error: unknown) => {
    await pool.close();
    throw error;
  });
  const now = (): number => clock.now();
  const listeners = new Set<(runIds: readonly string[]) => void>();
  const announce = (runIds: readonly string[] = []): void => {
    for (const listener of listeners) listener(runIds);
  };
  let observer: DispatchObserver | undefined;
  const notices = openNotices({
    url,
    pool,
    now,
    onNotice({ lagMs, queues } = {}) {
      if (lagMs !== undefined) observer?.noticed(lagMs);
      queue.expected.expect(queues);
      announce();
    },
    report,
  });
  const admission = createAdmission({ pool, boss, agentLimit: options.agentConcurrency, now });
  const pump = createPump({
    admission,
    clock,
    report,
    onAdmitted(queues) {
      queue.expected.expect(queues);
      announce();
      notices.send(queues);
    },
    // Own runs may have news that nobody announced, and runs of dead workers come without notice.
    async onTick() {
      queue.expected.expect();
      if (await isAnyLeft(pool)) queue.expectLeft();
      announce([...queue.held.keys()]);
      if ((options.labels ?? []).length > 0 || lent.hasLabels()) await boss.refresh();
      if (observer === undefined) return;
      const [lost] = await pool.query<{ count: number }>(DEAD_LETTERS, [LOST_QUEUE]);
      observer.deadLetters(lost?.count ?? 0);
    },
  });
  const queue = createRunQueue({ boss, now, onChanged: (agent) => pump.changed(agent) });

  const lent = createLentRuns({
    queue,
    boss,
    pool,
    now,
    watch(listener) {
      const tell = (): void => listener();
      listeners.add(tell);
      return () => void listeners.delete(tell);
    },
  });

  function dispatcher(store: Store): Dispatcher {
    let closed = false;
    const labels = [...(options.labels ?? []), DATABASE_LABEL];
    const unwatch = store.watch((runId, _last, _appended, _ended, byOwner) => {
      if (!byOwner && queue.held.has(runId)) announce([runId]);
    });
    pump.start();
    return {
      beatEveryMs: BEAT_MS,
      async claim({ limit, inFlight, only }) {
        const mayCome = (limit > 0 && queue.mayWait(labels)) || queue.mayBeLeft();
        if (closed || !mayCome) return { deliveries: [], nextDueAt: null };
        const { claimed, interrupted = [] } = await store.claimRuns({
          worker,
          limit,
          now: clock.now(),
          agentLimit: options.agentConcurrency,
          inFlight,
          labels,
          ...(only && { only }),
        });
        if (interrupted.length > 0) observer?.redelivered(interrupted.length);
        const deliveries: Delivery[] = [
          ...claimed.map((run) => ({ claimed: run, redelivered: false })),
          ...interrupted.map((run) => ({ claimed: run, redelivered: true })),
        ];
        // The pump says when there is more.
        return { deliveries, nextDueAt: null };
      },
      // Only runs that are really at work: one whose claim was committed without an answer must be redelivered.
      async beat(held) {
        const jobs = held.flatMap(({ claimed: { run } }) => queue.held.get(run.id) ?? []);
        const alive = await touchJobs(boss, pool, jobs, clock.now());
        // A run that ended meanwhile has no job any more, and nobody else has it.
        return held.filter(({ claimed: { run } }) => queue.held.has(run.id) && !alive.has(run.id));
      },
      release: ({ claimed: { run, fence } }) => releaseRun(store, clock, { id: run.id, fence }),
      watch(listener) {
        listeners.add(listener);
        return () => void listeners.delete(listener);
      },
      close() {
        closed = true;
        unwatch();
        return pump.close();
      },
    };
  }

  return {
    queue,
    lent,
    dispatcher,
    observe(one) {
      observer = one;
    },
    async close() {
      await pump.close();
      await notices.close();
      await boss.stop();
      await pool.close();
    },
  };
}
