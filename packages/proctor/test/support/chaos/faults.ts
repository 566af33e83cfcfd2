// What is done to a cluster, by name. A fault chooses its victims before it waits for anything, so that the same seed chooses the same ones.
import { expect } from "vitest";
import { eventually } from "../eventually.ts";
import { look } from "../postgres.ts";
import type { Cluster } from "./cluster.ts";

/** `meanwhile` resolves when the runs of the round have ended: faults that last, last until then. */
type Strike = (cluster: Cluster, random: () => number, meanwhile: Promise<unknown>) => Promise<void>;

const SLOW_MS = 300;
const SKEW_MS = 5 * 60_000;
/** One of so many requests to the bucket fails. */
const EVERY = 3;
const HELD = "select count(*)::int as held from runs where worker = $1 and status = 'running'";

export const FAULTS: Readonly<Record<string, Strike>> = {
  async "kill a worker"({ workers, restart, url }, random, meanwhile) {
    const victim = pick(workers, random);
    await untilBusy(url, victim.process.id, meanwhile);
    await restart(victim);
  },

  "kill a hub": async ({ hubs, restart }, random) => restart(pick(hubs, random)),

  // Long enough that its runs are given away.
  async "stop a worker for a while"({ workers, url }, random, meanwhile) {
    const { id, pid } = pick(workers, random).process;
    await untilBusy(url, id, meanwhile);
    signal(pid, "SIGSTOP");
    await eventually(async () => expect(await look(url, HELD, [id])).toEqual([{ held: 0 }]));
    signal(pid, "SIGCONT");
  },

  async "stop a hub for a while"({ hubs }, random, meanwhile) {
    const { pid } = pick(hubs, random).process;
    signal(pid, "SIGSTOP");
    await meanwhile;
    signal(pid, "SIGCONT");
  },

  async "cut connections to PostgreSQL"({ workers, hubs, url }, random, meanwhile) {
    const victims = [...workers, ...hubs].filter(() => random() < 0.5);
    await untilBusy(url, workers[0]?.process.id ?? "", meanwhile);
    for (const { database } of victims) database.cut();
  },

  async "slow connections to PostgreSQL"({ workers, hubs }, random, meanwhile) {
    const { database } = pick([...workers, ...hubs], random);
    database.delay(SLOW_MS);
    await meanwhile;
    database.delay(0);
  },

  async "restart PostgreSQL"({ server, workers, url }, random, meanwhile) {
    await untilBusy(url, pick(workers, random).process.id, meanwhile);
    await server.restart();
  },

  async "cut connections to the bucket"({ bucket }, _random, meanwhile) {
    bucket.requests.fault = everyOther(() => "cut");
    bucket.connections.cut();
    await meanwhile;
    bucket.requests.fault = () => undefined;
  },

  async "errors of the bucket"({ bucket }, random, meanwhile) {
    const status = pick([500, 503], random);
    bucket.requests.fault = everyOther(() => ({ status, code: "SlowDown" }));
    await meanwhile;
    bucket.requests.fault = () => undefined;
  },

  async "a slow bucket"({ bucket }, _random, meanwhile) {
    bucket.connections.delay(SLOW_MS);
    await meanwhile;
    bucket.connections.delay(0);
  },

  async "a worker whose clock is wrong"({ workers, restart }, random) {
    const victim = pick(workers, random);
    victim.skewMs = pick([-SKEW_MS, SKEW_MS, 0], random);
    await restart(victim);
  },

  async "a hub whose clock is wrong"({ hubs, restart }, random) {
    const victim = pick(hubs, random);
    victim.skewMs = pick([-SKEW_MS, SKEW_MS, 0], random);
    await restart(victim);
  },

  async "a full disk"({ workers }, _random, meanwhile) {
    for (const { disk } of workers) disk?.fill();
    await meanwhile;
    for (const { disk } of workers) disk?.clear();
  },
};

/** A fault that hits nobody at work proves little. Returns without one when all runs have ended. */
export async function untilBusy(url: string, worker: string, meanwhile: Promise<unknown>): Promise<void> {
  let over = false;
  const note = (): void => void (over = true);
  meanwhile.then(note, note);
  await eventually(async () => {
    if (!over) expect(await look(url, HELD, [worker])).not.toEqual([{ held: 0 }]);
  });
}

export function pick<T>(items: readonly T[], random: () => number): T {
  const item = items[Math.floor(random() * items.length)];
  if (item === undefined) throw new Error("there is nothing to pick");
  return item;
}

function everyOther<T>(fault: () => T): () => T | undefined {
  let count = 0;
  return () => (++count % EVERY === 0 ? fault() : undefined);
}

/** The process may be gone meanwhile, by another fault. */
function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
}
