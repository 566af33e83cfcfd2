// The workers of a hub in this process: their rows in the store, and the row of this one.
import { hostname } from "node:os";
import { ProctorError } from "../../core/errors.ts";
import type { Clock } from "../../core/ports/clock.ts";
import type { Room } from "../../core/ports/room.ts";
import type { Store } from "../../core/ports/store.ts";
import type { WorkerStore } from "../../core/ports/worker-store.ts";
import type { Workers } from "../../core/ports/workers.ts";
import type { Worker } from "../../core/worker.ts";
import type { Engine } from "../../engine/engine.ts";
import type { Config } from "../config/load-config.ts";
import { version } from "../version.ts";

/** Id of this process wherever a worker is named. */
export const WORKER_ID = `${hostname()}:${process.pid}`;

const BEAT_MS = 3000;
const ALIVE_MS = 30_000;

export function openWorkers(store: Store, clock: Clock): Workers {
  async function get(id: string): Promise<Worker> {
    const found = (await store.workers.list(clock.now())).find((worker) => worker.id === id);
    if (found) return found;
    throw new ProctorError("WORKER_NOT_FOUND", `there is no worker ${id}\nlist them: proctor workers list`, {
      details: { worker: id },
    });
  }
  return {
    list: async () => ({ items: await store.workers.list(clock.now()), next_cursor: null }),
    get,
    async drain(id, caller) {
      await get(id);
      await store.workers.drain(id);
      await store.tokens.note([
        {
          at: clock.now(),
          actor: caller.name,
          action: "worker.drained",
          subject: `worker:${id}`,
          details: {},
        },
      ]);
      return get(id);
    },
  };
}

export interface Presence {
  /** Says that the worker drains, from now on. */
  drain(): void;
  close(): Promise<void>;
}

/** Writes the row of this process every few seconds. `onDrain` is called when an operator asked it to drain. */
export async function startPresence(options: {
  config: Config;
  /** Rows that it writes to; absent for a process that is alone, because no other process asks for it. */
  workers?: Pick<WorkerStore, "beat" | "remove"> | undefined;
  engine: Engine;
  room?: Pick<Room, "full"> | undefined;
  clock: Clock;
  onDrain: () => void;
  report: (problem: unknown, runId: string) => void;
}): Promise<Presence> {
  const { config, workers, engine, clock } = options;
  const started_at = new Date(clock.now()).toISOString();
  let draining = false;
  let closed = false;
  let callOff = (): void => undefined;
  let beating: Promise<void> = Promise.resolve();

  if (workers === undefined) return { drain: () => undefined, close: () => Promise.resolve() };
  const rows = workers;

  async function beat(): Promise<void> {
    const now = clock.now();
    const full = options.room?.full();
    const worker = {
      id: WORKER_ID,
      host: hostname(),
      pid: process.pid,
      version: version(),
      labels: [...config.labels],
      over: "database" as const,
      slots: config.concurrency,
      busy: engine.active,
      draining,
      ...(full !== undefined && { no_room: full }),
      started_at,
    };
    try {
      const { drain } = await rows.beat(worker, now, now + ALIVE_MS);
      if (drain && !draining) {
        draining = true;
        options.onDrain();
      }
    } catch (problem) {
      options.report(problem, "");
    }
  }

  function plan(): void {
    callOff = clock.after(BEAT_MS, () => {
      beating = beat().then(() => {
        if (!closed) plan();
      });
    });
  }

  await beat();
  plan();
  return {
    drain() {
      draining = true;
    },
    async close() {
      closed = true;
      callOff();
      await beating;
      await rows.remove(WORKER_ID).catch(() => undefined);
    },
  };
}
