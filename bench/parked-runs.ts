// The start of a hub with very many runs that wait for an answer. None of them has a process or a timer of its own.
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { newEvent, newRun, question } from "../packages/proctor/test/support/stores/fixtures.ts";
import { openSqliteStore } from "../packages/proctor/src/stores/sqlite/open-store.ts";
import { median, secondsOf, type Result } from "./measure.ts";
import { residentMb, startHub } from "./processes.ts";

const RUNS = 10_000;
const ROUNDS = 5;

export async function bench(): Promise<Result> {
  const [full, empty] = [RUNS, 0].map((runs) => ({
    runs,
    folder: mkdtempSync(join(tmpdir(), "proctor-parked-")),
  })) as [{ runs: number; folder: string }, { runs: number; folder: string }];
  try {
    await fill(full.folder, full.runs);
    const times = { full: [] as number[], empty: [] as number[] };
    let memory = 0;
    for (let round = 0; round < ROUNDS; round++) {
      times.empty.push((await start(empty.folder, 0)).ms);
      const started = await start(full.folder, RUNS);
      times.full.push(started.ms);
      memory = started.mb;
    }
    return {
      name: "parked-runs",
      what: `start of a hub with ${RUNS} waiting runs, to its first answer`,
      value: median(times.full),
      bound: { atMost: 2000 },
      unit: "ms",
      details: { "with none ms": median(times.empty), "resident MB": memory },
    };
  } finally {
    for (const { folder } of [full, empty]) rmSync(folder, { recursive: true, force: true });
  }
}

async function start(folder: string, waiting: number): Promise<{ ms: number; mb: number }> {
  let hub: Awaited<ReturnType<typeof startHub>> | undefined;
  const seconds = await secondsOf(async () => {
    hub = await startHub({ concurrency: 4, folder });
    const ready = await fetch(`http://127.0.0.1:${hub.port}/readyz`);
    if (ready.status !== 200) throw new Error(`readyz: ${ready.status}`);
  });
  if (hub === undefined) throw new Error("no hub");
  const page = await fetch(`http://127.0.0.1:${hub.port}/runs?status=waiting&limit=1`);
  const { items } = (await page.json()) as { items: unknown[] };
  if (items.length !== Math.min(1, waiting)) throw new Error("the waiting runs are gone");
  const mb = residentMb(hub.pid);
  await hub.stop();
  return { ms: seconds * 1000, mb };
}

async function fill(folder: string, runs: number): Promise<void> {
  mkdirSync(join(folder, ".proctor"), { recursive: true });
  const store = await openSqliteStore({ file: join(folder, ".proctor/proctor.db") });
  const events = [
    newEvent({ type: "run.started", payload: { worker: "gone" } }),
    newEvent({
      type: "question.asked",
      payload: { question: question("q", { expires_at: new Date(Date.now() + 86_400_000).toISOString() }) },
    }),
    newEvent({ type: "session.parked", payload: {} }),
  ];
  for (let at = 0; at < runs; at += 500) {
    const ids = Array.from({ length: Math.min(500, runs - at) }, (_, index) => `parked-${at + index}`);
    await Promise.all(ids.map((id) => store.createRun(newRun({ id }))));
    await Promise.all(ids.map((id) => store.append(id, events)));
  }
  await store.close();
}
