// A tool host on a real socket, and callers for it.
import { fileURLToPath } from "node:url";
import { baseEnvironment } from "../../../src/channels/process/base-environment.ts";
import { openProcess } from "../../../src/channels/process/open-process.ts";
import { uuidV7 } from "../../../src/core/id.ts";
import type { Json, JsonObject } from "../../../src/core/json.ts";
import type { Clock } from "../../../src/core/ports/clock.ts";
import type { ToolEndpoint } from "../../../src/core/ports/tool-host.ts";
import type {
  Matcher,
  MockAnswer,
  MockRule,
  ObservedCall,
  ToolDefinition,
  ToolSet,
} from "../../../src/core/tools.ts";
import { listen } from "../../../src/runtime/http/listen.ts";
import { createToolHost } from "../../../src/doubles/tools/tool-host.ts";
import type { ScriptSource } from "../../../src/doubles/tools/script-tool.ts";
import type { OpenToolPlace, StartProcess } from "../../../src/doubles/tools/tool-process.ts";

/** Its own in every process: programs are found, and ended, by it. */
export const RUN = uuidV7();
export const ROOT = fileURLToPath(new URL("../../../../..", import.meta.url));

export const startProcess: StartProcess = (options) =>
  openProcess({ ...options, env: { ...baseEnvironment(), ...options.env } });

export const TRACE_ID = "0af7651916cd43dd8448eb211c80319c";

export interface OpenOptions {
  runId?: string;
  allowed?: readonly string[] | null;
  redact?: (text: string) => string;
  onCall?: (call: ObservedCall) => Promise<void>;
}

export interface Reply {
  status: number;
  body: JsonObject;
  headers: Headers;
}

export interface OpenedTools extends ToolEndpoint {
  /** Calls that were reported, in order. */
  calls: ObservedCall[];
  call(tool: string, input?: Json, more?: JsonObject): Promise<Reply>;
}

export async function startTools(
  options: {
    allowHosts?: readonly string[];
    openPlace?: OpenToolPlace;
    scripts?: ScriptSource;
    clock?: Clock;
  } = {},
) {
  let url = "";
  const host = createToolHost({
    baseUrl: async () => url,
    allowHosts: options.allowHosts ?? [],
    startProcess,
    ...(options.openPlace && { openPlace: options.openPlace }),
    ...(options.scripts && { scripts: options.scripts }),
    ...(options.clock && { clock: options.clock }),
  });
  let arrived = 0;
  const app = {
    fetch(request: Request) {
      arrived++;
      return host.fetch(request);
    },
  };
  const server = await listen({ app, host: "127.0.0.1", port: 0 });
  url = server.url;
  return {
    url,
    host,
    /** Resolves when this many more requests have come in. */
    arrivals(count: number): Promise<void> {
      const wanted = arrived + count;
      return until(() => arrived >= wanted);
    },
    async open(tools: ToolDefinition[] | ToolSet, more: OpenOptions = {}): Promise<OpenedTools> {
      const calls: ObservedCall[] = [];
      const endpoint = await host.open({
        runId: more.runId ?? RUN,
        traceId: TRACE_ID,
        tools: Array.isArray(tools) ? { tools } : tools,
        allowed: more.allowed ?? null,
        redact: more.redact ?? ((text) => text),
        async onCall(call) {
          await more.onCall?.(call);
          calls.push(call);
        },
      });
      return {
        ...endpoint,
        calls,
        call: (tool, input = {}, rest = {}) =>
          post(`${endpoint.url}/${tool}`, { task_id: RUN, input, ...rest }),
      };
    },
    async close() {
      await host.close();
      await server.close(0);
    },
  };
}

export type ToolsHarness = Awaited<ReturnType<typeof startTools>>;

export async function post(url: string, body: Json | Uint8Array, init: RequestInit = {}): Promise<Reply> {
  const raw = body instanceof Uint8Array ? Buffer.from(body) : JSON.stringify(body);
  return read(
    await fetch(url, { method: "POST", body: raw, headers: { "content-type": "application/json" }, ...init }),
  );
}

export async function read(response: Response): Promise<Reply> {
  const text = await response.text();
  // Our own answers are objects.
  const body = (text === "" ? {} : JSON.parse(text)) as JsonObject;
  return { status: response.status, body, headers: response.headers };
}

export function rule(when: Matcher | undefined, answer: MockAnswer | MockAnswer[]): MockRule {
  // oxlint-disable-next-line unicorn/no-thenable -- the format's own key; its value is never a function
  return { ...(when && { when }), then: answer };
}

/** Resolves when the condition holds; looks at it after every turn of the loop. */
export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve));
}
