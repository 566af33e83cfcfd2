// What operators ask about the work of many processes: does anything wait too long, did a worker die, does somebody write who may not. What
// the store knows is read when somebody asks; the rest is told by the dispatcher through what this returns.
import type { Clock } from "../core/ports/clock.ts";
import type { DispatchObserver } from "../core/ports/dispatcher.ts";
import type { Store } from "../core/ports/store.ts";
import type { MetricsRegistry } from "./metrics.ts";

interface DispatchMetricsDeps {
  store: Pick<Store, "dueSince" | "refusedWrites" | "workers">;
  clock: Clock;
}

export function dispatchMetrics(
  registry: MetricsRegistry,
  { store, clock }: DispatchMetricsDeps,
): DispatchObserver {
  const age = registry
    .gauge("proctor_waiting_age_seconds", "How long the run that was due first has been waiting.")
    .with({});
  const refused = registry
    .counterValue("proctor_refused_writes_total", "Writes refused because another process owns the run.")
    .with({});
  const redeliveries = registry
    .counter("proctor_redeliveries_total", "Runs taken over from a worker that died.")
    .with({});
  const dead = registry.gauge("proctor_dead_letters", "Runs that the queue gave up.").with({});
  const lag = registry
    .gauge("proctor_notice_lag_seconds", "How late the last notice of another process arrived.")
    .with({});
  const slots = registry.gauge("proctor_worker_slots", "Runs that a worker can carry out at once, by state.");
  registry.collect(async () => {
    refused.set(store.refusedWrites());
    const now = clock.now();
    const since = await store.dueSince(now);
    age.set(since === null ? 0 : (now - since) / 1000);
    for (const worker of await store.workers.list(now)) {
      const [busy, total] = worker.alive ? [worker.busy, worker.slots] : [0, 0];
      slots.with({ worker: worker.id, state: "busy" }).set(busy);
      slots.with({ worker: worker.id, state: "free" }).set(Math.max(0, total - busy));
    }
  });
  return {
    redelivered: (count) => redeliveries.inc(count),
    deadLetters: (count) => dead.set(count),
    noticed: (lagMs) => lag.set(lagMs / 1000),
  };
}
