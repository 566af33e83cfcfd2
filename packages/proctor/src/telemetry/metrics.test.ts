import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { RUN_STATUSES, type RunStatus } from "../core/run.ts";
import { httpMetrics } from "./http-metrics.ts";
import type { WorkerStore } from "../core/ports/worker-store.ts";
import type { Worker } from "../core/worker.ts";
import { createManualClock } from "../../test/support/manual-clock.ts";
import { dispatchMetrics } from "./dispatch-metrics.ts";
import { hubMetrics } from "./hub-metrics.ts";
import { createMetrics } from "./metrics.ts";
import { temporaryFolder } from "../../test/support/temporary-folder.ts";
import { processMetrics } from "./process-metrics.ts";
import { storageMetrics } from "./storage-metrics.ts";

/** The samples of a rendered registry, by name and labels. */
function samples(text: string): Map<string, number> {
  const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return new Map(
    lines.map((line) => {
      const space = line.lastIndexOf(" ");
      return [line.slice(0, space), Number(line.slice(space + 1))];
    }),
  );
}

describe("metrics registry", () => {
  it("renders help, type and value of each metric", async () => {
    const metrics = createMetrics();
    const counter = metrics.counter("things_total", "Things,\nby kind \\ colour.");
    counter.with({ kind: "a" }).inc();
    counter.with({ kind: "a" }).inc(2);
    metrics.gauge("depth", "Depth.").with({}).set(-1.5);
    const text = await metrics.render();
    expect(text).toContain(
      '# HELP things_total Things,\\nby kind \\\\ colour.\n# TYPE things_total counter\nthings_total{kind="a"} 3\n',
    );
    expect(text).toContain("# TYPE depth gauge\ndepth -1.5\n");
    expect(text.endsWith("\n")).toBe(true);
  });

  it("escapes label values so that no value can start a new sample", async () => {
    const metrics = createMetrics();
    metrics.counter("x_total", "X.").with({ path: 'a"} 1\nforged_total 9\\' }).inc();
    const text = await metrics.render();
    expect(text).toContain('x_total{path="a\\"} 1\\nforged_total 9\\\\"} 1\n');
    expect(text.split("\n").some((line) => line.startsWith("forged_total"))).toBe(false);
  });

  it("counts a histogram cumulatively, with values beyond the last bucket in +Inf only", async () => {
    const metrics = createMetrics();
    const series = metrics.histogram("wait_seconds", "Wait.", [0.1, 1]).with({ route: "/x" });
    for (const value of [0.1, 0.5, 3]) series.observe(value);
    const seen = samples(await metrics.render());
    expect(seen.get('wait_seconds_bucket{route="/x",le="0.1"}')).toBe(1);
    expect(seen.get('wait_seconds_bucket{route="/x",le="1"}')).toBe(2);
    expect(seen.get('wait_seconds_bucket{route="/x",le="+Inf"}')).toBe(3);
    expect(seen.get('wait_seconds_sum{route="/x"}')).toBeCloseTo(3.6);
    expect(seen.get('wait_seconds_count{route="/x"}')).toBe(3);
  });

  it("refuses a second metric of the same name", () => {
    const metrics = createMetrics();
    metrics.gauge("depth", "Depth.");
    expect(() => metrics.gauge("depth", "Depth.")).toThrow("depth exists");
  });

  it("keeps the last values and counts the failure when a collector throws", async () => {
    const metrics = createMetrics();
    let broken = false;
    const depth = metrics.gauge("depth", "Depth.").with({});
    metrics.collect(() => {
      if (broken) throw new Error("the store is away");
      depth.set(7);
    });
    await metrics.render();
    broken = true;
    const seen = samples(await metrics.render());
    expect(seen.get("depth")).toBe(7);
    expect(seen.get("proctor_scrape_failures_total")).toBe(1);
  });
});

