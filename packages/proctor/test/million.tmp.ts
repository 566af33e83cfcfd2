import { join } from "node:path";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { startPostgres } from "./support/postgres-server.ts";
import { Client } from "pg";
import { openSqliteStore } from "../src/stores/sqlite/open-store.ts";
import { newRun, started, newEvent } from "./million-fixtures.tmp.ts";
import { moveDatabase } from "../src/stores/moving/move-database.ts";
import { openPostgres } from "../src/stores/moving/open-postgres.ts";
import { openSqlite } from "../src/stores/moving/open-sqlite.ts";
const folder = mkdtempSync(join(tmpdir(), "million-"));
const server = await startPostgres({ durable: true });
try {
  const c = new Client({ connectionString: server.url("postgres") }); await c.connect(); await c.query("create database moved"); await c.end();
  const file = join(folder, "p.db");
  const store = await openSqliteStore({ file });
  for (let run = 0; run < 1000; run++) {
    const made = newRun(); await store.createRun(made); await store.append(made.id, [started()]);
    await store.append(made.id, Array.from({ length: 996 }, (_, i) => newEvent({ type: "log", payload: { stream: "stdout", text: `event ${run} ${i} ${"x".repeat(120)}` } })));
    await store.append(made.id, [newEvent({ type: "run.ended", payload: { status: "completed" } })]);
  }
  await store.close();
  const say = (what: string, since: number) => console.log(what, ((performance.now() - since) / 1000).toFixed(1), "s", Math.round(process.memoryUsage.rss() / 1e6), "MB");
  const source = await openSqlite(file);
  const target = await openPostgres(server.url("moved"));
  let t = performance.now(); let step = "";
  const there = await moveDatabase(source, target, { now: Date.now(), onProgress: (p) => { if (p.step !== step) { step = p.step; say(`begin ${step}`, t); } } });
  say("to postgres", t); console.log(there.rows["events"], there.logs, there.checksum);
  const back = await openSqlite(join(folder, "back.db"));
  t = performance.now();
  const again = await moveDatabase(target, back, { now: Date.now() });
  say("back", t); console.log(again.checksum === there.checksum);
  for (const d of [source, target, back]) await d.close();
} finally { await server.stop(); rmSync(folder, { recursive: true, force: true }); }
