// A worker without agents: claims runs of a shared database, waits as long as a run takes, and ends them.
// Arguments: database, slots, milliseconds of a run. Prints `ready`, and at its end how many CPU milliseconds it used for how many runs.
import { systemClock } from "../packages/proctor/src/runtime/time/system-clock.ts";
import { openPgBossQueue } from "../packages/proctor/src/dispatch/pg-boss/pg-boss-dispatcher.ts";
import { openPostgresStore } from "../packages/proctor/src/stores/postgres/open-store.ts";
import type { Delivery } from "../packages/proctor/src/core/ports/dispatcher.ts";
import { ended } from "../packages/proctor/test/support/stores/fixtures.ts";

const [url = "", slots = "16", runMs = "100"] = process.argv.slice(2);
const opened = await openPgBossQueue({
  url,
  clock: systemClock,
  worker: `bench:${process.pid}`,
  agentConcurrency: 64,
  report: (problem) => console.error(problem),
});
const store = await openPostgresStore({ url, queue: opened.queue });
const dispatcher = opened.dispatcher(store);
let free = Number(slots);
let done = 0;
let wanted = false;
let claiming = false;
let closed = false;
const atWork = new Set<Promise<void>>();

async function carryOut({ claimed: { run, fence } }: Delivery): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, Number(runMs)));
  await store.append(run.id, [ended()], { fence });
  free++;
  done++;
  void pump();
}

function isWanted(): boolean {
  const yes = wanted && free > 0 && !closed;
  wanted = false;
  return yes;
}

async function pump(): Promise<void> {
  wanted = true;
  if (claiming) return;
  claiming = true;
  while (isWanted()) {
    const { deliveries } = await dispatcher.claim({ limit: free, inFlight: {} });
    free -= deliveries.length;
    for (const delivery of deliveries) {
      const work = carryOut(delivery);
      atWork.add(work);
      void work.finally(() => atWork.delete(work));
    }
  }
  claiming = false;
}

dispatcher.watch(() => void pump());
void pump();
const before = process.cpuUsage();
console.log("ready");
process.once("SIGTERM", () => {
  const { user, system } = process.cpuUsage(before);
  console.log(JSON.stringify({ cpuMs: (user + system) / 1000, done }));
  closed = true;
  void Promise.all(atWork)
    .then(() => dispatcher.close())
    .then(() => store.close())
    .then(() => opened.close())
    .then(() => process.exit(0));
});
