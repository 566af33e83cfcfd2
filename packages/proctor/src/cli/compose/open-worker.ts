// The parts of a worker: with the database, or with a hub instead of it.
import { randomBytes, randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { join } from "node:path";
import { ProctorError } from "../../core/errors.ts";
import type { Failure } from "../../core/failure.ts";
import type { Clock } from "../../core/ports/clock.ts";
import type { Room } from "../../core/ports/room.ts";
import type { WorkerStore } from "../../core/ports/worker-store.ts";
import { createEngine, type Engine } from "../../engine/engine.ts";
import { createJudging } from "../../engine/judging.ts";
import { createHttpClient } from "../../hub/http-client.ts";
import { openHubId } from "../../hub/hub-id.ts";
import { createHttpDispatcher } from "../../hub/work/http-dispatcher.ts";
import { createHttpRunBlobs } from "../../hub/work/http-run-blobs.ts";
import { createHttpRunStore } from "../../hub/work/http-run-store.ts";
import { createWorkLink, type Holding, type WorkLink } from "../../hub/work/work-link.ts";
import { createDriverLookup } from "../../protocols/registry.ts";
import { isLoopback } from "../../runtime/addresses/is-loopback.ts";
import { killMarked } from "../../runtime/processes/strays.ts";
import { systemClock } from "../../runtime/time/system-clock.ts";
import { openFileBlobs } from "../../stores/blobs/file-blobs.ts";
import { createSealer } from "../../stores/sealer.ts";
import { openWorkspaces } from "../../stores/workspaces/file-workspaces.ts";
import type { Config } from "../config/load-config.ts";
import { version } from "../version.ts";
import { KNOWN_PROTOCOLS } from "./known-protocols.ts";
import { openLocal } from "./local-hub.ts";
import { openRoom } from "./open-room.ts";
import { WORKER_ID } from "./open-workers.ts";
import { serveEnvironments } from "./serve-environments.ts";
import { serveLlm } from "./serve-llm.ts";
import { serveTools } from "./serve-tools.ts";

export interface OpenWorker {
  engine: Engine;
  clock: Clock;
  /** Rows in which the worker says that it is alive. */
  rows: Pick<WorkerStore, "beat" | "remove">;
  /** Disk space for runs on this machine. */
  room: Pick<Room, "full"> | undefined;
  /** Returns the id by which runs and operators name the worker; known after the first beat. */
  id: () => string;
  close: () => Promise<void>;
}

export interface OpenWorkerOptions {
  /** False when another process uses the data directory as well. */
  alone: boolean;
  report: (problem: unknown, runId: string) => void;
  /** Called when the hub no longer accepts this worker. */
  onRefused: (error: ProctorError) => void;
}

export async function openDatabaseWorker(
  config: Config,
  { alone, report }: OpenWorkerOptions,
): Promise<OpenWorker> {
  const { hub, store, engine, clock, room } = await openLocal(config, { ownRunsOnly: false, report, alone });
  return { engine, clock, room, rows: store.workers, id: () => WORKER_ID, close: () => hub.close() };
}

/** Throws CONFIG_INVALID: secrets of runs would travel readable. */
export function requireSafeHub(hubUrl: string, allowHttp: boolean): void {
  const { protocol, hostname: host } = new URL(hubUrl);
  if (protocol === "https:" || allowHttp || isLoopback(host)) return;
  throw new ProctorError(
    "CONFIG_INVALID",
    `the hub would send the secrets of runs to this worker readable, over ${hubUrl}\n` +
      "Use https://, or --allow-http where nobody else can read this network.",
  );
}

export async function openHubWorker(
  config: Config & { hubUrl: string },
  { alone, report, onRefused }: OpenWorkerOptions,
): Promise<OpenWorker> {
  const [token] = config.tokens;
  const client = createHttpClient({ url: config.hubUrl, ...(token !== undefined && { token }) });
  const clock = systemClock;
  const link = createWorkLink({ client, clock, worker: `${hostOf()}:${process.pid}`, onRefused });
  const hubId = alone ? await openHubId(join(config.dataDir, "hub.id")) : randomUUID();
  const workspaces = openWorkspaces(join(config.dataDir, "workspaces"));
  const spool = await openFileBlobs(join(config.dataDir, "spool"));
  if (alone) {
    await killMarked("PROCTOR_HUB_ID", hubId);
    await spool.sweep();
    await workspaces.sweep();
  }
  // Secrets are in the memory of this process alone, sealed with a key that ends with it.
  const sealer = createSealer(randomBytes(32));
  const environments = serveEnvironments(config);
  const tools = serveTools(config, hubId, environments);
  const models = serveLlm(config);
  const judging = createJudging({
    workspaces,
    environments,
    verify: () => Promise.reject(new Error("a worker verifies nothing")),
    clock,
    report,
  });
  const room = await openRoom(config, { report, onRoom: () => engine.wake() });
  const engine: Engine = createEngine({
    room,
    dispatcher: createHttpDispatcher({ link, clock, sealer, labels: config.labels }),
    partsOf({ run }) {
      const holding = holdingOf(link, run.id);
      return {
        store: createHttpRunStore({ link, sealer }, holding),
        blobs: createHttpRunBlobs({ link, spool }, holding),
      };
    },
    watch: (listener) => link.watch(listener),
    // The hub adds up the usage of a tree, and stops its runs.
    trees: {
      joined: () => undefined,
      spent: () => undefined,
      async usedUp({ id, root_id }) {
        if (id === root_id) return undefined;
        const holding = holdingOf(link, id);
        const headers = link.headersOf(holding);
        const { failure } = await link.persist(holding, (signal) =>
          link.ask<{ failure: Failure | null }>(`/work/runs/${id}/budget`, {
            method: "GET",
            headers,
            signal,
          }),
        );
        return failure ?? undefined;
      },
      close: () => undefined,
    },
    sweeper: { look: () => undefined, close: () => undefined },
    isFollowed: () => false,
    onHeld: (runId) => judging.onHeld(runId),
    tools: tools.host,
    labs: { open: async (session) => (await import("../../doubles/labs/lab-host.ts")).labHost.open(session) },
    workspaces,
    environments,
    agentMounts: async (spec, path) =>
      (await import("../../environments/agent-mounts.ts")).agentMounts(spec, path, [
        config.dataDir,
        config.artifactsDir,
      ]),
    models: models.host,
    drivers: createDriverLookup({ hubId }, KNOWN_PROTOCOLS),
    sealer,
    clock,
    report,
    graceMs: config.graceMs,
    artifactLimits: config.artifactLimits,
    random: Math.random,
    concurrency: config.concurrency,
  });
  const started_at = new Date(clock.now()).toISOString();
  const facts = {
    version: version(),
    labels: [...config.labels],
    slots: config.concurrency,
    busy: 0,
    draining: false,
  };
  // A hub that is not there, or does not take this worker, is found out at once.
  let { worker: id } = await link.beat([], { ...facts, started_at });
  return {
    engine,
    clock,
    room,
    id: () => id,
    rows: {
      async beat({ id: _id, host: _host, pid: _pid, over: _over, ...facts }) {
        const answer = await link.beat([], facts);
        id = answer.worker;
        return { drain: answer.drain };
      },
      remove: () => link.leave(),
    },
    async close() {
      judging.close();
      await room.close();
      await tools.close();
      await models.close();
      await environments.close();
    },
  };
}

function holdingOf(link: WorkLink, runId: string): Holding {
  const holding = link.held(runId);
  if (holding === undefined) throw new Error(`run ${runId} is not held here`);
  return holding;
}

/** Returns the name of this machine, as far as it can stand in a header. */
function hostOf(): string {
  return (
    hostname()
      .replaceAll(/[^A-Za-z0-9._-]/g, "-")
      .replace(/^[^A-Za-z0-9]+/, "") || "worker"
  );
}
