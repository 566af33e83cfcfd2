// The hub in this process, from its concrete parts.
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { createAgentRegistry } from "../../agents/registry.ts";
import { killMarked } from "../../runtime/processes/strays.ts";
import type { AgentSpec } from "../../core/agent.ts";
import { ProctorError } from "../../core/errors.ts";
import type { ArtifactService } from "../../core/ports/artifact-service.ts";
import type { BlobStore } from "../../core/ports/blob-store.ts";
import type { Clock } from "../../core/ports/clock.ts";
import type { Hub } from "../../core/ports/hub.ts";
import type { LogReader } from "../../core/ports/log-reader.ts";
import type { Receivers } from "../../core/ports/receivers.ts";
import type { Sealer } from "../../core/ports/sealer.ts";
import type { Store } from "../../core/ports/store.ts";
import type { WorkDesk } from "../../core/ports/work-desk.ts";
import type { Workspaces } from "../../core/ports/workspaces.ts";
import { createEngine, type Engine } from "../../engine/engine.ts";
import { createHub } from "../../engine/hub.ts";
import { ownStore } from "../../engine/own-store.ts";
import { createJudging } from "../../engine/judging.ts";
import { createTellPeople } from "../../engine/tell-people.ts";
import { createLogReader } from "../../engine/log-reader.ts";
import type { WatchedRoom } from "../../runtime/files/watch-room.ts";
import { systemClock } from "../../runtime/time/system-clock.ts";
import { checkOptions, createDriverLookup } from "../../protocols/registry.ts";
import { createArtifactService } from "../../stores/artifact-service.ts";
import type { SweptBlobs } from "../../stores/blobs/swept-blobs.ts";
import { refuseUnfinished } from "../../stores/moving/refuse-unfinished.ts";
import { openWorkspaces } from "../../stores/workspaces/file-workspaces.ts";
import type { Config } from "../config/load-config.ts";
import { openHubId } from "../../hub/hub-id.ts";
import { createHubMail } from "../../messages/hub-mail.ts";
import { checkForm } from "./check-form.ts";
import { KNOWN_PROTOCOLS } from "./known-protocols.ts";
import { openEvaluations } from "./open-evaluations.ts";
import { openBlobs } from "./open-blobs.ts";
import { openClock, type OpenClock } from "./open-clock.ts";
import { openGoals } from "./open-goals.ts";
import { openDesk } from "./open-desk.ts";
import { openDispatch, type OpenDispatch } from "./open-dispatch.ts";
import { openKeys, type HubKeys } from "./open-keys.ts";
import { openPlatform, type OpenPlatform } from "./open-platform.ts";
import { openRegistry } from "./open-registry.ts";
import { openScriptTools } from "./open-script-tools.ts";
import { openRoom } from "./open-room.ts";
import { openTogether } from "./open-together.ts";
import { openStore, openStoreToRead } from "./open-store.ts";
import { openTokens } from "./open-tokens.ts";
import { requireWorker } from "./require-worker.ts";
import { createRunAccess } from "./run-access.ts";
import { serveEnvironments } from "./serve-environments.ts";
import { serveLlm, type ServedModels } from "./serve-llm.ts";
import { serveTools, type ServedTools } from "./serve-tools.ts";
import { serveWebhooks } from "./serve-webhooks.ts";

/** Milliseconds after which a command that only reads looks again at what another process writes. */
const POLL_MS = 200;

interface LocalHub {
  hub: Hub;
  store: Store;
  log: LogReader;
  artifacts: ArtifactService;
  engine: Engine;
  tools: ServedTools;
  llm: ServedModels;
  platform: OpenPlatform;
  dispatch: OpenDispatch;
  /** Gives work to workers that have no access to the database. */
  desk: WorkDesk;
  /** Clock for every time that is compared with times of other processes. */
  clock: Clock;
  /** Disk space for runs; absent where no other process could take them. */
  room?: WatchedRoom;
  /** The receivers that clients want notified of runs. */
  receivers: Receivers;
  /** Continues the webhooks that the last process left. Only a hub does so: a command sends only its own. */
  startWebhooks: () => Promise<void>;
}

/** A local hub without webhooks. */
type PlainHub = Omit<LocalHub, "startWebhooks" | "receivers">;

interface LocalHubDeps {
  store: Store;
  blobs: BlobStore;
  workspaces: Workspaces;
  sealer: Sealer;
  runKey: HubKeys["runKey"];
  hubId: string;
  dispatch: OpenDispatch;
  clock: Clock;
  /** True for a command, which runs only what it submitted itself. A hub runs whatever is queued. */
  ownRunsOnly: boolean;
  report: (problem: unknown, runId: string) => void;
  room?: WatchedRoom | undefined;
  /** Milliseconds between looks at a store that another process writes to. Absent where this process writes. */
  pollMs?: number;
}

