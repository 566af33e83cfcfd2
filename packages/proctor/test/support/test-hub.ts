// A hub in the test's process on a directory of its own, from the real parts. What a test wants to force is replaced.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { LiveRegistry } from "../../src/agents/live-registry.ts";
import { createAgentRegistry } from "../../src/agents/registry.ts";
import { DEFAULT_ARTIFACT_LIMITS } from "../../src/core/artifact.ts";
import type { BlobStore } from "../../src/core/ports/blob-store.ts";
import type { Clock } from "../../src/core/ports/clock.ts";
import type { AgentDriver } from "../../src/core/ports/driver.ts";
import type { Goals } from "../../src/core/ports/goals.ts";
import type { Hub } from "../../src/core/ports/hub.ts";
import type { AgentDirectory } from "../../src/core/ports/agent-directory.ts";
import type { HubMail } from "../../src/core/ports/hub-mail.ts";
import type { LogReader } from "../../src/core/ports/log-reader.ts";
import type { Environments } from "../../src/core/ports/environments.ts";
import type { Verify } from "../../src/core/ports/verify.ts";
import type { ModelHost } from "../../src/core/ports/model-host.ts";
import type { ToolHost } from "../../src/core/ports/tool-host.ts";
import type { Store } from "../../src/core/ports/store.ts";
import type { Workspaces } from "../../src/core/ports/workspaces.ts";
import type { Run } from "../../src/core/run.ts";
import type { RunEvent } from "../../src/core/event.ts";
import { goal } from "../../src/cli/compose/goal-protocol.ts";
import { openGoals, type OpenGoals } from "../../src/cli/compose/open-goals.ts";
import { openRegistry } from "../../src/cli/compose/open-registry.ts";
import { checkForm } from "../../src/cli/compose/check-form.ts";
import {
  createInProcessDispatcher,
  type InProcessOptions,
} from "../../src/dispatch/in-process/in-process-dispatcher.ts";
import { labHost } from "../../src/doubles/labs/lab-host.ts";
import { createEngine, type Engine, type EngineOptions } from "../../src/engine/engine.ts";
import { ownStore } from "../../src/engine/own-store.ts";
import { createHub } from "../../src/engine/hub.ts";
import { createJudging, type Judging } from "../../src/engine/judging.ts";
import { createLogReader } from "../../src/engine/log-reader.ts";
import { systemClock } from "../../src/runtime/time/system-clock.ts";
import type { Protocol } from "../../src/protocols/protocol.ts";
import { checkOptions, createDriverLookup, PROTOCOLS } from "../../src/protocols/registry.ts";
import { openFileBlobs } from "../../src/stores/blobs/file-blobs.ts";
import { openSealer } from "../../src/stores/sealer.ts";
import { openWorkspaces } from "../../src/stores/workspaces/file-workspaces.ts";
import { openSqliteStore } from "../../src/stores/sqlite/open-store.ts";
import { HANG_MS } from "./eventually.ts";
import { placeEmptyDatabase } from "./stores/empty-database.ts";

export interface TestHub {
  hub: Hub;
  engine: Engine;
  store: Store;
  reader: LogReader;
  judging: Judging;
  /** Present where the test asked for it. */
  registry: LiveRegistry | undefined;
  /** Present where the test asked for them. */
  goals: Goals | undefined;
  agents: AgentDirectory;
  blobs: BlobStore;
  folder: string;
  /** Problems the engine reported: bugs and troubles, not agents' failures. */
  problems: unknown[];
  ended(runId: string): Promise<Run>;
  /** Follows the log until an event satisfies the test. */
  until(runId: string, satisfied: (event: RunEvent) => boolean): Promise<RunEvent>;
  log(runId: string): Promise<RunEvent[]>;
  close: () => Promise<void>;
}

