// Events through the whole engine (limits, redaction, fold, group commit), against one prepared INSERT per event in
// one transaction per 500.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "libsql";
import type { AgentReport } from "../packages/proctor/src/core/ports/driver.ts";
import { openTestHub } from "../packages/proctor/test/support/test-hub.ts";
import { inTurns, secondsOf, type Result } from "./measure.ts";

const EVENTS = 50_000;
const PAYLOAD = { current_step: 1, total_steps: 100, percentage: 1, message: "x".repeat(210) };

export async function bench(): Promise<Result> {
  const { hub, close } = await openTestHub({ concurrency: 1, driver: { open: () => flood() } });
  const folder = mkdtempSync(join(tmpdir(), "proctor-bench-"));
  const db = openBareDatabase(join(folder, "bare.db"));
  try {
    const seconds = await inTurns(
      5,
      () => secondsOf(async () => insertBare(db)),
      () => secondsOf(runFlood),
    );
    return {
      name: "append-events",
      what: "events per second through the engine / one prepared INSERT each, 500 per transaction",
      value: seconds.bare / seconds.ours,
      bound: { atLeast: 0.5 },
      unit: "ratio",
      details: { "bare/s": EVENTS / seconds.bare, "ours/s": EVENTS / seconds.ours },
    };
  } finally {
    await close();
    db.close();
    rmSync(folder, { recursive: true, force: true });
  }

  async function runFlood(): Promise<void> {
    const agent = { protocol: "atp", transport: "stdio", command: ["flood"] };
    const { run } = await hub.submit({ agent, task: { description: "flood" } });
    for (;;) {
      const { status, ended_at } = await hub.run(run.id);
      if (ended_at !== null && status !== "completed") throw new Error(`the flood ended ${status}`);
      if (ended_at !== null) return;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }
}

async function* flood(): AsyncGenerator<AgentReport> {
  for (let index = 0; index < EVENTS; index++) {
    yield { kind: "event", event: { type: "progress", payload: { ...PAYLOAD, current_step: index } } };
  }
  yield { kind: "end", end: { status: "completed" } };
}

function openBareDatabase(file: string): Database.Database {
  const db = new Database(file);
  db.exec("PRAGMA journal_mode = WAL");
  db.exec("PRAGMA synchronous = FULL");
  db.exec(
    "CREATE TABLE events (run_id TEXT, sequence INTEGER, timestamp INTEGER, type TEXT, payload TEXT, PRIMARY KEY (run_id, sequence)) WITHOUT ROWID",
  );
  return db;
}

let round = 0;

function insertBare(db: Database.Database): void {
  const insert = db.prepare("INSERT INTO events VALUES (?, ?, ?, ?, ?)");
  const runId = `018f2f5e-0000-7000-8000-${String(round++).padStart(12, "0")}`;
  for (let index = 0; index < EVENTS; index++) {
    if (index % 500 === 0) db.exec("BEGIN");
    insert.run(runId, index, Date.now(), "progress", JSON.stringify({ ...PAYLOAD, current_step: index }));
    if (index % 500 === 499) db.exec("COMMIT");
  }
}
