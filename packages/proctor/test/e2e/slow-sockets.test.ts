// Two hundred clients that watch one flood over WebSockets and read nothing: they cost the run nothing and the hub a few
// pages each; when they read at last, they have missed nothing.
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { WebSocket } from "ws";
import type { JsonObject } from "../../src/core/json.ts";
import type { Page } from "../../src/core/page.ts";
import type { Run } from "../../src/core/run.ts";
import { startHubProcess } from "../support/hub-process.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { fixture } from "../support/test-hub.ts";
import { eventually } from "../support/eventually.ts";

const READERS = 200;
const EVENTS = 3000;
const EVENT_BYTES = 3000;
/** All that they have not read is 2 GB. */
const HEAP_MB = 256;
const MAX_GROWTH_MB = 350;

it(`stays below +${MAX_GROWTH_MB} MB`, async () => {
  const hub = await startHubProcess({
    folder: temporaryFolder("sockets"),
    env: { PROCTOR_LOG: "silent", NODE_OPTIONS: `--max-old-space-size=${HEAP_MB}` },
  });
  const agent = fixture("flood-events", String(EVENTS), String(EVENT_BYTES));
  await hub.post("/agents", { name: "flood", ...agent });
  const url = `${hub.url.replace("http", "ws")}/atp/flood/ws?on_disconnect=keep`;
  const task_id = randomUUID();
  const before = memoryMb(hub.pid, "VmRSS");

  const starter = await connect(url);
  starter.send(JSON.stringify({ version: "1.0", task_id, task: { description: "flood" } }));
  await once(starter, "message");
  starter.terminate();
  const readers: WebSocket[] = [];
  // They read nothing, but they are there: the hub lets go of a client of whom it hears nothing for long.
  const signs = setInterval(() => readers.forEach((socket) => socket.pong()), 2000).unref();
  await Promise.all(
    Array.from({ length: READERS }, async () => {
      const socket = await connect(url);
      socket.pause();
      socket.send(JSON.stringify({ type: "resume", task_id, after: -1 }));
      readers.push(socket);
    }),
  );
  const ended = async (): Promise<void> => {
    const { items } = await hub.get<Page<Run>>("/runs?limit=1");
    expect(items).toMatchObject([{ status: "completed" }]);
  };
  await eventually(ended);
  if (process.platform === "linux") expect(memoryMb(hub.pid, "VmHWM") - before).toBeLessThan(MAX_GROWTH_MB);

  const [one, other] = readers;
  for (const socket of readers.slice(2)) socket.terminate();
  for (const socket of [one, other]) expect(await readAll(socket)).toEqual({ events: EVENTS, gapless: true });
  clearInterval(signs);
  expect(await hub.stop()).toBe(0);
});

async function connect(url: string): Promise<WebSocket> {
  const socket = new WebSocket(url, "atp.v1");
  await once(socket, "open");
  return socket;
}

/** From its first event to the response. */
function readAll(socket: WebSocket | undefined): Promise<{ events: number; gapless: boolean }> {
  return new Promise((resolve, reject) => {
    socket?.once("close", (code) => reject(new Error(`closed with ${code} before the response`)));
    let events = 0;
    let gapless = true;
    socket?.on("message", (data) => {
      // Text frames arrive as buffers.
      const { sequence, status } = JSON.parse((data as Buffer).toString()) as JsonObject;
      if (status === undefined) {
        gapless &&= sequence === events++;
        return;
      }
      resolve({ events, gapless });
      socket.terminate();
    });
    socket?.resume();
  });
}

/** VmRSS is what it has now, VmHWM the most it ever had. */
function memoryMb(pid: number, field: "VmRSS" | "VmHWM"): number {
  if (process.platform !== "linux") return 0;
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, "m").exec(status)?.[1]) / 1024;
}
