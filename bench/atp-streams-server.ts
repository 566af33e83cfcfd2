// Started by atp-streams.ts: the real surfaces over a real store with one long run in it, and beside them bare loops that
// write the same frames. Prints one line with the addresses of all of them.
import { mkdtempSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import { once } from "node:events";
import type { AddressInfo, Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { WebSocketServer, type WebSocket } from "ws";
import { createAgentRegistry } from "../packages/proctor/src/agents/registry.ts";
import { listenGrpc } from "../packages/proctor/src/channels/grpc/listen-grpc.ts";
import { acceptSocket } from "../packages/proctor/src/channels/websocket/accept-socket.ts";
import type { EventDraft } from "../packages/proctor/src/core/event.ts";
import { createRedactor } from "../packages/proctor/src/core/redact.ts";
import { DEFAULT_ARTIFACT_LIMITS } from "../packages/proctor/src/core/artifact.ts";
import { createInProcessDispatcher } from "../packages/proctor/src/dispatch/in-process/in-process-dispatcher.ts";
import { createEngine, type Engine } from "../packages/proctor/src/engine/engine.ts";
import { ownStore } from "../packages/proctor/src/engine/own-store.ts";
import { createJudging } from "../packages/proctor/src/engine/judging.ts";
import { createLogReader } from "../packages/proctor/src/engine/log-reader.ts";
import { createHub } from "../packages/proctor/src/engine/hub.ts";
import { toNewEvent } from "../packages/proctor/src/engine/new-event.ts";
import { systemClock } from "../packages/proctor/src/runtime/time/system-clock.ts";
import { createExecutions, type ExecutionMessage } from "../packages/proctor/src/protocols/atp/execution.ts";
import { encodeStreamMessage } from "../packages/proctor/src/protocols/atp/grpc/messages.ts";
import { AGENT_SERVICE } from "../packages/proctor/src/protocols/atp/grpc/service.ts";
import { createGrpcRoutes } from "../packages/proctor/src/protocols/atp/grpc/surface.ts";
import { createAtpSurface } from "../packages/proctor/src/protocols/atp/surface.ts";
import { checkOptions, createDriverLookup } from "../packages/proctor/src/protocols/registry.ts";
import { createApp } from "../packages/proctor/src/server/app.ts";
import { createAuth } from "../packages/proctor/src/server/auth.ts";
import { listen } from "../packages/proctor/src/runtime/http/listen.ts";
import { openFileBlobs } from "../packages/proctor/src/stores/blobs/file-blobs.ts";
import { openSealer } from "../packages/proctor/src/stores/sealer.ts";
import { openSqliteStore } from "../packages/proctor/src/stores/sqlite/open-store.ts";
import { openWorkspaces } from "../packages/proctor/src/stores/workspaces/file-workspaces.ts";
import { createMetrics } from "../packages/proctor/src/telemetry/metrics.ts";
import { noEnvironments } from "../packages/proctor/test/support/test-hub.ts";
import type { StreamsServer } from "./atp-streams.ts";

const EVENTS = 30_000;
const TASK = "550e8400-e29b-41d4-a716-446655440000";
const folder = mkdtempSync(join(tmpdir(), "proctor-streams-"));
const never = new AbortController().signal;

const store = await openSqliteStore({ file: join(folder, "p.db") });
const blobs = await openFileBlobs(join(folder, "artifacts"));
const sealer = await openSealer(join(folder, "seal.key"));
const drivers = createDriverLookup({ hubId: "bench" });
const agents = createAgentRegistry({ store, sealer, clock: systemClock, drivers, checkOptions });
const workspaces = openWorkspaces(join(folder, "workspaces"));
const environments = noEnvironments();
const judging = createJudging({
  workspaces,
  environments,
  verify: () => Promise.reject(new Error("nothing is judged here")),
  clock: systemClock,
  report: () => undefined,
});
const log = createLogReader(store, systemClock);
const engine: Engine = createEngine({
  ...ownStore({
    store,
    blobs,
    clock: systemClock,
    report: () => undefined,
    onQueued: () => engine.wake(),
  }),
  isFollowed: (runId) => log.isFollowed(runId),
  drivers,
  sealer,
  clock: systemClock,
  workspaces,
  tools: { open: () => Promise.reject(new Error("no tools here")) },
  labs: { open: () => Promise.reject(new Error("no labs here")) },
  environments,
  agentMounts: () => Promise.resolve([]),
  models: { open: () => Promise.reject(new Error("no model here")) },
  graceMs: 0,
  artifactLimits: DEFAULT_ARTIFACT_LIMITS,
  random: Math.random,
  report: () => undefined,
  concurrency: 0,
  dispatcher: createInProcessDispatcher({ store, clock: systemClock, worker: "bench", agentConcurrency: 1 }),
});
const hub = createHub({
  store,
  log,
  blobs,
  engine,
  agents,
  sealer,
  judging,
  clock: systemClock,
  closeGraceMs: 0,
});
await hub.addAgent({ name: "stored", protocol: "atp", transport: "stdio", command: ["true"] });
await fill();

const surfaceOptions = {
  hub,
  keepAliveMs: 15_000,
  report: (problem: unknown) => console.error(problem),
  log,
};
const executions = createExecutions(surfaceOptions);
const messages = await readAll();
const app = createApp({
  hub,
  metrics: createMetrics(),
  log: () => undefined,
  version: "0",
  auth: createAuth({ tokens: [], host: "127.0.0.1" }),
  ready: async () => undefined,
  mounts: [createAtpSurface(surfaceOptions)],
});
const server = await listen({
  app,
  host: "127.0.0.1",
  port: 0,
  acceptSocket: (upgrade) => acceptSocket({ ...upgrade, maxMessageBytes: 1024 * 1024 }),
});
const open = { authorize: () => undefined, onError: (problem: unknown) => console.error(problem) };
const replay = { ...executions, start: () => executions.find("stored", TASK) };
const grpc = await listenGrpc({
  ...open,
  host: "127.0.0.1",
  port: 0,
  routes: [createGrpcRoutes({ ...surfaceOptions, executions: replay, stopping: never })],
});
const prepared = messages.map(({ kind, text }) => encodeStreamMessage(kind, JSON.parse(text) as never));
const bareGrpc = await listenGrpc({
  ...open,
  host: "127.0.0.1",
  port: 0,
  routes: [
    (router) =>
      void router.service(AGENT_SERVICE, {
        async *executeStream() {
          yield* prepared;
        },
      }),
  ],
});
const bare = await serveBare();
const where: StreamsServer = {
  taskId: TASK,
  events: messages.length,
  app: server.port,
  bare,
  grpc: grpc.port,
  bareGrpc: bareGrpc.port,
};
console.log(JSON.stringify(where));

async function fill(): Promise<void> {
  const { run } = await hub.submit({
    agent: "stored",
    task: { description: "x" },
    alias: `atp/stored/${TASK}`,
  });
  const write = async (drafts: EventDraft[]): Promise<void> => {
    const nothing = createRedactor([]);
    await store.append(
      run.id,
      drafts.map((draft) => toNewEvent(draft, nothing, Date.now())),
    );
  };
  await write([{ type: "run.started", payload: { worker: "bench" } }]);
  for (let start = 0; start < EVENTS; start += 1000) {
    const batch = Array.from({ length: 1000 }, (_, index): EventDraft => ({
      type: "progress",
      payload: {
        current_step: start + index,
        percentage: 50,
        message: "Analyzing competitor features, one by one",
      },
    }));
    await write(batch);
  }
  await write([{ type: "run.ended", payload: { status: "completed", metrics: {} } }]);
}

async function readAll(): Promise<ExecutionMessage[]> {
  const all: ExecutionMessage[] = [];
  for await (const page of (await executions.find("stored", TASK)).messages(0, never)) all.push(...page);
  return all;
}

async function serveBare(): Promise<number> {
  const frames = messages.map((message) =>
    message.kind === "event"
      ? `id: ${message.sequence}\nevent: event\ndata: ${message.text}\n\n`
      : `event: response\ndata: ${message.text}\n\n`,
  );
  const http: Server = createServer((request, response) => {
    request.resume().on("end", () => void writeFrames(response, frames));
  });
  const sockets = new WebSocketServer({
    server: http as never,
    handleProtocols: () => "atp.v1",
    perMessageDeflate: false,
  });
  sockets.on("connection", (socket) => socket.on("message", () => void writeMessages(socket)));
  http.listen(0, "127.0.0.1");
  await once(http, "listening");
  // The address of a server that listens on a port is an object.
  return (http.address() as AddressInfo).port;
}

async function writeFrames(response: ServerResponse, frames: readonly string[]): Promise<void> {
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (const frame of frames) if (!response.write(frame)) await once(response, "drain");
  response.end();
}

async function writeMessages(socket: WebSocket): Promise<void> {
  for (const { text } of messages) {
    if (socket.bufferedAmount > 1024 * 1024)
      await new Promise<void>((resolve) => socket.send(text, () => resolve()));
    else socket.send(text);
  }
}
