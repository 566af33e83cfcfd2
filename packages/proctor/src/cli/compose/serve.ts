// `proctor up`: the hub with the surfaces of all protocols.
import { randomBytes } from "node:crypto";
import type { GrpcListening } from "../../channels/grpc/listen-grpc.ts";
import { acceptSocket } from "../../channels/websocket/accept-socket.ts";
import { ProctorError } from "../../core/errors.ts";
import { whenAborted } from "../../core/when-aborted.ts";
import type { ArtifactService } from "../../core/ports/artifact-service.ts";
import type { Registry } from "../../core/ports/registry.ts";
import type { Store } from "../../core/ports/store.ts";
import { AGENT_NAME, type Agent } from "../../core/agent.ts";
import type { Run } from "../../core/run.ts";
import type { GrpcRoutes, HubPlaces, Surface, SurfaceOptions } from "../../protocols/protocol.ts";
import { a2a, serveA2a } from "../../protocols/a2a/index.ts";
import { agentProtocol, serveAgentProtocol } from "../../protocols/agent-protocol/index.ts";
import { PROTOCOLS } from "../../protocols/registry.ts";
import { createApp } from "../../server/app.ts";
import { openDashboardFiles } from "../../server/dashboard/dashboard-files.ts";
import { createDashboard } from "../../server/dashboard/dashboard.ts";
import { assertSafeBind, createAuth, type AuthPolicy } from "../../server/auth.ts";
import { listen } from "../../runtime/http/listen.ts";
import { llmMount } from "../../server/llm-mount.ts";
import { assertSafeOrigins } from "../../server/origins.ts";
import { toolsMount } from "../../server/tools-mount.ts";
import type { Config } from "../config/load-config.ts";
import { guardHub } from "../../access/guard-hub.ts";
import type { Authority } from "../../core/ports/tokens.ts";
import { lockFileOf, type Lock } from "../../hub/hub-lock.ts";
import { agentIn } from "../../hub/local-agent.ts";
import { createJsonLog } from "../json-log.ts";
import { version } from "../version.ts";
import { holdDataDir } from "./hold-data-dir.ts";
import { dashboardFolder } from "./dashboard-folder.ts";
import { openMetrics } from "./open-metrics.ts";
import { openLocal } from "./local-hub.ts";
import { startPresence } from "./open-workers.ts";
import { readCardKey } from "./read-card-key.ts";
import { watchRuns } from "./watch-runs.ts";

/** Milliseconds after which an idle stream or socket gets a sign of life. */
const KEEP_ALIVE_MS = 15_000;
const MAX_MESSAGE_BYTES = 10 * 1024 * 1024;

export interface ServeOptions {
  /** Called when the hub listens. `trouble` says why it takes no work. */
  onReady: (info: {
    url: string;
    grpcUrl?: string;
    agents: Agent[];
    /** Aliases of the agents behind the gateway. */
    gateway?: readonly string[];
    trouble?: string;
  }) => void;
  /** Gets the log, one JSON object per line, some lines at a time. */
  writeLog: (text: string) => void;
  /** Called when a run has started and when it has ended. */
  onRun?: (run: Run) => void;
  /** Called with problems of the hub itself, which are in the log as well. */
  onProblem?: (message: string, runId: string) => void;
  /** Stops the hub gracefully when aborted. */
  signal: AbortSignal;
}

