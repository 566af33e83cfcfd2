// What operators ask about any process: memory, processor time, and how late the event loop is.
import { performance } from "node:perf_hooks";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { MetricsRegistry } from "./metrics.ts";

export function processMetrics(registry: MetricsRegistry): void {
  const memory = registry.gauge("process_resident_memory_bytes", "Resident memory in bytes.").with({});
  const cpu = registry
    .counterValue("process_cpu_seconds_total", "User and system processor time in seconds.")
    .with({});
  const lag = registry
    .gauge("nodejs_eventloop_lag_seconds", "How long the event loop took to come round once, just now.")
    .with({});
  registry.collect(async () => {
    memory.set(process.memoryUsage.rss());
    const { user, system } = process.cpuUsage();
    cpu.set((user + system) / 1e6);
    const asked = performance.now();
    await nextTurn();
    lag.set((performance.now() - asked) / 1000);
  });
}
