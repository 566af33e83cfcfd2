// A hub and a worker of the built program whose clocks are ten minutes apart: what one writes about time, the other must not misread.
import { randomBytes } from "node:crypto";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import type { Page } from "../../src/core/page.ts";
import type { Run } from "../../src/core/run.ts";
import type { Worker } from "../../src/core/worker.ts";
import { HANG_MS } from "../support/eventually.ts";
import { startHubProcess } from "../support/hub-process.ts";
import { createDatabase, lacksPostgres } from "../support/postgres.ts";
import { PROGRAM } from "../support/program.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { fixture } from "../support/test-hub.ts";
import { startWorkerProcess } from "../support/worker-process.ts";

const PRELOAD = fileURLToPath(new URL("../support/chaos/skewed-clock.cjs", import.meta.url));
const OFF_MS = 5 * 60_000;
const start = ["--require", PRELOAD, PROGRAM];

describe.skipIf(await lacksPostgres("wrong clocks"))(
  "machines with wrong clocks",
  { timeout: HANG_MS },
  () => {
    it.each([
      { hubMs: OFF_MS, workerMs: -OFF_MS },
      { hubMs: -OFF_MS, workerMs: OFF_MS },
    ])("go by the time of the database, hub off by $hubMs ms, worker by $workerMs ms", async (off) => {
      const env = {
        DATABASE_URL: await createDatabase(),
        SEAL_KEY: randomBytes(32).toString("base64"),
        PROCTOR_GRACE_SECONDS: "1",
      };
      const skewed = (name: string, ms: number) => ({
        folder: temporaryFolder(name),
        env: { ...env, SKEW_MS: String(ms) },
        start,
      });
      const [hub, worker] = await Promise.all([
        startHubProcess({ ...skewed("ahead", off.hubMs), args: ["--concurrency", "0"] }),
        startWorkerProcess({ ...skewed("behind", off.workerMs), args: ["--labels", "one"] }),
      ]);
      const before = Date.now();
      const { items } = await hub.get<Page<Worker>>("/workers");
      expect(items.find(({ id }) => id === worker.id)).toMatchObject({ alive: true });
      // The retry is due a moment after the failure, by anybody's clock.
      const failing = {
        agent: fixture("crash"),
        task: { description: "fail" },
        options: { requires: ["one"] },
      };
      const { id } = await hub.post<Run>("/runs", {
        ...failing,
        retry: { max_attempts: 2, initial_delay_ms: 10 },
      });
      const { retried_as } = await hub.ended(id);
      expect(retried_as).not.toBeNull();
      const second = await hub.ended(retried_as ?? "");
      const times = [...(await hub.events(id)), ...(await hub.events(second.id))].map(({ timestamp }) =>
        Date.parse(timestamp),
      );
      expect(Math.min(...times)).toBeGreaterThanOrEqual(before - OFF_MS / 2);
      expect(Math.max(...times)).toBeLessThanOrEqual(Date.now() + OFF_MS / 2);
      for (const { output } of [hub, worker])
        expect(output()).toMatch(/"level":"warn".*the clock of this machine is 300 s/);
      expect(await worker.stop()).toBe(0);
      expect(await hub.stop()).toBe(0);
    });
  },
);
