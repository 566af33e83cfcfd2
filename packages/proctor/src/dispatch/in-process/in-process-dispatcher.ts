// Dispatches the runs of a store to the one process that has it open: the queue is the table of runs. Nothing is sent anywhere, and
// the only write besides the claims is a lease from time to time.
import { DATABASE_LABEL } from "../../core/labels.ts";
import type { Clock } from "../../core/ports/clock.ts";
import type { Delivery, Dispatcher } from "../../core/ports/dispatcher.ts";
import type { Store } from "../../core/ports/store.ts";
import { releaseRun } from "../release-run.ts";

export interface InProcessOptions {
  store: Pick<Store, "claimRuns" | "renew" | "expired" | "append">;
  clock: Clock;
  /** Name of this process in `run.started`. */
  worker: string;
  /** Runs of one agent that may be in flight at once, where its spec does not say. */
  agentConcurrency: number;
  /** Labels of this worker, which runs may ask for. */
  labels?: readonly string[];
  /** Whether other workers use the same store: what they have in flight is left alone while they are alive. */
  shared?: boolean;
}

/** Milliseconds that a worker counts as alive after a beat, and between two beats. */
const LEASE_MS = 30_000;
const BEAT_MS = 10_000;

/** Runs of dead workers that are delivered at once. */
const BATCH = 100;

export function createInProcessDispatcher(options: InProcessOptions): Dispatcher {
  const { store, clock, worker } = options;
  /** Whether runs of an earlier process may be left: no other process leaves any, so they are looked for once. */
  let hasLeftovers = true;

  async function leftovers(): Promise<Delivery[]> {
    if (!hasLeftovers) return [];
    const found = await store.expired(options.shared === true ? clock.now() : Infinity, BATCH);
    hasLeftovers = found.length > 0;
    return found.map((claimed) => ({ claimed, redelivered: true }));
  }

  return {
    beatEveryMs: BEAT_MS,
    async claim({ limit, inFlight, only }) {
      const left = await leftovers();
      if (left.length > 0 || limit <= 0) return { deliveries: left, nextDueAt: null };
      const { claimed, nextDueAt } = await store.claimRuns({
        worker,
        limit,
        now: clock.now(),
        agentLimit: options.agentConcurrency,
        inFlight,
        labels: [...(options.labels ?? []), DATABASE_LABEL],
        ...(only && { only }),
      });
      return { deliveries: claimed.map((run) => ({ claimed: run, redelivered: false })), nextDueAt };
    },
    async beat() {
      await store.renew(worker, clock.now() + LEASE_MS);
      return [];
    },
    release: ({ claimed: { run, fence } }) => releaseRun(store, clock, { id: run.id, fence }),
    // A caller that queues a run in this process wakes the engine, and the store reports what others write.
    watch: () => () => undefined,
    close: () => Promise.resolve(),
  };
}