/** Resolves after a graceful stop. */
export async function serve(config: Config, options: ServeOptions): Promise<void> {
  const lock = await holdDataDir(config, { command: "proctor up" });
  const log = createJsonLog(options.writeLog);
  const report = (problem: unknown, runId: string): void => {
    const message = describe(problem);
    const isRemark = typeof problem === "string";
    log({ time: new Date().toISOString(), level: isRemark ? "warn" : "error", run_id: runId, message });
    if (!isRemark) options.onProblem?.(message, runId);
  };
  try {
    refuseHubTokens(config.tokens);
    const local = await openLocal(config, { ownRunsOnly: false, report, alone: lock.alone });
    const { hub, store, engine, tools, llm, platform, clock } = local;
    const { authority } = platform;
    try {
      assertSafeBind(config.apiHost, authority.closed());
      assertSafeOrigins(config.allowedOrigins, authority.closed());
    } catch (error) {
      await hub.close();
      throw error;
    }
    let places: HubPlaces | undefined;
    const surfaces = await openSurfaces(config, { ...local, ...platform, places: () => places }, report);
    const gateway = await openGateway(config, { ...local, authority }, log, report);
    // Lets commands on this machine in, even when the hub is closed later.
    const token = randomBytes(32).toString("base64url");
    const tokens = [...config.tokens, token];
    const metrics = openMetrics(config, local);
    if (options.onRun) watchRuns(store, options.onRun);
    const auth = createAuth({
      tokens,
      authority,
      host: config.apiHost,
      allowedOrigins: config.allowedOrigins,
    });
    const pages = openDashboardFiles(dashboardFolder());
    const dashboard = pages && createDashboard(pages);
    const app = createApp({
      hub,
      metrics,
      log,
      version: version(),
      auth,
      ready: () => readiness(config, store, lock, options.signal),
      recordsOf: (id, after, limit) => store.readEvents(id, after, limit),
      until: (id, look, signal) => local.log.until(id, look, signal),
      artifacts: local.artifacts,
      platform,
      desk: local.desk,
      hubOf: (caller) => guardHub(hub, caller),
      summary: {
        runs: (since, bucketMs) => store.summarizeRuns(since, bucketMs),
        evaluations: (since, bucketMs) => store.evaluations.tally(since, bucketMs),
      },
      feed: {
        read: (after, limit) => store.feed(after, limit),
        evaluations: store.evaluations,
        watch: (listener) => local.log.watch(listener),
        now: () => clock.now(),
      },
      ...(dashboard && { front: (request: Request) => dashboard.front(request) }),
      mounts: [
        ...(dashboard ? [dashboard.mount] : []),
        ...surfaces,
        ...gateway,
        toolsMount((request) => tools.fetch(request)),
        llmMount((request) => llm.fetch(request)),
      ],
    });
    const server = await listen({
      app,
      host: config.apiHost,
      port: config.apiPort,
      flags: { host: "--host (API_HOST)", port: "--port (API_PORT)" },
      acceptSocket: (upgrade) =>
        acceptSocket({ ...upgrade, maxMessageBytes: MAX_MESSAGE_BYTES, keepAliveMs: KEEP_ALIVE_MS }),
    });
    tools.publish(reachable(server.url));
    llm.publish(reachable(server.url));
    platform.runAccess.publish(reachable(server.url));
    const grpc = await serveGrpc(config, { surfaces, registry: platform.registry }, auth, report);
    places = placesOf(config, server.port, grpc?.port);
    await lock.publish({ url: server.url, token });
    for (const agent of config.agents) await hub.addAgent(agent, { replace: true });
    const presence = await startPresence({
      config,
      workers: config.databaseUrl === undefined ? undefined : store.workers,
      engine,
      room: local.room,
      report,
      clock,
      onDrain: () => engine.drain(),
    });
    await engine.start();
    await platform.start();
    await local.startWebhooks();
    const trouble = await troubleOf(() => readiness(config, store, lock, options.signal));
    options.onReady({
      url: server.url,
      ...(trouble !== undefined && { trouble }),
      ...(grpc && { grpcUrl: grpc.url }),
      ...(config.gateway && { gateway: Object.keys(config.gateway.agents) }),
      agents: trouble === undefined ? (await hub.agents({ limit: 100 })).items : [],
    });
    await whenAborted(options.signal);
    await Promise.all([
      engine.stop(config.graceMs),
      server.close(config.graceMs),
      grpc?.close(config.graceMs),
    ]);
    await presence.close();
    await hub.close();
  } finally {
    log.flush();
    await lock.release();
  }
}

async function openSurfaces(
  config: Config,
  deps: Required<Pick<SurfaceOptions, "hub" | "log" | "receivers" | "messages" | "places">> & {
    authority: Authority;
  },
  report: (problem: unknown, runId: string) => void,
): Promise<Surface[]> {
  const { hub, log, receivers, messages, places, authority } = deps;
  const { defaultAgent, artifactsDir, workspacesDir: workspacesRoot, exposeUri, collectFiles } = config;
  const tasks = {
    artifactsDir,
    workspacesRoot,
    // What is in a bucket is not a file of this machine.
    exposeUri: exposeUri && config.bucket === undefined,
    collectFiles,
    ...(defaultAgent !== undefined && { defaultAgent: agentIn(defaultAgent, process.cwd()) }),
  };
  const cardKey = config.cardKeyFile === undefined ? undefined : await readCardKey(config.cardKeyFile);
  const served = { ...config.a2a, ...(cardKey && { cardKey }) };
  const protocols = PROTOCOLS.map((each) => {
    if (each === agentProtocol) return serveAgentProtocol(tasks);
    return each === a2a ? serveA2a(served) : each;
  });
  const opening = protocols
    .flatMap(({ openSurfaces: open }) => open ?? [])
    .map((open) =>
      open({
        hub,
        log,
        receivers,
        messages,
        places,
        keepAliveMs: KEEP_ALIVE_MS,
        needsToken: () => authority.closed(),
        ...(defaultAgent !== undefined &&
          AGENT_NAME.test(defaultAgent) && { defaultAgentName: defaultAgent }),
        report,
      }),
    );
  return (await Promise.all(opening)).flat();
}

