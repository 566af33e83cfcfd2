// `proctor worker`: carries out runs of a shared database, or of a hub that has one, and takes no requests.
import { ProctorError } from "../../core/errors.ts";
import { whenAborted } from "../../core/when-aborted.ts";
import type { Config } from "../config/load-config.ts";
import { createJsonLog } from "../json-log.ts";
import { holdDataDir } from "./hold-data-dir.ts";
import {
  openDatabaseWorker,
  openHubWorker,
  requireSafeHub,
  type OpenWorker,
  type OpenWorkerOptions,
} from "./open-worker.ts";
import { startPresence } from "./open-workers.ts";

export interface WorkOptions {
  /** Called when the worker takes runs. */
  onReady: (info: { worker: string; slots: number; labels: readonly string[] }) => void;
  /** Called when it takes no more runs, with how many are in flight. */
  onDrain: (active: number) => void;
  /** Whether the worker ends as soon as nothing is left to do: for machines that are paid by the minute. */
  drain: boolean;
  /** Whether the worker reaches runs through the hub, even where it has a database. */
  overHub: boolean;
  /** Whether the worker accepts secrets over http:// from another machine. */
  allowHttp: boolean;
  writeLog: (text: string) => void;
  /** Drains the worker when aborted. */
  signal: AbortSignal;
}

/** Milliseconds between two looks of a draining worker at whether it is done. */
const LOOK_MS = 100;
/** Number of looks in a row at which nothing must be in flight before there is nothing left to do. */
const QUIET_LOOKS = 20;

/** Resolves when the worker has ended. */
export async function work(config: Config, options: WorkOptions): Promise<void> {
  const open = chooseParts(config, options);
  const lock = await holdDataDir(config, { command: "proctor worker" }, true);
  const log = createJsonLog(options.writeLog);
  const report = (problem: unknown, runId: string): void => {
    const level = typeof problem === "string" ? "warn" : "error";
    log({ time: new Date().toISOString(), level, run_id: runId, message: String(problem) });
  };
  const drained = new AbortController();
  const refused = new AbortController();
  try {
    const worker = await open({ report, alone: lock.alone, onRefused: (error) => refused.abort(error) });
    const { engine, clock } = worker;
    const presence = await startPresence({
      config,
      workers: worker.rows,
      engine,
      room: worker.room,
      report,
      clock,
      onDrain: () => drained.abort(),
    });
    refused.signal.throwIfAborted();
    await engine.start();
    options.onReady({ worker: worker.id(), slots: config.concurrency, labels: config.labels });
    const ends = AbortSignal.any([options.signal, drained.signal, refused.signal]);
    await Promise.race([whenAborted(ends), ...(options.drain ? [idle(engine)] : [])]);
    engine.drain();
    presence.drain();
    options.onDrain(engine.active);
    // An operator's drain waits as long as the runs take; a signal only for the grace, and a second one ends the process.
    const hurries = AbortSignal.any([options.signal, refused.signal]);
    while (drained.signal.aborted && engine.active > 0 && !hurries.aborted) await pause();
    await engine.stop(config.graceMs);
    await presence.close();
    await worker.close();
    // A worker that its hub no longer accepts has not ended as it should.
    refused.signal.throwIfAborted();
  } finally {
    log.flush();
    await lock.release();
  }
}

type OpenParts = (options: OpenWorkerOptions) => Promise<OpenWorker>;

/** Throws CONFIG_INVALID. */
function chooseParts(config: Config, { overHub, allowHttp }: WorkOptions): OpenParts {
  const { hubUrl, databaseUrl } = config;
  if (databaseUrl !== undefined && !overHub) return (options) => openDatabaseWorker(config, options);
  if (hubUrl === undefined) {
    throw new ProctorError(
      "CONFIG_INVALID",
      "a worker needs a database that it shares with others: DATABASE_URL=postgres://user:password@host/database\n" +
        "or a hub that has one, and a token with the scope workers: proctor worker --hub https://hub.example\n" +
        "one machine needs none: proctor up carries out its runs itself",
    );
  }
  requireSafeHub(hubUrl, allowHttp);
  return (options) => openHubWorker({ ...config, hubUrl }, options);
}

/** Resolves when nothing has been in flight for a while. */
async function idle(engine: { readonly active: number }): Promise<void> {
  for (let quiet = 0; quiet < QUIET_LOOKS; quiet = engine.active === 0 ? quiet + 1 : 0) await pause();
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, LOOK_MS));
}
