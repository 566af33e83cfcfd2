// How soon a program is gone when its run is cancelled on another machine: an API server takes the request, and a worker that shares only
// the database with it runs the program. The bare limit is a signal to the same program, observed in the same way.
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startHubProcess, type HubProcess } from "../packages/proctor/test/support/hub-process.ts";
import { startPostgres } from "../packages/proctor/test/support/postgres-server.ts";
import { query } from "../packages/proctor/test/support/postgres.ts";
import { startWorkerProcess } from "../packages/proctor/test/support/worker-process.ts";
import { median, type Result } from "./measure.ts";

const ROUNDS = 10;
/** Number of programs that run at the same time; they are stopped one after the other. */
const PROGRAMS = 20;
const AGENT = fileURLToPath(new URL("./sleeping-agent.sh", import.meta.url));

export async function bench(): Promise<Result[]> {
  const server = await startPostgres({ durable: true });
  const folder = mkdtempSync(join(tmpdir(), "proctor-bench-"));
  try {
    await query(server.url("postgres"), "create database bench");
    const env = {
      DATABASE_URL: server.url("bench"),
      SEAL_KEY: randomBytes(32).toString("base64"),
      PROCTOR_CONCURRENCY: "0",
    };
    const hub = await startHubProcess({ folder, env });
    const args = ["--concurrency", String(PROGRAMS)];
    const worker = await startWorkerProcess({ folder: mkdtempSync(join(folder, "worker-")), env, args });
    try {
      return await measure(hub);
    } finally {
      await worker.stop();
      await hub.stop();
    }
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measure(hub: HubProcess): Promise<Result[]> {
  const bare: number[] = [];
  const ours: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    bare.push(...(await stopBare()));
    ours.push(...(await stopRuns(hub)));
  }
  const line = { name: "stop-elsewhere", unit: "ms" } as const;
  return [
    {
      ...line,
      what: "from the request to cancel a run until its program on another machine is gone, median",
      value: median(ours),
      bound: { atMost: 30 },
      details: { "a signal alone ms": median(bare), runs: ours.length },
    },
    {
      ...line,
      what: "the same, 99th percentile",
      value: percentile(ours, 0.99),
      bound: { atMost: 100 },
      details: { "a signal alone ms": percentile(bare, 0.99), "worst ms": Math.max(...ours) },
    },
  ];
}

async function stopRuns(hub: HubProcess): Promise<number[]> {
  const agent = { protocol: "atp", transport: "stdio", command: [AGENT], concurrency: PROGRAMS };
  const submit = async () => {
    const { id } = await hub.post<{ id: string }>("/runs", { agent, task: { description: "sleep" } });
    const { payload } = await hub.until(id, ({ type }) => type === "progress");
    return { id, pid: Number((payload as { message: string }).message) };
  };
  const runs = await Promise.all(Array.from({ length: PROGRAMS }, submit));
  const times: number[] = [];
  for (const { id, pid } of runs) {
    const startedAt = performance.now();
    const asked = hub.post(`/runs/${id}/cancel`);
    await gone(pid);
    times.push(performance.now() - startedAt);
    await asked;
    await hub.ended(id);
  }
  return times;
}

async function stopBare(): Promise<number[]> {
  const times: number[] = [];
  for (let index = 0; index < PROGRAMS; index++) {
    const child = spawn(AGENT, { stdio: ["pipe", "ignore", "pipe"], detached: true });
    child.stdin.end("{}\n");
    await once(child.stderr, "data");
    const startedAt = performance.now();
    child.kill("SIGTERM");
    await gone(child.pid ?? 0);
    times.push(performance.now() - startedAt);
  }
  return times;
}

/** Checks every millisecond. A process that its parent has not reaped yet counts as gone. */
async function gone(pid: number): Promise<void> {
  while (isAlive(pid)) await new Promise((resolve) => setTimeout(resolve, 1));
}

function isAlive(pid: number): boolean {
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}

function percentile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * part) - 1)] ?? Number.NaN;
}
