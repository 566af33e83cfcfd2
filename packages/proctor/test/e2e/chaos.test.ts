// Hubs and workers of the built program are killed, stopped and cut off at random while runs are submitted, and PostgreSQL is restarted.
// CHAOS_ROUNDS says how often, CHAOS_SEED how: the same seed does the same in the same order.
import { randomBytes, randomUUID } from "node:crypto";
import { afterAll, describe, expect, it } from "vitest";
import type { Run } from "../../src/core/run.ts";
import { openTcpProxy, type TcpProxy } from "../support/chaos/tcp-proxy.ts";
import { findViolations } from "../support/chaos/find-violations.ts";
import { seededRandom } from "../../src/doubles/agent/seeded-random.ts";
import { eventually, HANG_MS } from "../support/eventually.ts";
import { startHubProcess, type HubProcess } from "../support/hub-process.ts";
import { lacksPostgres, query } from "../support/postgres.ts";
import { startPostgres, type PostgresServer } from "../support/postgres-server.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { startWorkerProcess, type WorkerProcess } from "../support/worker-process.ts";

const ROUNDS = Number(process.env["CHAOS_ROUNDS"] ?? 3);
// The default rounds kill a hub, restart PostgreSQL and kill a worker: a worker that is stopped is in many-machines.test.ts.
const SEED = Number(process.env["CHAOS_SEED"] ?? 23);
const AGENT_LIMIT = 3;
const RUNS_PER_ROUND = 12;
const WORKERS = 2;
const HUBS = 2;

interface Member<P> {
  folder: string;
  proxy: TcpProxy;
  process: P;
}

describe.skipIf(await lacksPostgres("chaos"))("chaos", () => {
  const random = seededRandom(SEED);
  const pick = <T>(items: readonly T[]): T => {
    const item = items[Math.floor(random() * items.length)];
    if (item === undefined) throw new Error("there is nothing to pick");
    return item;
  };
  const acknowledged = new Set<string>();
  const sealKey = randomBytes(32).toString("base64");
  let server: PostgresServer;
  let url = "";
  const hubs: Member<HubProcess>[] = [];
  const workers: Member<WorkerProcess>[] = [];

  async function envOf(proxy: TcpProxy): Promise<Record<string, string>> {
    const through = new URL(url);
    through.port = String(proxy.port);
    return {
      DATABASE_URL: through.href,
      SEAL_KEY: sealKey,
      PROCTOR_AGENT_CONCURRENCY: String(AGENT_LIMIT),
      PROCTOR_GRACE_SECONDS: "1",
      PROCTOR_LOG: "silent",
    };
  }
  const startHub = async (folder: string, proxy: TcpProxy): Promise<HubProcess> =>
    startHubProcess({ folder, env: await envOf(proxy), args: ["--concurrency", "0"] });
  const startWorker = async (folder: string, proxy: TcpProxy): Promise<WorkerProcess> =>
    startWorkerProcess({ folder, env: await envOf(proxy), args: ["--concurrency", "4"] });

  /** Until a hub acknowledges it, or has done so before. */
  async function submit(agent: string, retry: boolean): Promise<void> {
    const key = randomUUID();
    const json = {
      agent: `text+stdio:sh -c "sleep 0.2; echo ${agent}"`,
      task: { description: "echo" },
      ...(retry && { retry: { max_attempts: 5, initial_delay_ms: 10 } }),
    };
    await eventually(async () => {
      const headers = { "idempotency-key": key };
      const response = await pick(hubs).process.send("POST", "/runs", { json, headers });
      const run = (await response.json()) as Run;
      expect(response.status, JSON.stringify(run)).toBeLessThan(300);
      acknowledged.add(run.id);
    });
  }

  const faults: Record<string, () => Promise<void>> = {
    async "kill a worker"() {
      const victim = pick(workers);
      await victim.process.stop("SIGKILL");
      victim.process = await startWorker(victim.folder, victim.proxy);
    },
    async "stop a worker for a while"() {
      const victim = pick(workers).process;
      victim.signal("SIGSTOP");
      // Long enough that its runs are given away.
      await eventually(async () => {
        const [row] = await query(
          url,
          "select count(*)::int as held from runs where worker = $1 and status = 'running'",
          [victim.id],
        );
        expect(row).toEqual({ held: 0 });
      });
      victim.signal("SIGCONT");
    },
    async "cut connections"() {
      for (const { proxy } of [...workers, ...hubs]) if (random() < 0.5) proxy.cut();
    },
    async "kill a hub"() {
      const victim = pick(hubs);
      await victim.process.stop("SIGKILL");
      victim.process = await startHub(victim.folder, victim.proxy);
    },
    async "restart PostgreSQL"() {
      await server.restart();
    },
  };

  afterAll(async () => {
    for (const { process: worker } of workers) {
      worker.signal("SIGCONT");
      await worker.stop();
    }
    for (const { process: hub } of hubs) await hub.stop();
    for (const { proxy } of [...workers, ...hubs]) await proxy.close();
    await server.stop();
  }, HANG_MS);

  it(
    `of ${ROUNDS} rounds with seed ${SEED} loses no run, ends none twice, and exceeds no limit`,
    { timeout: HANG_MS * Math.max(1, ROUNDS) },
    async () => {
      server = await startPostgres();
      url = server.url("postgres");
      const target = { host: "127.0.0.1", port: Number(new URL(url).port) };
      for (let index = 0; index < HUBS; index++) {
        const folder = temporaryFolder(`chaos-hub-${index}`);
        const proxy = await openTcpProxy(target);
        hubs.push({ folder, proxy, process: await startHub(folder, proxy) });
      }
      for (let index = 0; index < WORKERS; index++) {
        const folder = temporaryFolder(`chaos-worker-${index}`);
        const proxy = await openTcpProxy(target);
        workers.push({ folder, proxy, process: await startWorker(folder, proxy) });
      }
      const names = Object.keys(faults);
      for (let round = 0; round < ROUNDS; round++) {
        // Each fault once, then whichever.
        const name = round < names.length ? names[(round + SEED) % names.length] : pick(names);
        const submitted = Promise.all(
          Array.from({ length: RUNS_PER_ROUND }, (_, index) => submit(pick(["a", "b"]), index % 2 === 0)),
        );
        await faults[name ?? ""]?.();
        await submitted;
        console.log(`round ${round}: ${name ?? ""}, ${acknowledged.size} runs acknowledged`);
      }
      await eventually(async () => {
        const [row] = await query(url, "select count(*)::int as left from runs where ended_at is null");
        expect(row).toEqual({ left: 0 });
      });
      let found: string[] = [];
      // A job whose run ended goes when the next worker looks.
      await eventually(async () => {
        found = await findViolations(url, acknowledged, AGENT_LIMIT);
        expect(found).toEqual([]);
      });
      expect(acknowledged.size).toBe(ROUNDS * RUNS_PER_ROUND);
    },
  );
});