export interface TestHubOptions
  extends
    Partial<
      Pick<EngineOptions, "concurrency" | "graceMs" | "random" | "artifactLimits" | "onAsked" | "room">
    >,
    Partial<Pick<InProcessOptions, "shared" | "worker" | "agentConcurrency" | "labels">> {
  /** The hub has a registry, which measures runs and holds them to capabilities. */
  withRegistry?: boolean;
  /** The hub carries out goals, by the agents of its registry. */
  withGoals?: boolean;
  /** Stands in for every protocol. */
  driver?: AgentDriver;
  /** Protocols of the test beside the real ones, over `stdio`, by their names. */
  puppets?: Readonly<Record<string, AgentDriver>>;
  clock?: Clock;
  /** Envelopes of drivers. */
  mail?: HubMail;
  tools?: ToolHost;
  environments?: Environments;
  models?: ModelHost;
  verify?: Verify;
  /** An existing directory, kept at the end; a fresh one otherwise. */
  folder?: string;
  /** Milliseconds that the owner of a run may take to react. */
  ownerSilentMs?: number;
  /** Wraps the store, to force failures. */
  wrapStore?: (store: Store) => Store;
  wrapBlobs?: (blobs: BlobStore) => BlobStore;
  wrapWorkspaces?: (workspaces: Workspaces) => Workspaces;
}

/** For tests and benchmarks in which nothing lives anywhere but here. */
export function noEnvironments(): Environments {
  return {
    probe: () => Promise.resolve([]),
    open: () => Promise.reject(new Error("there are no environments here")),
    find: () => undefined,
    sweep: () => Promise.resolve(),
    close: () => Promise.resolve(),
  };
}

