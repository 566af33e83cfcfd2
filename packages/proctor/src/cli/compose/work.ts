// `proctor worker`: carries out runs of a shared database, and takes no requests.
import { ProctorError } from "../../core/errors.ts";
import { whenAborted } from "../../core/when-aborted.ts";
import type { Config } from "../config/load-config.ts";
import { createJsonLog } from "../json-log.ts";
import { holdDataDir } from "./hold-data-dir.ts";
import { openLocal } from "./local-hub.ts";
import { startPresence, WORKER_ID } from "./open-workers.ts";

export interface WorkOptions {
  /** Called when the worker takes runs. */
  onReady: (info: { worker: string; slots: number; labels: readonly string[] }) => void;
  /** Called when it takes no more runs, with how many are in flight. */
  onDrain: (active: number) => void;
  /** Ends when nothing is left to do at the first look: for machines that are paid by the minute. */
  drain: boolean;
  writeLog: (text: string) => void;
  /** Drains the worker when aborted. */
  signal: AbortSignal;
}

/** How often a worker that drains looks whether it is done. */
const LOOK_MS = 100;
/** How often in a row nothing must be in flight before there is nothing left to do. */
const QUIET_LOOKS = 20;

/** Resolves when the worker has ended. */
export async function work(config: Config, options: WorkOptions): Promise<void> {
  if (config.databaseUrl === undefined) {
    throw new ProctorError(
      "CONFIG_INVALID",
      "a worker needs a database that it shares with others: DATABASE_URL=postgres://user:password@host/database\n" +
        "one machine needs none: proctor up carries out its runs itself",
    );
  }
  const lock = await holdDataDir(config, { command: "proctor worker" });
  const log = createJsonLog(options.writeLog);
  const report = (problem: unknown, runId: string): void => {
    const level = typeof problem === "string" ? "warn" : "error";
    log({ time: new Date().toISOString(), level, run_id: runId, message: String(problem) });
  };
  const drained = new AbortController();
  try {
    const { hub, store, engine, clock } = await openLocal(config, {
      ownRunsOnly: false,
      report,
      alone: lock.alone,
    });
    const presence = await startPresence({
      config,
      store,
      engine,
      report,
      clock,
      onDrain: () => drained.abort(),
    });
    await engine.start();
    options.onReady({ worker: WORKER_ID, slots: config.concurrency, labels: config.labels });
    if (options.drain) await idle(engine);
    else await whenAborted(AbortSignal.any([options.signal, drained.signal]));
    engine.drain();
    presence.drain();
    options.onDrain(engine.active);
    // An operator's drain waits as long as the runs take; a signal only for the grace, and a second one ends the process.
    while (drained.signal.aborted && engine.active > 0 && !options.signal.aborted) await pause();
    await engine.stop(config.graceMs);
    await presence.close();
    await hub.close();
  } finally {
    log.flush();
    await lock.release();
  }
}

/** Resolves when nothing has been in flight for a while. */
async function idle(engine: { readonly active: number }): Promise<void> {
  for (let quiet = 0; quiet < QUIET_LOOKS; quiet = engine.active === 0 ? quiet + 1 : 0) await pause();
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, LOOK_MS));
}
