// What the tests of the live and the official surface share: they and /api on a real server over a real hub, and clients of them.
import type { CommitListener } from "../../../src/core/ports/store.ts";
import type { Talks } from "../../../src/core/ports/driver.ts";
import { once } from "node:events";
import { join } from "node:path";
import { expect } from "vitest";
import { WebSocket } from "ws";
import { createScriptedDriver, type ScriptedDriver } from "../scripted-driver.ts";
import { serveSurfaces } from "../server/serve-surfaces.ts";
import { openTestHub, type TestHub } from "../test-hub.ts";
import { acceptSocket } from "../../../src/channels/websocket/accept-socket.ts";
import type { JsonObject } from "../../../src/core/json.ts";
import { createApiSurface } from "../../../src/protocols/agent-protocol/surfaces/api/surface.ts";
import type { OfficialOptions } from "../../../src/protocols/agent-protocol/surfaces/official/context.ts";
import { createOfficialSurface } from "../../../src/protocols/agent-protocol/surfaces/official/surface.ts";
import type { SocketLimits } from "../../../src/protocols/agent-protocol/surfaces/ws/serve-socket.ts";
import { createWsSurface } from "../../../src/protocols/agent-protocol/surfaces/ws/surface.ts";

export interface Stage extends TestHub {
  url: string;
  /** Plays the agents. */
  driver: ScriptedDriver;
  /** Counts those who listen to logs or wait for them on behalf of these surfaces. */
  watchers: () => number;
  reported: unknown[];
  connect(options?: WebSocket.ClientOptions): Promise<Client>;
  /** Ends the surfaces, as a hub that stops does first. */
  stop(): void;
}

export interface StageOptions {
  limits?: Partial<SocketLimits>;
  /** Runs new tasks on the scripted agent. */
  withAgent?: boolean;
  /** Runs new tasks on this agent; every agent is what its address says, none is scripted. */
  realAgent?: string;
  /** What can be said to the scripted agent. */
  talks?: Talks;
  official?: Partial<OfficialOptions>;
  folder?: string;
  maxMessageBytes?: number;
}

export async function openStage(options: StageOptions = {}): Promise<Stage> {
  const driver = createScriptedDriver(options.talks ? { talks: options.talks } : {});
  const { realAgent } = options;
  const opened = await openTestHub({
    ...(realAgent === undefined && { driver }),
    concurrency: 64,
    agentConcurrency: 64,
    ...(options.folder !== undefined && { folder: options.folder }),
  });
  const { hub, reader } = opened;
  let watchers = 0;
  const reported: unknown[] = [];
  const shared = {
    hub,
    report: (problem: unknown) => void reported.push(problem),
    log: {
      ...reader,
      watch(listener: CommitListener) {
        watchers += 1;
        const unwatch = reader.watch(listener);
        return () => {
          watchers -= 1;
          unwatch();
        };
      },
      async until<T>(...wanted: Parameters<typeof reader.until<T>>): Promise<T> {
        watchers += 1;
        try {
          return await reader.until(...wanted);
        } finally {
          watchers -= 1;
        }
      },
    },
  };
  const defaultAgent = options.withAgent === true ? "atp+stdio:scripted" : realAgent;
  const agent = defaultAgent === undefined ? {} : { defaultAgent };
  const surfaces = [
    createApiSurface({
      ...shared,
      ...agent,
      keepAliveMs: 60_000,
      artifactsDir: join(opened.folder, "artifacts"),
      workspacesRoot: join(opened.folder, "workspaces"),
      exposeUri: false,
    }),
    createWsSurface({ ...shared, ...(options.limits && { limits: options.limits }) }),
    createOfficialSurface({
      ...shared,
      ...options.official,
      ...agent,
    }),
  ];
  const { maxMessageBytes = 1024 * 1024 } = options;
  const { server } = await serveSurfaces(hub, surfaces, {
    acceptSocket: (upgrade) => acceptSocket({ ...upgrade, maxMessageBytes }),
  });
  const clients: Client[] = [];
  return {
    ...opened,
    url: server.url,
    driver,
    reported,
    watchers: () => watchers,
    async connect(clientOptions = {}) {
      const client = await connectClient(`${server.url.replace("http", "ws")}/ws`, clientOptions);
      clients.push(client);
      return client;
    },
    stop() {
      for (const surface of surfaces) surface.close();
    },
    async close() {
      for (const client of clients) client.ws.terminate();
      for (const surface of surfaces) surface.close();
      await server.close(0);
      await opened.close();
    },
  };
}

/** Closes the stage, after which nobody may listen any more, and no trouble may have been reported. */
export async function closeClean(stage: Stage): Promise<void> {
  await stage.close();
  const { reported, problems } = stage;
  expect({ watchers: stage.watchers(), reported, problems }).toEqual({
    watchers: 0,
    reported: [],
    problems: [],
  });
}

export type Told = JsonObject & { type: string; seq?: number; task_id?: string };

export interface Client {
  ws: WebSocket;
  /** All that came, in order. */
  told: Told[];
  say(frame: object | string): void;
  /** The first frame, from the beginning on, that satisfies the test; waits for it. */
  until(satisfied: (frame: Told) => boolean): Promise<Told>;
  subscribe(task: string, since?: number): Promise<Told>;
  /** Asks for a sign, so that whatever was said before has come when it resolves. */
  settled(): Promise<void>;
  closed: Promise<number>;
}

async function connectClient(url: string, options: WebSocket.ClientOptions): Promise<Client> {
  const ws = new WebSocket(url, options);
  const told: Told[] = [];
  let look: (() => void)[] = [];
  const changed = (): void => {
    const waiting = look;
    look = [];
    for (const each of waiting) each();
  };
  ws.on("message", (data: Buffer) => {
    // The tests look inside.
    told.push(JSON.parse(data.toString()) as Told);
    changed();
  });
  let code: number | undefined;
  const closed = new Promise<number>((resolve) => {
    ws.on("close", (given) => {
      code = given;
      resolve(given);
      changed();
    });
  });

  async function until(satisfied: (frame: Told) => boolean): Promise<Told> {
    for (let next = 0; ;) {
      for (; next < told.length; next += 1) {
        const frame = told[next];
        if (frame && satisfied(frame)) return frame;
      }
      if (code !== undefined) throw new Error(`closed with ${code} before the awaited frame came`);
      await new Promise<void>((resolve) => look.push(resolve));
    }
  }

  const say = (frame: object | string): void =>
    ws.send(typeof frame === "string" ? frame : JSON.stringify(frame));
  await once(ws, "open");
  return {
    ws,
    told,
    say,
    until,
    closed,
    async subscribe(task, since) {
      const before = told.length;
      say({ type: "subscribe", agentId: task, ...(since !== undefined && { since }) });
      return until(
        (frame) => frame.type === "subscribed" && frame.task_id === task && told.indexOf(frame) >= before,
      );
    },
    async settled() {
      const before = told.length;
      say({ type: "ping" });
      await until((frame) => frame.type === "pong" && told.indexOf(frame) >= before);
    },
  };
}

/** The events of a task among what was told. */
export function eventsOf(told: readonly Told[], task: string): Told[] {
  return told.filter(({ type, task_id: id }) => id === task && /^(?:task|step|artifact)\.|^log$/.test(type));
}

export function seqsOf(told: readonly Told[], task: string): (number | undefined)[] {
  return eventsOf(told, task).map(({ seq }) => seq);
}
