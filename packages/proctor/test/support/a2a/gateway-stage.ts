// A gateway of a test, with real artifacts in a folder of its own: its services can be called, or put on a socket.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { JsonObject } from "../../../src/core/json.ts";
import { parseTraceparent } from "../../../src/core/trace.ts";
import type { SavedArtifactLimits } from "../../../src/core/saved-artifact.ts";
import {
  createGateway,
  type Gateway,
  type GatewayAgent,
  type GatewayOptions,
} from "../../../src/protocols/a2a/gateway/gateway.ts";
import type { SendRequest, StreamResponse } from "../../../src/protocols/a2a/model.ts";
import { createA2aServer } from "../../../src/protocols/a2a/http/a2a-server.ts";
import type { A2aCall, A2aService, A2aStream } from "../../../src/protocols/a2a/service.ts";
import { listen } from "../../../src/runtime/http/listen.ts";
import { systemClock } from "../../../src/runtime/time/system-clock.ts";
import { afterEveryTest } from "../closing.ts";
import { openArtifacts, type OpenedArtifacts } from "../stores/artifacts.ts";

export interface GatewayStage extends OpenedArtifacts {
  folder: string;
  gateway: Gateway;
  service: A2aService;
  /** Puts the gateway on a socket; returns the address of an agent behind it. */
  serve(alias?: string): Promise<string>;
  /** Another gateway with the same folder, as after a restart. */
  reopen(): Promise<GatewayStage>;
}

export interface StageOptions extends Partial<Omit<GatewayOptions, "agents">> {
  agent?: Partial<GatewayAgent>;
  limits?: SavedArtifactLimits;
  folder?: string;
}

export const APP = "writer";

/** In the order in which they have to happen. */
const closes: (() => unknown)[] = [];

afterEveryTest(async () => {
  for (const close of closes.splice(0).toReversed()) await close();
});

/** The agent behind the gateway is at this address, under the alias `writer`. */
export async function openGateway(url: string, options: StageOptions = {}): Promise<GatewayStage> {
  const { agent, limits, folder = temporary(), ...rest } = options;
  const opened = await openArtifacts(folder, limits);
  const gateway = createGateway({
    agents: { [APP]: { url: new URL(url), refreshMs: 60_000, timeoutMs: 60_000, ...agent } },
    artifacts: opened.artifacts,
    ids: opened.store.gatewayIds,
    clock: systemClock,
    isProtected: () => false,
    ...rest,
  });
  let isClosed = false;
  async function close(): Promise<void> {
    if (isClosed) return;
    isClosed = true;
    gateway.close();
    await opened.close();
  }
  closes.push(close);
  const service = gateway.services.get(APP);
  if (service === undefined) throw new Error("the gateway has one agent");
  return {
    ...opened,
    folder,
    gateway,
    service,
    close,
    async serve() {
      const server = createA2aServer({ service });
      const traceOf = (request: Request): string =>
        parseTraceparent(request.headers.get("traceparent") ?? "")?.traceId ?? "0".repeat(32);
      const app = {
        fetch: (request: Request) =>
          server.fetch(request, { traceId: traceOf(request), basePath: `/${APP}` }),
        endStreams: () => server.close(),
      };
      const listening = await listen({ app, host: "127.0.0.1", port: 0 });
      closes.push(() => listening.close(0));
      return `${listening.url}/${APP}`;
    },
    async reopen() {
      await close();
      return openGateway(url, { ...options, folder });
    },
  };
}

function temporary(): string {
  const folder = mkdtempSync(join(tmpdir(), "proctor-gateway-"));
  closes.push(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export function callOf(changes: Partial<A2aCall> = {}): A2aCall {
  return {
    version: "1.0",
    binding: "JSONRPC",
    headers: {},
    extensions: [],
    origin: "http://gateway.test",
    basePath: `/gateway/${APP}`,
    traceId: "0".repeat(32),
    signal: new AbortController().signal,
    ...changes,
  };
}

export function say(text: string, more: JsonObject = {}): SendRequest {
  return { message: { messageId: "m-1", role: "ROLE_USER", parts: [{ text }], ...more } };
}

export async function framesOf(stream: A2aStream): Promise<StreamResponse[]> {
  const frames: StreamResponse[] = [];
  for await (const { event } of stream) frames.push(event);
  return frames;
}

export const base64 = (text: string): string => Buffer.from(text).toString("base64");