export async function openTestHub(options: TestHubOptions = {}): Promise<TestHub> {
  const folder = options.folder ?? (await newFolder());
  const clock = options.clock ?? systemClock;
  const opened = await openSqliteStore({ file: join(folder, "proctor.db") });
  const store = options.wrapStore?.(opened) ?? opened;
  const files = await openFileBlobs(join(folder, "artifacts"));
  const blobs = options.wrapBlobs?.(files) ?? files;
  const sealer = await openSealer(join(folder, "seal.key"));
  const { driver } = options;
  const problems: unknown[] = [];
  const report = (problem: unknown): void => void problems.push(problem);
  const orchestrator: OpenGoals | undefined = options.withGoals
    ? openGoals({} as never, { store, registry: () => known(registry), clock, report })
    : undefined;
  const protocols = [...PROTOCOLS, goal, ...puppetProtocols(options.puppets ?? {})];
  const drivers = driver
    ? () => driver
    : createDriverLookup(
        {
          hubId: "test",
          ...(options.mail && { mail: options.mail }),
          ...(orchestrator && { goals: orchestrator.driver }),
        },
        protocols,
      );
  const directories = openWorkspaces(join(folder, "workspaces"));
  const workspaces = options.wrapWorkspaces?.(directories) ?? directories;
  const environments = options.environments ?? noEnvironments();
  const judging = createJudging({
    workspaces,
    environments,
    verify: options.verify ?? (() => Promise.reject(new Error("this test verifies nothing"))),
    clock,
    report: (problem) => problems.push(problem),
  });
  const reader = createLogReader(store, clock);
  const registry =
    options.withRegistry || options.withGoals
      ? openRegistry(
          { apiHost: "127.0.0.1", agentHosts: [] },
          { store, sealer, clock, drivers, checkOptions, report: (problem) => problems.push(problem) },
        )
      : undefined;
  const engine: Engine = createEngine({
    ...ownStore({ store, blobs, clock, report, onQueued: () => engine.wake() }),
    ...(registry && { capabilities: registry }),
    isFollowed: (runId) => reader.isFollowed(runId),
    ...(options.onAsked && { onAsked: options.onAsked }),
    ...(options.room && { room: options.room }),
    drivers,
    sealer,
    clock,
    workspaces,
    tools: options.tools ?? { open: () => Promise.reject(new Error("this test serves no tools")) },
    labs: labHost,
    environments,
    onHeld: (runId) => judging.onHeld(runId),
    agentMounts: () => Promise.resolve([]),
    models: options.models ?? { open: () => Promise.reject(new Error("this test serves no model")) },
    graceMs: options.graceMs ?? 500,
    artifactLimits: options.artifactLimits ?? DEFAULT_ARTIFACT_LIMITS,
    random: options.random ?? (() => 0),
    report: (problem) => problems.push(problem),
    concurrency: options.concurrency ?? 8,
    dispatcher: createInProcessDispatcher({
      store,
      clock,
      worker: options.worker ?? "test",
      shared: options.shared ?? false,
      agentConcurrency: options.agentConcurrency ?? 8,
      ...(options.labels && { labels: options.labels }),
    }),
  });
  const agents = createAgentRegistry({
    store,
    sealer,
    clock,
    drivers,
    checkOptions,
    onChange: (name, agent) => registry?.changed(name, agent),
  });
  const hub = createHub({
    store,
    ...(registry && { capabilities: registry }),
    log: reader,
    blobs,
    engine,
    agents,
    sealer,
    judging,
    clock,
    closeGraceMs: 0,
    ...(options.ownerSilentMs !== undefined && { ownerSilentMs: options.ownerSilentMs }),
    checkSchema: checkForm,
  });
  const goals = orchestrator?.connect(hub);
  await engine.start();

  async function until(runId: string, satisfied: (event: RunEvent) => boolean): Promise<RunEvent> {
    let last: RunEvent | undefined;
    for await (const event of hub.follow(runId, -1, AbortSignal.timeout(HANG_MS))) {
      if (satisfied(event)) return event;
      last = event;
    }
    const seen = JSON.stringify(last);
    throw new Error(`run ${runId} ended before the awaited event, or it never came; the last is ${seen}`);
  }

  return {
    hub,
    engine,
    store,
    reader,
    judging,
    registry,
    goals,
    agents,
    blobs,
    folder,
    problems,
    until,
    async ended(runId) {
      await until(runId, (event) => event.type === "run.ended");
      return hub.run(runId);
    },
    async log(runId) {
      const events: RunEvent[] = [];
      for (;;) {
        const page = await hub.events(runId, { after: events.length - 1, limit: 1000 });
        if (page.length === 0) return events;
        events.push(...page);
      }
    },
    async close() {
      await registry?.close();
      await hub.close();
      if (options.folder === undefined) await rm(folder, { recursive: true, force: true });
    },
  };
}

function known(registry: LiveRegistry | undefined): LiveRegistry {
  if (registry === undefined) throw new Error("this hub has no registry");
  return registry;
}

/** With an empty database in it: making one takes several times as long as copying it. */
async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "proctor-hub-"));
  await placeEmptyDatabase(join(folder, "proctor.db"));
  return folder;
}

function puppetProtocols(puppets: Readonly<Record<string, AgentDriver>>): Protocol[] {
  return Object.entries(puppets).map(([id, driver]) => ({
    id,
    transports: ["stdio"],
    versions: [],
    createDriver: () => driver,
  }));
}

/** The address of a fixture agent. */
export function fixture(
  name: string,
  ...args: string[]
): { protocol: string; transport: string; command: string[] } {
  const file = new URL(`../fixtures/agents/${name}.mjs`, import.meta.url).pathname;
  return { protocol: "atp", transport: "stdio", command: [process.execPath, file, ...args] };
}

/** The address of a fixture agent that needs no Node.js: it starts in a hundredth of the time. */
export function shellFixture(
  name: "ok" | "sleeps" | "pausable",
  ...args: string[]
): { protocol: string; transport: string; command: string[] } {
  const file = new URL(`../fixtures/agents/${name}.sh`, import.meta.url).pathname;
  return { protocol: "atp", transport: "stdio", command: ["sh", file, ...args] };
}
