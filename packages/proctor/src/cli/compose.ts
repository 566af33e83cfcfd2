// Puts the parts together: the only file that names concrete stores, protocols and channels.
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { createAgentRegistry } from "../agents/registry.ts";
import { killMarked } from "../channels/process/strays.ts";
import { encodeSse } from "../channels/sse/encode-sse.ts";
import { readSse } from "../channels/sse/read-sse.ts";
import type { Artifact } from "../core/artifact.ts";
import { ProctorError } from "../core/errors.ts";
import type { JsonObject } from "../core/json.ts";
import type { BlobStore } from "../core/ports/blob-store.ts";
import type { Hub } from "../core/ports/hub.ts";
import type { Sealer } from "../core/ports/sealer.ts";
import type { Store } from "../core/ports/store.ts";
import type { Run } from "../core/run.ts";
import { createEngine, type Engine } from "../engine/engine.ts";
import { createHub } from "../engine/hub.ts";
import { systemClock } from "../engine/system-clock.ts";
import { encodeResponse as encodeAtpResponse } from "../protocols/atp/codec.ts";
import { createDriverLookup, schemes as listSchemes } from "../protocols/registry.ts";
import { createApp } from "../server/app.ts";
import { assertSafeBind, createAuth } from "../server/auth.ts";
import { listen } from "../server/listen.ts";
import { openFileBlobs } from "../stores/blobs/file-blobs.ts";
import { openSealer } from "../stores/sealer.ts";
import { openSqliteStore } from "../stores/sqlite/open-store.ts";
import { hubMetrics } from "../telemetry/hub-metrics.ts";
import { createMetrics } from "../telemetry/metrics.ts";
import { processMetrics } from "../telemetry/process-metrics.ts";
import type { OpenHub, ServeOptions } from "./composition.ts";
import type { Config } from "./config.ts";
import { createHttpHub } from "./http-hub.ts";
import { acquireLock, readLock, type Lock } from "./hub-lock.ts";
import { openHubId } from "./hub-id.ts";
import { createJsonLog } from "./json-log.ts";
import { version } from "./version.ts";

/** How long a command waits for another that holds the data directory and is no hub. */
const WAIT_FOR_LOCK_MS = 60_000;
/** How often a command that only reads looks for what the process that writes has written. */
const POLL_MS = 200;

interface LocalHub {
  hub: Hub;
  store: Store;
  engine: Engine;
}

interface LocalParts {
  store: Store;
  blobs: BlobStore;
  sealer: Sealer;
  hubId: string;
  /** A command runs what it submitted itself; a hub runs whatever is queued. */
  ownRunsOnly: boolean;
  report: (problem: unknown, runId: string) => void;
  /** Another process writes: look for what is new so often. */
  pollMs?: number;
}

async function assemble(config: Config, parts: LocalParts): Promise<LocalHub> {
  const { store, blobs, sealer, hubId, ownRunsOnly, report } = parts;
  const clock = systemClock;
  const drivers = createDriverLookup({ hubId });
  const engine = createEngine({
    store,
    blobs,
    drivers,
    sealer,
    clock,
    report,
    ownRunsOnly,
    graceMs: config.graceMs,
    random: Math.random,
    worker: `${hostname()}:${process.pid}`,
    concurrency: config.concurrency,
    agentConcurrency: config.agentConcurrency,
  });
  const agents = createAgentRegistry({ store, sealer, clock, drivers });
  const hub = createHub({
    store,
    blobs,
    engine,
    agents,
    sealer,
    clock,
    closeGraceMs: ownRunsOnly ? 0 : config.graceMs,
    ...(parts.pollMs !== undefined && { pollMs: parts.pollMs }),
  });
  return { hub, store, engine };
}

/** Call it only while holding the lock. */
async function openLocal(
  config: Config,
  options: Pick<LocalParts, "ownRunsOnly" | "report">,
): Promise<LocalHub> {
  const store = await openSqliteStore({ file: config.databaseFile });
  const sealer = await openSealer(join(config.dataDir, "seal.key"));
  const hubId = await openHubId(join(config.dataDir, "hub.id"));
  // Whatever still carries our mark belongs to a process of ours that crashed.
  await killMarked("PROCTOR_HUB_ID", hubId);
  const blobs = await openFileBlobs(config.artifactsDir);
  await blobs.sweep();
  return assemble(config, { store, blobs, sealer, hubId, ...options });
}

async function openReader(config: Config): Promise<OpenHub> {
  const store = await openSqliteStore({ file: config.databaseFile, readOnly: true });
  const blobs = await openFileBlobs(config.artifactsDir, { readOnly: true });
  const sealer = { seal: readOnly, open: readOnly };
  const { hub } = await assemble(config, {
    store,
    blobs,
    sealer,
    hubId: "",
    ownRunsOnly: true,
    report: ignoreProblem,
    pollMs: POLL_MS,
  });
  return { hub, where: "in-process", close: () => hub.close() };
}

async function closeLocal(hub: Hub, lock: Lock): Promise<void> {
  try {
    await hub.close();
  } finally {
    await lock.release();
  }
}

