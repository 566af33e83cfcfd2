// Started by ap-ws.ts: /ws over a real store, and beside it a bare `ws` broadcast of frames of the same size. Prints the ports of both,
// then broadcasts on command: a line with `ours` or `bare` on stdin.
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { WebSocketServer } from "ws";
import { acceptSocket } from "../packages/proctor/src/channels/websocket/accept-socket.ts";
import type { EventDraft } from "../packages/proctor/src/core/event.ts";
import type { Hub } from "../packages/proctor/src/core/ports/hub.ts";
import { decodeRecord } from "../packages/proctor/src/core/ports/store.ts";
import { createRedactor } from "../packages/proctor/src/core/redact.ts";
import { toNewEvent } from "../packages/proctor/src/engine/new-event.ts";
import { createWsSurface } from "../packages/proctor/src/protocols/agent-protocol/surfaces/ws/surface.ts";
import { createApp } from "../packages/proctor/src/server/app.ts";
import { createAuth } from "../packages/proctor/src/server/auth.ts";
import { listen } from "../packages/proctor/src/runtime/http/listen.ts";
import { openSqliteStore } from "../packages/proctor/src/stores/sqlite/open-store.ts";
import { createMetrics } from "../packages/proctor/src/telemetry/metrics.ts";
import { BATCH, EVENTS, type LiveServer } from "./ap-ws.ts";

const TASK = "01900000-0000-7000-8000-000000000000";
const TEXT = "The agent has read the next of the reports, and writes down what it says about sales. ".repeat(
  3,
);
const folder = mkdtempSync(join(tmpdir(), "proctor-ap-ws-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
const nothing = createRedactor([]);

const store = await openSqliteStore({ file: join(folder, "p.db") });
await store.createRun({
  id: TASK,
  events: [created(), { type: "run.started", payload: { worker: "client" } } as const].map((draft) =>
    toNewEvent(draft, nothing, Date.now()),
  ),
  sealed: null,
  notBefore: 0,
});
// The parts of a hub that /ws uses.
const hub = {
  events: async (id: string, { after = -1, limit = 100 }) =>
    (await store.readEvents(id, after, limit)).map(decodeRecord),
} as Pick<Hub, "events"> as Hub;
const report = (problem: unknown): void => console.error(problem);
const app = createApp({
  hub,
  metrics: createMetrics(),
  log: () => undefined,
  version: "0",
  auth: createAuth({ tokens: [], host: "127.0.0.1" }),
  ready: async () => undefined,
  mounts: [createWsSurface({ hub, report, log: store })],
});
const server = await listen({
  app,
  host: "127.0.0.1",
  port: 0,
  acceptSocket: (upgrade) => acceptSocket({ ...upgrade, maxMessageBytes: 1024 * 1024 }),
});

const http = createServer();
const bare = new WebSocketServer({ server: http, perMessageDeflate: false });
http.listen(0, "127.0.0.1");
await once(http, "listening");
const frame = JSON.stringify({
  type: "log",
  task_id: TASK,
  data: TEXT,
  timestamp: new Date().toISOString(),
  seq: 1000,
});

// The address of a server that listens on a port is an object.
const where: LiveServer = { taskId: TASK, app: server.port, bare: (http.address() as AddressInfo).port };
console.log(JSON.stringify(where));

for await (const command of createInterface({ input: process.stdin })) {
  await (command === "ours" ? appendAll() : broadcastAll());
}

async function appendAll(): Promise<void> {
  const draft: EventDraft = { type: "log", payload: { stream: "stdout", text: TEXT } };
  for (let sent = 0; sent < EVENTS; sent += BATCH) {
    const batch = Array.from({ length: BATCH }, () => toNewEvent(draft, nothing, Date.now()));
    await store.append(TASK, batch);
  }
}

async function broadcastAll(): Promise<void> {
  for (let sent = 0; sent < EVENTS; sent += BATCH) {
    for (let each = 0; each < BATCH; each += 1) for (const client of bare.clients) client.send(frame);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

function created(): EventDraft {
  const payload = {
    agent: "client:",
    spec: { protocol: "client", transport: "" },
    task: { description: "x" },
    constraints: {},
    context: {},
    metadata: {},
    retry: null,
    attempt: 1,
    retry_of: null,
    trace_id: "0".repeat(32),
  };
  return { type: "run.created", payload };
}