/** Loads the gateway only where agents are configured for it: most hubs have none. */
async function openGateway(
  { gateway }: Config,
  { artifacts, store, authority }: { artifacts: ArtifactService; store: Store; authority: Authority },
  log: (entry: object) => void,
  report: (problem: unknown, runId: string) => void,
): Promise<Surface[]> {
  if (gateway === undefined) return [];
  const { serveGateway } = await import("./serve-gateway.ts");
  return [
    serveGateway(gateway, {
      artifacts,
      store,
      needsToken: () => authority.closed(),
      keepAliveMs: KEEP_ALIVE_MS,
      log,
      report: (problem) => report(problem, ""),
    }),
  ];
}

/** Does nothing unless a port is set: most hubs never load gRPC. */
async function serveGrpc(
  config: Config,
  { surfaces, registry }: { surfaces: readonly Surface[]; registry: Registry },
  auth: AuthPolicy,
  report: (problem: unknown, runId: string) => void,
): Promise<GrpcListening | undefined> {
  if (config.grpcPort === undefined) return undefined;
  const { listenGrpc } = await import("../../channels/grpc/listen-grpc.ts");
  const { callerOf } = await import("../../channels/grpc/caller-of.ts");
  const { registryService } = await import("../../agents/grpc/registry-service.ts");
  const routes: GrpcRoutes[] = [registryService({ registry, callerOf })];
  for (const surface of surfaces) if (surface.grpc) routes.push(await surface.grpc());
  return listenGrpc({
    host: config.apiHost,
    port: config.grpcPort,
    routes,
    authorize: (request, open, address) => auth.check(request, open, address),
    ended: (caller) => auth.ended?.(caller),
    onError: (problem) => report(problem, ""),
  });
}

/** Throws CONFIG_INVALID: the hub gives its own tokens full rights, whatever the limits of a token that was put there. */
function refuseHubTokens(tokens: readonly string[]): void {
  if (!tokens.some((token) => /^hub_(?:api|enrol|agent|run)_/.test(token))) return;
  throw new ProctorError(
    "CONFIG_INVALID",
    "PROCTOR_TOKEN holds a token that a hub has issued, and a hub that starts with it would let it do everything\nunset it here: it is for clients",
  );
}

function placesOf(
  { publicUrl, grpcPublicAddress }: Config,
  httpPort: number,
  grpcPort: number | undefined,
): HubPlaces {
  return {
    httpPort,
    ...(publicUrl !== undefined && { publicUrl }),
    ...(grpcPort !== undefined && { grpcPort }),
    ...(grpcPublicAddress !== undefined && { grpcPublicAddress }),
  };
}

/** Returns the URL to reach the hub at: where it listens on every address, that of this machine. */
function reachable(url: string): string {
  return url.replace("//0.0.0.0:", "//127.0.0.1:").replace("//[::]:", "//[::1]:");
}

async function readiness(config: Config, store: Store, lock: Lock, stopping: AbortSignal): Promise<void> {
  if (stopping.aborted) throw new ProctorError("SHUTTING_DOWN", "the hub is stopping");
  if (!(await lock.isHeld())) {
    const what = `${lockFileOf(config.databaseFile)} was removed or replaced while the hub was running`;
    throw new ProctorError("STORE_UNAVAILABLE", `${what}\nStop this hub and start it again.`);
  }
  await store.ping();
}

/** Returns what /readyz would report, or undefined when the hub is ready. */
async function troubleOf(ready: () => Promise<void>): Promise<string | undefined> {
  try {
    await ready();
    return undefined;
  } catch (error) {
    return ProctorError.is(error) && error.code === "SHUTTING_DOWN" ? undefined : describe(error);
  }
}

function describe(problem: unknown): string {
  return problem instanceof Error
    ? ProctorError.is(problem)
      ? problem.message
      : (problem.stack ?? "")
    : String(problem);
}
