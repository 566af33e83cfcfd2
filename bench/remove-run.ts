// Removing a run with very many events: how long other requests have to wait meanwhile.
import { closeSync, fsyncSync, mkdtempSync, openSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import Database from "libsql";
import type { Result } from "./measure.ts";
import { startHub } from "./processes.ts";

const EVENTS = 1_000_000;
/** Milliseconds between two requests to /healthz. */
const PROBE_MS = 5;
/** Milliseconds for which the same is measured while nothing is removed, to know the delays of the machine itself. */
const IDLE_MS = 5000;

export async function bench(): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), "proctor-remove-"));
  const database = join(folder, ".proctor/proctor.db");
  try {
    const id = await fill(folder, database);
    const hub = await startHub({ concurrency: 0, folder });
    try {
      const base = `http://127.0.0.1:${hub.port}`;
      const idle = await longest(base, delay(IDLE_MS));
      const startedAt = performance.now();
      let answeredMs = 0;
      const removing = fetch(`${base}/runs/${id}`, { method: "DELETE" }).then(async (response) => {
        answeredMs = performance.now() - startedAt;
        if (response.status !== 204) throw new Error(await response.text());
        await emptied(database);
      });
      const value = await longest(base, removing);
      const erasedMs = performance.now() - startedAt;
      return {
        name: "remove-run",
        what: `longest /healthz while a run of ${EVENTS} events is removed`,
        value,
        bound: { atMost: 50 },
        unit: "ms",
        details: { "answered ms": answeredMs, "erased ms": erasedMs, "idle ms": idle },
      };
    } finally {
      await hub.stop();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Resolves with the milliseconds of the slowest answer to /healthz until the work is done. */
async function longest(base: string, work: Promise<void>): Promise<number> {
  let slowest = 0;
  const state = { done: false };
  const finished = work.finally(() => (state.done = true));
  while (!state.done) {
    const startedAt = performance.now();
    await (await fetch(`${base}/healthz`)).text();
    slowest = Math.max(slowest, performance.now() - startedAt);
    await delay(PROBE_MS);
  }
  await finished;
  return slowest;
}

/** Creates a cancelled run and puts all events into its log. Resolves with its id. */
async function fill(folder: string, path: string): Promise<string> {
  const hub = await startHub({ concurrency: 0, folder });
  const url = `http://127.0.0.1:${hub.port}/runs`;
  const headers = { "content-type": "application/json" };
  const body = JSON.stringify({ agent: "atp+stdio:true", task: { description: "say it" } });
  const { id } = (await (await fetch(url, { method: "POST", headers, body })).json()) as { id: string };
  await fetch(`${url}/${id}/cancel`, { method: "POST" });
  await hub.stop();
  const database = new Database(path);
  database.pragma("synchronous = OFF");
  database.exec(
    `WITH RECURSIVE n(i) AS (SELECT 3 UNION ALL SELECT i + 1 FROM n WHERE i < ${EVENTS - 1})
     INSERT INTO events (run_id, sequence, timestamp, type, payload)
     SELECT '${id}', i, 0, 'log', '{"stream":"stdout","text":"' || hex(randomblob(100)) || '"}' FROM n`,
  );
  database.exec(`UPDATE runs SET next_sequence = ${EVENTS} WHERE id = '${id}'`);
  database.close();
  // Without this, the hub's first checkpoint would wait until all of it has reached the disk.
  const file = openSync(path, "r+");
  fsyncSync(file);
  closeSync(file);
  return id;
}

async function emptied(path: string): Promise<void> {
  const database = new Database(path);
  try {
    const left = database.prepare("SELECT run_id FROM removed_runs LIMIT 1");
    while (left.get() !== undefined) await delay(50);
  } finally {
    database.close();
  }
}
