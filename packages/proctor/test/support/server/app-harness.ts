// What the server's tests share: an app over the hub double, whose every JSON answer is held to the schema that the
// OpenAPI document promises for it.
import { expect } from "vitest";
import { ProctorError } from "../../../src/core/errors.ts";
import { createMetrics } from "../../../src/telemetry/metrics.ts";
import { createApp, type App, type AppDeps } from "../../../src/server/app.ts";
import { createAuth, type AuthOptions } from "../../../src/server/auth.ts";
import { createEventLog } from "../../../src/server/event-log.ts";
import { createHubDouble, type HubDouble } from "./hub-double.ts";
import { createScriptToolsDouble } from "./script-tools-double.ts";
import { createLiveStreams } from "../../../src/server/live-streams.ts";
import type { Route } from "../../../src/server/route.ts";
import { createRouter } from "../../../src/runtime/http/router.ts";
import { createRoutes } from "../../../src/server/routes.ts";
import { ErrorDocument } from "../../../src/server/schemas/common.ts";

export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  /** The body, parsed when it is JSON. Tests look inside freely. */
  // oxlint-disable-next-line typescript/no-explicit-any
  body: any;
}

export interface Harness {
  hub: HubDouble;
  app: App;
  /** What was logged. */
  logs: Record<string, unknown>[];
  send: (method: string, path: string, init?: SendInit) => Promise<Answer>;
}

export interface SendInit {
  json?: unknown;
  body?: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>;
  headers?: Record<string, string>;
}

export function createHarness(overrides: Partial<AppDeps> & Partial<AuthOptions> = {}): Harness {
  const { tokens = [], host = "127.0.0.1", allowedOrigins = [], ...rest } = overrides;
  const hub = createHubDouble();
  const logs: Record<string, unknown>[] = [];
  const deps: AppDeps = {
    hub,
    ready: () => Promise.resolve(),
    auth: createAuth({ tokens, host, allowedOrigins }),
    metrics: createMetrics(),
    log: (entry) => logs.push({ ...entry }),
    version: "1.2.3",
    platform: { scriptTools: createScriptToolsDouble() },
    ...rest,
  };
  const app = createApp(deps);
  const schemas = schemaLookup(deps);
  return {
    hub,
    app,
    logs,
    async send(method, path, { json, body, headers = {} } = {}) {
      const content = json === undefined ? body : JSON.stringify(json);
      const request = new Request(`http://127.0.0.1:3001${path}`, {
        method,
        headers: { ...(json !== undefined && { "content-type": "application/json" }), ...headers },
        ...(content !== undefined && { body: content, duplex: "half" as const }),
      });
      const response = await app.fetch(request);
      const text = await response.text();
      const isJson = response.headers.get("content-type") === "application/json";
      const answer: Answer = {
        status: response.status,
        headers: response.headers,
        text,
        body: isJson && text !== "" ? JSON.parse(text) : undefined,
      };
      expect(answer.headers.get("x-trace-id")).toMatch(/^[0-9a-f]{32}$/);
      if (answer.body !== undefined) schemas(method, path, answer.status).parse(answer.body);
      return answer;
    },
  };
}

function schemaLookup(deps: AppDeps) {
  const eventLog = createEventLog(deps);
  const { routes } = createRoutes({
    ...deps,
    eventLog,
    streams: createLiveStreams({ log: eventLog, keepAliveMs: 1000, onFailure: () => {} }),
    bodyLimitBytes: 1024,
    onFailure: () => {},
  });
  const router = createRouter<Route>(routes, "");
  return (method: string, path: string, status: number) => {
    const route = router.find(method, path.split("?")[0] ?? "").endpoint;
    const schema = route?.responses[status]?.schema;
    if (schema === undefined && status < 400)
      throw new Error(`${method} ${path} has no schema for ${status}`);
    return schema ?? ErrorDocument;
  };
}

/** A body in pieces, without a length, as a chunked upload is. */
export function streamed(...parts: string[]): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (const part of parts) controller.enqueue(Buffer.from(part));
      controller.close();
    },
  });
}

export const RUN = { agent: "atp+stdio:python agent.py", task: { description: "do it" } };

export const notReady = (): Promise<void> =>
  Promise.reject(new ProctorError("STORE_FULL", "the disk is full\nmake room"));