async function assemble(config: Config, deps: LocalHubDeps): Promise<PlainHub> {
  const { store, blobs, sealer, runKey, hubId, clock, ownRunsOnly, report } = deps;
  const mail = createHubMail();
  const environments = serveEnvironments(config);
  const scriptTools = openScriptTools(config, {
    store,
    environments,
    hubId,
    onChange: (name, tool) => registry.toolChanged(name, tool),
  });
  // The registry checks agents by their drivers, and the driver of goals looks for agents in the registry.
  const goals = openGoals(config, { store, registry: () => registry, clock, report });
  const drivers = createDriverLookup({ hubId, mail, scriptTools, goals: goals.driver }, KNOWN_PROTOCOLS);
  const tools = serveTools(config, hubId, environments, scriptTools);
  const access = await openTokens(config, {
    store,
    runKey,
    clock,
    report: (problem) => report(problem, ""),
  });
  const runAccess = createRunAccess(access.authority);
  const llm = serveLlm(config, access.authority);
  const judging = createJudging({
    workspaces: deps.workspaces,
    environments,
    verify: async (request, signal) => {
      const { createVerify } = await import("../../tasks/verify.ts");
      const open = (runId: string, artifactId: string) => hub.readArtifact(runId, artifactId);
      return createVerify(environments, open)(request, signal);
    },
    clock,
    report,
  });
  const log = createLogReader(store, clock, deps.pollMs);
  const checks = { drivers, checkOptions: (spec: AgentSpec) => checkOptions(spec, KNOWN_PROTOCOLS) };
  const readOnly = deps.pollMs !== undefined;
  const { tokens, authority } = access;
  const registry = openRegistry(config, {
    store,
    sealer,
    clock,
    report,
    readOnly,
    tokens,
    authority,
    ...checks,
  });
  const people = createTellPeople({ store, clock, report, post: (draft) => mail.post(draft) });
  const own = ownStore({ store, blobs, clock, report, onQueued: () => engine.wake() });
  const engine: Engine = createEngine({
    ...own,
    onAsked: (runId, question) => people.asked(runId, question),
    isFollowed: (runId) => log.isFollowed(runId),
    onHeld: (runId) => judging.onHeld(runId),
    tools: tools.host,
    labs: { open: async (session) => (await import("../../doubles/labs/lab-host.ts")).labHost.open(session) },
    workspaces: deps.workspaces,
    environments,
    agentMounts: async (spec, path) =>
      (await import("../../environments/agent-mounts.ts")).agentMounts(spec, path, [
        config.dataDir,
        config.artifactsDir,
      ]),
    models: llm.host,
    access: runAccess,
    drivers,
    sealer,
    clock,
    report,
    ownRunsOnly,
    graceMs: config.graceMs,
    artifactLimits: config.artifactLimits,
    random: Math.random,
    concurrency: config.concurrency,
    dispatcher: deps.dispatch.dispatcher(store),
    capabilities: registry,
    ...(deps.room && { room: deps.room }),
  });
  const agents = createAgentRegistry({
    store,
    sealer,
    clock,
    ...checks,
    onChange: (name, agent) => registry.changed(name, agent),
  });
  const hub = createHub({
    store,
    log,
    blobs,
    engine,
    agents,
    sealer,
    judging,
    clock,
    closeGraceMs: ownRunsOnly ? 0 : config.graceMs,
    checkSchema: checkForm,
    capabilities: registry,
  });
  const { fileBytes, runBytes, count } = config.artifactLimits;
  const limits = { fileBytes, sessionBytes: runBytes, count };
  const artifacts = createArtifactService({ store, blobs, clock, limits });
  const platform = openPlatform(config, {
    access,
    artifacts,
    hub,
    log,
    agents,
    mail,
    evaluations: openEvaluations({ store, hub, clock }),
    goals: goals.connect(hub),
    registry,
    runAccess,
    people,
    scriptTools,
    store,
    sealer,
    clock,
    report,
  });
  async function close(): Promise<void> {
    await platform.close();
    await hub.close();
    await deps.dispatch.close();
    await tools.close();
    await llm.close();
    await environments.close();
  }
  return {
    hub: { ...hub, close },
    store,
    log,
    artifacts,
    engine,
    tools,
    llm,
    platform,
    dispatch: deps.dispatch,
    desk: openDesk(config, { ...deps, clock, trees: own.trees, sweeper: own.sweeper, people }),
    clock,
    ...(deps.room && { room: deps.room }),
  };
}

interface OpenLocalOptions extends Pick<LocalHubDeps, "ownRunsOnly" | "report"> {
  /** False when another process uses the data directory as well, which only a shared database allows. True when absent. */
  alone?: boolean;
}

