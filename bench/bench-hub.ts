// A hub in this process on a fresh directory, put together from the real parts.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createAgentRegistry } from "../packages/proctor/src/agents/registry.ts";
import type { DriverLookup } from "../packages/proctor/src/core/ports/driver.ts";
import type { Hub } from "../packages/proctor/src/core/ports/hub.ts";
import { createEngine } from "../packages/proctor/src/engine/engine.ts";
import { createHub } from "../packages/proctor/src/engine/hub.ts";
import { systemClock } from "../packages/proctor/src/engine/system-clock.ts";
import { createDriverLookup } from "../packages/proctor/src/protocols/registry.ts";
import { openFileBlobs } from "../packages/proctor/src/stores/blobs/file-blobs.ts";
import { openSealer } from "../packages/proctor/src/stores/sealer.ts";
import { openSqliteStore } from "../packages/proctor/src/stores/sqlite/open-store.ts";

export async function openBenchHub(options: {
  concurrency: number;
  drivers?: DriverLookup;
}): Promise<{ hub: Hub; close: () => Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), "proctor-bench-"));
  const clock = systemClock;
  const store = await openSqliteStore({ file: join(folder, "bench.db") });
  const blobs = await openFileBlobs(join(folder, "artifacts"));
  const sealer = await openSealer(join(folder, "seal.key"));
  const drivers = options.drivers ?? createDriverLookup({ hubId: "bench" });
  const engine = createEngine({
    store,
    blobs,
    drivers,
    sealer,
    clock,
    graceMs: 1000,
    random: Math.random,
    report: (problem) => console.error(problem),
    worker: "bench",
    concurrency: options.concurrency,
    agentConcurrency: options.concurrency,
  });
  const agents = createAgentRegistry({ store, sealer, clock, drivers });
  const hub = createHub({ store, blobs, engine, agents, sealer, clock, closeGraceMs: 0 });
  await engine.start();
  return {
    hub,
    async close() {
      await hub.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
