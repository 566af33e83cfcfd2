// A hub in the test's process that serves A2A on a real port, with one agent, `worker`, that the test plays, and a client that says exactly
// what the test wants.
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { readSse } from "../../../src/channels/sse/read-sse.ts";
import type { Json, JsonObject } from "../../../src/core/json.ts";
import type { Clock } from "../../../src/core/ports/clock.ts";
import type { Talks } from "../../../src/core/ports/driver.ts";
import { openSurfaces, type A2aSurfaceOptions } from "../../../src/protocols/a2a/surface.ts";
import { pushEncoding } from "../../../src/protocols/a2a/surface/push-encoding.ts";
import { systemClock } from "../../../src/runtime/time/system-clock.ts";
import { openSealer } from "../../../src/stores/sealer.ts";
import { createWebhooks } from "../../../src/webhooks/webhooks.ts";
import { createScriptedDriver, type ScriptedDriver } from "../scripted-driver.ts";
import { serveSurfaces } from "../server/serve-surfaces.ts";
import { openTestHub, type TestHub } from "../test-hub.ts";

export interface Reply {
  status: number;
  headers: Headers;
  // The tests look inside.
  // oxlint-disable-next-line typescript/no-explicit-any
  body: any;
}

export interface Frame {
  id: string;
  event: string;
  // oxlint-disable-next-line typescript/no-explicit-any
  data: any;
}

export interface HubStage extends Omit<TestHub, "log"> {
  /** The hub's address. */
  origin: string;
  /** The agent's. */
  url: string;
  driver: ScriptedDriver;
  reported: unknown[];
  send(
    method: string,
    path: string,
    options?: { body?: unknown; headers?: Record<string, string> },
  ): Promise<Reply>;
  /** A call by JSON-RPC, in 1.0 unless the method is one of 0.3. */
  rpc(method: string, params?: Json, headers?: Record<string, string>): Promise<Reply["body"]>;
  /** The frames of a stream by JSON-RPC, as they come. */
  stream(method: string, params: Json, headers?: Record<string, string>): FrameReader;
  stop(): void;
}

export interface FrameReader extends AsyncIterable<Frame> {
  /** Leaves the stream. */
  leave(): void;
  /** All frames until its end. */
  all(): Promise<Frame[]>;
}

export interface HubStageOptions {
  folder?: string;
  talks?: Talks;
  needsToken?: boolean;
  push?: boolean;
  driver?: ScriptedDriver;
  /** The address of a real A2A agent, which then is `worker` in the place of one that the test plays. */
  agentUrl?: string;
  /** How the surface differs from the usual one. */
  surface?: A2aSurfaceOptions;
  /** How many runs are in flight at once; 0 leaves them queued. */
  concurrency?: number;
  /** The clock of the hub; the real one when absent. */
  clock?: Clock;
}

const TALKS: Talks = { says: true, follows: true, asks: ["input", "form", "permission", "approval", "auth"] };

export async function openHubStage(options: HubStageOptions = {}): Promise<HubStage> {
  const driver = options.driver ?? createScriptedDriver({ talks: options.talks ?? TALKS });
  const { agentUrl } = options;
  const opened = await openTestHub({
    ...(agentUrl === undefined && { driver }),
    concurrency: options.concurrency ?? 64,
    agentConcurrency: 64,
    ...(options.folder !== undefined && { folder: options.folder }),
    ...(options.clock !== undefined && { clock: options.clock }),
  });
  const reported: unknown[] = [];
  const report = (problem: unknown): void => void reported.push(problem);
  const webhooks = createWebhooks({
    hub: opened.hub,
    log: opened.reader,
    report,
    loadEncoding: () => Promise.resolve(pushEncoding),
    folder: join(opened.folder, "webhooks"),
    sealer: await openSealer(join(opened.folder, "seal.key")),
    allowHosts: ["127.0.0.1"],
    clock: systemClock,
  });
  await webhooks.start();
  const { hub } = opened;
  const place =
    agentUrl === undefined
      ? { protocol: "atp", transport: "stdio", command: ["worker"] }
      : { protocol: "a2a", transport: "http", url: agentUrl };
  await hub.addAgent({ name: "worker", ...place }, { replace: true });
  const surfaces = await openSurfaces(
    {
      hub,
      log: opened.reader,
      keepAliveMs: 60_000,
      report,
      needsToken: () => options.needsToken ?? false,
      ...(options.push !== false && { receivers: webhooks.receivers }),
    },
    options.surface,
  );
  const { server } = await serveSurfaces(hub, [...surfaces]);
  const url = `${server.url}/a2a/worker`;

  async function send(
    method: string,
    path: string,
    { body, headers = {} }: { body?: unknown; headers?: Record<string, string> } = {},
  ): Promise<Reply> {
    const answer = await fetch(`${url}${path}`, {
      method,
      headers: { ...(body !== undefined && { "content-type": "application/json" }), ...headers },
      ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    const text = await answer.text();
    const { status, headers: got } = answer;
    return {
      status,
      headers: got,
      body: /json/.test(got.get("content-type") ?? "") ? JSON.parse(text) : text,
    };
  }

  return {
    ...opened,
    origin: server.url,
    url,
    driver,
    reported,
    send,
    rpc: async (method, params = {}, headers = {}) => {
      const { body } = await send("POST", "", {
        body: { jsonrpc: "2.0", id: 1, method, params },
        headers: { ...versionOf(method), ...headers },
      });
      return body;
    },
    stream(method, params, headers = {}) {
      const body = JSON.stringify({ jsonrpc: "2.0", id: 7, method, params });
      return readFrames(url, {
        method: "POST",
        body,
        headers: { "content-type": "application/json", ...versionOf(method), ...headers },
      });
    },
    stop() {
      for (const surface of surfaces) surface.close();
    },
    async close() {
      for (const surface of surfaces) surface.close();
      await server.close(0);
      await webhooks.close();
      await opened.close();
    },
  };
}

function versionOf(method: string): Record<string, string> {
  return method.includes("/") ? {} : { "a2a-version": "1.0" };
}

export function readFrames(url: string, init: RequestInit): FrameReader {
  const leaving = new AbortController();
  async function* frames(): AsyncGenerator<Frame> {
    const answer = await fetch(url, { ...init, signal: leaving.signal });
    const type = answer.headers.get("content-type") ?? "";
    if (!type.startsWith("text/event-stream"))
      throw new Error(`no stream: ${answer.status} ${await answer.text()}`);
    for await (const message of readSse(answer.body ?? new ReadableStream<Uint8Array>())) {
      if (message.kind !== "message") continue;
      yield { id: message.id, event: message.event, data: JSON.parse(message.data) as JsonObject };
    }
  }
  return {
    [Symbol.asyncIterator]: () => frames(),
    leave: () => leaving.abort(),
    async all() {
      const all: Frame[] = [];
      for await (const frame of frames()) all.push(frame);
      return all;
    },
  };
}

/** A message of a user, with a new id. */
export function userMessage(text: string, more: JsonObject = {}): JsonObject {
  return { messageId: randomUUID(), role: "ROLE_USER", parts: [{ text }], ...more };
}

/** The same in 0.3. */
export function legacyMessage(text: string, more: JsonObject = {}): JsonObject {
  return {
    kind: "message",
    messageId: randomUUID(),
    role: "user",
    parts: [{ kind: "text", text }],
    ...more,
  };
}
