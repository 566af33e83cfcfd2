// Runs over several processes that share a PostgreSQL server: what a second worker adds, what the queue costs, how soon a run starts, and
// whether a deep backlog of one agent delays the runs of others.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { systemClock } from "../packages/proctor/src/runtime/time/system-clock.ts";
import { openPgBossQueue } from "../packages/proctor/src/dispatch/pg-boss/pg-boss-dispatcher.ts";
import { openPostgresStore } from "../packages/proctor/src/stores/postgres/open-store.ts";
import type { Store } from "../packages/proctor/src/core/ports/store.ts";
import { startPostgres } from "../packages/proctor/test/support/postgres-server.ts";
import { query } from "../packages/proctor/test/support/postgres.ts";
import { ended, newRun } from "../packages/proctor/test/support/stores/fixtures.ts";
import { median, secondsOf, type Result } from "./measure.ts";
import { TYPESCRIPT } from "./processes.ts";

const SLOTS = 16;
const RUN_MS = 100;
const RUNS = 800;
const STARTS = 60;
const BACKLOG = 60_000;

export async function bench(): Promise<Result[]> {
  const server = await startPostgres({ durable: true });
  const url = server.url("bench");
  await query(server.url("postgres"), "create database bench");
  const opened = await openPgBossQueue({
    url,
    clock: systemClock,
    worker: "bench",
    agentConcurrency: 64,
    report: (problem) => console.error(problem),
  });
  const store = await openPostgresStore({ url, queue: opened.queue });
  const dispatcher = opened.dispatcher(store);
  try {
    const one = await throughput(url, store, 1);
    const two = await throughput(url, store, 2);
    const starts = await startLatency(url, store);
    const claims = await claimsBesideBacklog(url, store, dispatcher);
    return [
      {
        name: "dispatch",
        what: `runs of ${RUN_MS} ms by two workers with ${SLOTS} places each / by one`,
        value: two.perSecond / one.perSecond,
        bound: { atLeast: 1.8 },
        unit: "ratio",
        details: { "one/s": one.perSecond, "two/s": two.perSecond, "ideal/s": (SLOTS * 1000) / RUN_MS },
      },
      {
        name: "dispatch",
        what: "CPU of a worker for each run: claim, heartbeats, end, admission of the next",
        value: one.cpuMs,
        bound: { atMost: 3 },
        unit: "ms",
        details: { "with two": two.cpuMs },
      },
      {
        name: "dispatch",
        what: "from a run's acknowledgement to its start by another process, median",
        value: median(starts),
        bound: { atMost: 30 },
        unit: "ms",
        details: { "worst ms": Math.max(...starts) },
      },
      {
        name: "dispatch",
        what: `a claim beside ${BACKLOG} runs that wait for one agent, median`,
        value: median(claims),
        bound: { atMost: 5 },
        unit: "ms",
        details: { "worst ms": Math.max(...claims) },
      },
    ];
  } finally {
    await dispatcher.close();
    await store.close();
    await opened.close();
    await server.stop();
  }
}

async function startWorker(url: string, slots: number, runMs: number) {
  const file = fileURLToPath(new URL("./dispatch-worker.ts", import.meta.url));
  const child = spawn(process.execPath, [...TYPESCRIPT, file, url, String(slots), String(runMs)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let text = "";
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
  while (!text.includes("ready")) await once(child.stdout, "data");
  return {
    async stop(): Promise<{ cpuMs: number; done: number }> {
      child.kill("SIGTERM");
      await once(child, "close");
      return JSON.parse(text.slice(text.indexOf("{"))) as { cpuMs: number; done: number };
    },
  };
}

/** Resolves with the runs per second, and the CPU milliseconds that the workers use for each. */
async function throughput(url: string, store: Store, count: number) {
  const workers = await Promise.all(Array.from({ length: count }, () => startWorker(url, SLOTS, RUN_MS)));
  const runs = RUNS * count;
  const seconds = await secondsOf(async () => {
    await Promise.all(Array.from({ length: runs }, () => store.createRun(newRun())));
    const live = { status: ["queued", "running"], limit: 1 } as const;
    while ((await store.listRuns(live)).items.length > 0)
      await new Promise((resolve) => setTimeout(resolve, 20));
  });
  const spent = await Promise.all(workers.map((worker) => worker.stop()));
  const cpuMs = spent.reduce((sum, { cpuMs: each }) => sum + each, 0);
  return { perSecond: runs / seconds, cpuMs: cpuMs / runs };
}

async function startLatency(url: string, store: Store): Promise<number[]> {
  const worker = await startWorker(url, SLOTS, 0);
  const delays: number[] = [];
  for (let index = 0; index < STARTS; index++) {
    const { run } = await store.createRun(newRun());
    const acknowledged = performance.now();
    while ((await store.readRun(run.id))?.started_at == null)
      await new Promise((resolve) => setTimeout(resolve, 2));
    if (index >= 5) delays.push(performance.now() - acknowledged);
  }
  await worker.stop();
  return delays;
}

async function claimsBesideBacklog(
  url: string,
  store: Store,
  dispatcher: ReturnType<Awaited<ReturnType<typeof openPgBossQueue>>["dispatcher"]>,
): Promise<number[]> {
  const narrow = { agent: "narrow", concurrency: 1 };
  for (let made = 0; made < BACKLOG; made += 2000)
    await Promise.all(Array.from({ length: 2000 }, () => store.createRun(newRun(narrow))));
  await query(url, "analyze");
  const taken = await dispatcher.claim({ limit: 100, inFlight: {} });
  const times: number[] = [];
  for (let index = 0; index < STARTS; index++) {
    const { run } = await store.createRun(newRun({ agent: "other" }));
    for (;;) {
      const started = performance.now();
      const { deliveries } = await dispatcher.claim({ limit: 10, inFlight: {} });
      const ms = performance.now() - started;
      const own = deliveries.find(({ claimed }) => claimed.run.id === run.id);
      if (own) {
        times.push(ms);
        await store.append(run.id, [ended()], { fence: own.claimed.fence });
        break;
      }
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
  }
  for (const { claimed } of taken.deliveries)
    await store.append(claimed.run.id, [ended()], { fence: claimed.fence });
  return times;
}