describe("the hub's metrics", () => {
  it("reads runs from the store, by status, when asked", async () => {
    const metrics = createMetrics();
    const counts = Object.fromEntries(RUN_STATUSES.map((status, index) => [status, index + 1]));
    const source = { countRuns: () => Promise.resolve(counts as Record<RunStatus, number>) };
    hubMetrics(metrics, source).eventsAppended.inc(5);
    const seen = samples(await metrics.render());
    expect(seen.get("proctor_runs_queued")).toBe(counts["created"]! + counts["queued"]!);
    expect(seen.get("proctor_runs_active")).toBe(counts["running"]! + counts["waiting"]! + counts["paused"]!);
    expect(seen.get("proctor_runs_waiting")).toBe(counts["waiting"]);
    expect(seen.get('proctor_runs_total{status="rejected"}')).toBe(counts["rejected"]);
    expect(seen.get('proctor_runs_total{status="failed"}')).toBe(counts["failed"]);
    expect(seen.get("proctor_events_appended_total")).toBe(5);
  });

  it("says how long the oldest due run has waited, and what a dispatcher tells", async () => {
    const metrics = createMetrics();
    let since: number | null = 1_000;
    const list = () => Promise.resolve([{ id: "a:1", slots: 10, busy: 3, alive: true } as Worker]);
    const store = {
      dueSince: () => Promise.resolve(since),
      refusedWrites: () => 3,
      workers: { list } as unknown as WorkerStore,
    };
    const told = dispatchMetrics(metrics, { store, clock: createManualClock(5_000) });
    told.redelivered(1);
    told.noticed(250);
    const seen = samples(await metrics.render());
    expect(seen.get("proctor_waiting_age_seconds")).toBe(4);
    expect(seen.get("proctor_refused_writes_total")).toBe(3);
    expect(seen.get("proctor_redeliveries_total")).toBe(1);
    expect(seen.get("proctor_notice_lag_seconds")).toBe(0.25);
    expect(seen.get('proctor_worker_slots{worker="a:1",state="free"}')).toBe(7);
    since = null;
    expect(samples(await metrics.render()).get("proctor_waiting_age_seconds")).toBe(0);
  });

  it("counts requests by route and status", async () => {
    const metrics = createMetrics();
    const observe = httpMetrics(metrics)("GET", "/runs/{id}");
    observe(200, 0.002);
    observe(200, 0.002);
    observe(404, 20);
    const seen = samples(await metrics.render());
    expect(seen.get('proctor_http_requests_total{method="GET",route="/runs/{id}",status="200"}')).toBe(2);
    expect(seen.get('proctor_http_requests_total{method="GET",route="/runs/{id}",status="404"}')).toBe(1);
    expect(seen.get('proctor_http_request_seconds_bucket{method="GET",route="/runs/{id}",le="0.0025"}')).toBe(
      2,
    );
    expect(seen.get('proctor_http_request_seconds_bucket{method="GET",route="/runs/{id}",le="+Inf"}')).toBe(
      3,
    );
  });

  it("reports the process", async () => {
    const metrics = createMetrics();
    processMetrics(metrics);
    const seen = samples(await metrics.render());
    expect(seen.get("process_resident_memory_bytes")).toBeGreaterThan(1e6);
    expect(seen.get("process_cpu_seconds_total")).toBeGreaterThan(0);
    expect(seen.get("nodejs_eventloop_lag_seconds")).toBeGreaterThanOrEqual(0);
  });
});

describe("metrics of storage", () => {
  const folder = temporaryFolder("storage-metrics");
  const databaseFile = join(folder, "proctor.db");

  it("tell how much room is left, and how large the database is with its log of writes", async () => {
    writeFileSync(databaseFile, "12345");
    const metrics = createMetrics();
    storageMetrics(metrics, { folders: { data: folder }, databaseFile });
    const seen = samples(await metrics.render());
    const free = seen.get('proctor_disk_free_bytes{holds="data"}') ?? -1;
    expect(free).toBeGreaterThan(0);
    expect(seen.get('proctor_disk_size_bytes{holds="data"}')).toBeGreaterThanOrEqual(free);
    expect(seen.get("proctor_database_bytes")).toBe(5);
    writeFileSync(`${databaseFile}-wal`, "123");
    expect(samples(await metrics.render()).get("proctor_database_bytes")).toBe(8);
  });

  it("leave out the database where a server has it, and count a folder that is gone as a failed look", async () => {
    const metrics = createMetrics();
    storageMetrics(metrics, { folders: { data: join(folder, "nowhere") } });
    const seen = samples(await metrics.render());
    expect(seen.has("proctor_database_bytes")).toBe(false);
    expect(seen.get("proctor_scrape_failures_total")).toBe(1);
  });
});
