// The metrics of a hub: those of its store, its dispatcher, its disks and its process.
import type { Clock } from "../../core/ports/clock.ts";
import type { Store } from "../../core/ports/store.ts";
import { dispatchMetrics } from "../../telemetry/dispatch-metrics.ts";
import { hubMetrics } from "../../telemetry/hub-metrics.ts";
import { createMetrics, type MetricsRegistry } from "../../telemetry/metrics.ts";
import { processMetrics } from "../../telemetry/process-metrics.ts";
import { storageMetrics } from "../../telemetry/storage-metrics.ts";
import type { Config } from "../config/load-config.ts";
import type { OpenDispatch } from "./open-dispatch.ts";

export function openMetrics(
  { dataDir, artifactsDir, bucket, databaseFile, databaseUrl }: Config,
  { store, dispatch, clock }: { store: Store; dispatch: OpenDispatch; clock: Clock },
): MetricsRegistry {
  const metrics = createMetrics();
  processMetrics(metrics);
  const { eventsAppended } = hubMetrics(metrics, store);
  const observer = dispatchMetrics(metrics, { store, clock });
  dispatch.observe?.(observer);
  storageMetrics(metrics, {
    folders: { data: dataDir, ...(bucket === undefined && { artifacts: artifactsDir }) },
    ...(databaseUrl === undefined && { databaseFile }),
  });
  store.watch((_runId, _lastSequence, appended) => eventsAppended.inc(appended));
  return metrics;
}