function lockFile(config: Config): string {
  return `${config.databaseFile}.lock`;
}

export async function openHub(
  config: Config,
  mode: "read" | "write",
  signal?: AbortSignal,
): Promise<OpenHub> {
  const elsewhere = await findHub(config);
  if (elsewhere) return connect(elsewhere);
  if (mode === "read" && existsSync(config.databaseFile)) return openReader(config);
  let lock: Lock;
  try {
    lock = await acquireLock(lockFile(config), {
      command: commandName(),
      waitMs: WAIT_FOR_LOCK_MS,
      onWait: ({ command, pid }) =>
        process.stderr.write(`waiting for \`${command}\` (pid ${pid}) to finish …\n`),
      ...(signal && { signal }),
    });
  } catch (error) {
    // A hub may have taken the directory while we waited: then go through that one.
    const hub = await findHub(config);
    if (hub) return connect(hub);
    throw error;
  }
  try {
    const { hub, engine } = await openLocal(config, { ownRunsOnly: true, report: ignoreProblem });
    await engine.start();
    return { hub, where: "in-process", close: () => closeLocal(hub, lock) };
  } catch (error) {
    await lock.release();
    throw error;
  }
}

interface HubAddress {
  url: string;
  token?: string;
}

async function findHub(config: Config): Promise<HubAddress | undefined> {
  const [token] = config.tokens;
  if (config.hubUrl !== undefined) return { url: config.hubUrl, ...(token !== undefined && { token }) };
  const holder = await readLock(lockFile(config));
  if (holder?.url == null) return undefined;
  return { url: holder.url, ...(holder.token !== null && { token: holder.token }) };
}

function connect(address: HubAddress): OpenHub {
  const hub = createHttpHub({ ...address, readSse });
  return { hub, where: "remote", url: address.url, close: () => hub.close() };
}

function readOnly(): never {
  throw new ProctorError("STORE_UNAVAILABLE", "the store is open for reading only");
}

/** The run itself says what went wrong; a command has no log beside it. */
function ignoreProblem(): void {}

export async function serve(config: Config, options: ServeOptions): Promise<void> {
  assertSafeBind(config.apiHost, config.tokens);
  const lock = await acquireLock(lockFile(config), { command: "proctor up" });
  const log = createJsonLog(config.log === "silent" ? ignoreProblem : (text) => process.stderr.write(text));
  const report = (problem: unknown, runId: string): void =>
    log({ time: new Date().toISOString(), level: "error", run_id: runId, message: describe(problem) });
  try {
    const { hub, store, engine } = await openLocal(config, { ownRunsOnly: false, report });
    const token = randomBytes(32).toString("base64url");
    const tokens = config.tokens.length > 0 ? [...config.tokens, token] : [];
    const metrics = createMetrics();
    processMetrics(metrics);
    const { eventsAppended } = hubMetrics(metrics, store);
    store.watch((_runId, _lastSequence, appended) => eventsAppended.inc(appended));
    const app = createApp({
      encodeSse,
      hub,
      metrics,
      log,
      version: version(),
      auth: createAuth({ tokens, host: config.apiHost }),
      ready: () => readiness(store, options.signal),
      recordsOf: (id, after, limit) => store.readEvents(id, after, limit),
      watch: (listener) => store.watch(listener),
    });
    const server = await listen({ app, host: config.apiHost, port: config.apiPort });
    await lock.publish({ url: server.url, ...(tokens.length > 0 && { token }) });
    for (const agent of config.agents) await hub.addAgent(agent, { replace: true });
    await engine.start();
    options.onReady({ url: server.url, agents: (await hub.agents({ limit: 100 })).items });
    await aborted(options.signal);
    await Promise.all([engine.stop(config.graceMs), server.close(config.graceMs)]);
    await hub.close();
  } finally {
    log.flush();
    await lock.release();
  }
}

async function readiness(store: Store, stopping: AbortSignal): Promise<void> {
  if (stopping.aborted) throw new ProctorError("SHUTTING_DOWN", "the hub is stopping");
  await store.ping();
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

function describe(problem: unknown): string {
  return problem instanceof Error
    ? ProctorError.is(problem)
      ? problem.message
      : (problem.stack ?? "")
    : String(problem);
}

function commandName(): string {
  return ["proctor", process.argv[2] ?? ""].join(" ").trim();
}

export const schemes: readonly string[] = listSchemes();

export async function encodeResponse(
  run: Run,
  readArtifact: (artifact: Artifact) => Promise<Uint8Array>,
): Promise<JsonObject> {
  const contents = new Map<Artifact, Uint8Array>();
  for (const artifact of run.artifacts) {
    const isApart = artifact.type === "structured" ? artifact.data === undefined : artifact.type === "file";
    if (isApart && artifact.content_hash !== undefined) {
      contents.set(artifact, await readArtifact(artifact));
    }
  }
  return encodeAtpResponse(run, (artifact) => contents.get(artifact)) as JsonObject;
}