/** Call it only while holding the lock, unless the database is shared. */
export async function openLocal(
  config: Config,
  { alone = true, ...options }: OpenLocalOptions,
): Promise<LocalHub> {
  return openTogether(async (keep) => {
    const clock = keep(await openClock(config, options.report));
    const dispatch = keep(await openDispatch(config, { ...options, clock }));
    const store = keep(await openStore(config, options.report, dispatch.queue));
    await refuseUnfinished(store.facts);
    const keys = await openKeys(config, store);
    // Processes that share the directory have marks of their own, so that they are not taken for what a crash left.
    const hubId = alone ? await openHubId(join(config.dataDir, "hub.id")) : randomUUID();
    const blobs = await openBlobs(config, store, clock);
    const workspaces = openWorkspaces(join(config.dataDir, "workspaces"));
    if (alone) {
      // Whatever still carries our mark belongs to a process of ours that crashed.
      await killMarked("PROCTOR_HUB_ID", hubId);
      await blobs.sweep();
      await workspaces.sweep();
    }
    // True where other processes may take a run that does not fit here.
    const isWorker = config.databaseUrl !== undefined && !options.ownRunsOnly && config.concurrency > 0;
    const onRoom = (): void => plain.engine.wake();
    const room = isWorker ? keep(await openRoom(config, { report: options.report, onRoom })) : undefined;
    const parts = { store, blobs, workspaces, ...keys, hubId, dispatch, clock, room };
    const plain: PlainHub = withClock(await assemble(config, { ...parts, ...options }), clock);
    const leaves = options.ownRunsOnly && config.databaseUrl !== undefined;
    const usable = leaves ? { ...plain, hub: requireWorker(plain.hub, store, clock) } : plain;
    const local = withWebhooks(config, usable, keys.sealer, options);
    // A command is short, and leaves the rest to the next hub.
    return options.ownRunsOnly || !alone ? local : withSweep(local, blobs, hubId, options.report);
  });
}

/** Closes the clock after everything else. */
function withClock(plain: PlainHub, clock: OpenClock): PlainHub {
  async function close(): Promise<void> {
    await plain.hub.close();
    await plain.room?.close();
    await clock.close();
  }
  return { ...plain, hub: { ...plain.hub, close } };
}

/** Adds webhooks. A command waits a moment for what its runs have to send; a hub continues with the rest when it starts again. */
function withWebhooks(
  config: Config,
  local: PlainHub,
  sealer: Sealer,
  { ownRunsOnly, report }: Pick<LocalHubDeps, "ownRunsOnly" | "report">,
): LocalHub {
  const { hub, log, engine, store, clock } = local;
  const webhooks = serveWebhooks(config, { hub, log, sealer, store, clock, report });
  async function close(): Promise<void> {
    await engine.stop(ownRunsOnly ? 0 : config.graceMs);
    if (ownRunsOnly) await webhooks.finish();
    await webhooks.close();
    await hub.close();
  }
  const { receivers } = webhooks;
  return { ...local, hub: { ...webhooks.hub, close }, receivers, startWebhooks: () => webhooks.start() };
}

/** Removes files that a crash left without an owner, while the hub works. */
function withSweep(
  local: LocalHub,
  blobs: SweptBlobs,
  hubId: string,
  report: LocalHubDeps["report"],
): LocalHub {
  const { hub, store } = local;
  const stop = new AbortController();
  const swept = blobs
    .sweepOrphans(hubId, (files) => store.unreferenced(files), stop.signal)
    .catch((problem: unknown) => stop.signal.aborted || report(problem, ""));
  async function close(): Promise<void> {
    stop.abort();
    await swept;
    await hub.close();
  }
  return { ...local, hub: { ...hub, close } };
}

export async function openReader(config: Config): Promise<Pick<LocalHub, "hub" | "platform">> {
  const store = await openStoreToRead(config);
  const blobs = await openBlobs(config, store, systemClock, { readOnly: true });
  const sealer = { seal: readOnly, open: readOnly };
  return assemble(config, {
    store,
    blobs,
    workspaces: openWorkspaces(join(config.dataDir, "workspaces")),
    sealer,
    runKey: readOnly,
    hubId: "",
    dispatch: await openDispatch(config, { ownRunsOnly: true, clock: systemClock, report: ignoreProblem }),
    clock: systemClock,
    ownRunsOnly: true,
    report: ignoreProblem,
    pollMs: POLL_MS,
  });
}

function readOnly(): never {
  throw new ProctorError("STORE_UNAVAILABLE", "the store is open for reading only");
}

/** Ignores a problem: the run itself says what went wrong, and a command has no log of its own. */
export function ignoreProblem(): void {}
