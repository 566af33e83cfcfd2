// What operators ask about runs. Numbers of runs are read from the store on each request, so they survive a restart.
import { TERMINAL_STATUSES, type RunStatus } from "../core/run.ts";
import type { Counter, MetricsRegistry } from "./metrics.ts";

interface HubMetricsSource {
  countRuns(): Promise<Record<RunStatus, number>>;
}

interface HubMetrics {
  /** Counts committed events; the caller increments it. */
  eventsAppended: Counter;
}

export function hubMetrics(registry: MetricsRegistry, source: HubMetricsSource): HubMetrics {
  const total = registry.counterValue("proctor_runs_total", "Runs that ended, by status.");
  const ended = TERMINAL_STATUSES.map((status) => ({ status, series: total.with({ status }) }));
  const active = registry.gauge("proctor_runs_active", "Runs that are running, waiting or paused.").with({});
  const waiting = registry.gauge("proctor_runs_waiting", "Runs that wait for an answer.").with({});
  const queued = registry.gauge("proctor_runs_queued", "Runs that wait to be started.").with({});
  const eventsAppended = registry
    .counter("proctor_events_appended_total", "Events committed since this process started.")
    .with({});
  registry.collect(async () => {
    const counts = await source.countRuns();
    for (const { status, series } of ended) series.set(counts[status]);
    active.set(counts.running + counts.waiting + counts.paused);
    waiting.set(counts.waiting);
    queued.set(counts.created + counts.queued);
  });
  return { eventsAppended };
}
