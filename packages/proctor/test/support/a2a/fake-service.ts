// A service of A2A that a test writes, and a server in front of it that is called as a function.
import {
  createA2aServer,
  type A2aServer,
  type A2aServerOptions,
} from "../../../src/protocols/a2a/http/a2a-server.ts";
import type { AgentCard } from "../../../src/protocols/a2a/model.ts";
import type { A2aCall, A2aService } from "../../../src/protocols/a2a/service.ts";

export const CARD: AgentCard = {
  name: "fake",
  description: "a fake",
  version: "1",
  supportedInterfaces: [
    { url: "https://a2a.example/fake", protocolBinding: "JSONRPC", protocolVersion: "1.0" },
    { url: "https://a2a.example/fake", protocolBinding: "JSONRPC", protocolVersion: "0.3" },
  ],
  capabilities: { streaming: true, pushNotifications: true, extendedAgentCard: true },
  defaultInputModes: ["text/plain"],
  defaultOutputModes: ["text/plain"],
  securitySchemes: { key: { httpAuthSecurityScheme: { scheme: "Bearer" } } },
  skills: [{ id: "s", name: "s", description: "s", tags: ["s"] }],
};

export interface Fake {
  server: A2aServer;
  /** What was asked, with what the service was told beside it. */
  asked: { operation: string; request: unknown; call: A2aCall }[];
  reported: unknown[];
  /** `path` is below the service's own, `/base`. */
  fetch: (path: string, init?: RequestInit & { duplex?: "half" }) => Promise<Response>;
  /** A request by JSON-RPC as it is. */
  post: (body: unknown, headers?: Record<string, string>) => Promise<Response>;
}

const TASK = { id: "t1", contextId: "c1", status: { state: "TASK_STATE_WORKING" } };

export function createFake(
  service: Partial<A2aService> = {},
  { card = CARD, ...options }: Partial<A2aServerOptions> & { card?: AgentCard } = {},
): Fake {
  const asked: Fake["asked"] = [];
  const reported: unknown[] = [];
  const noted =
    <R>(operation: string, result: R) =>
    (request: unknown, call: A2aCall): Promise<R> => {
      asked.push({ operation, request, call });
      return Promise.resolve(result);
    };
  const whole: A2aService = {
    card: () => Promise.resolve(card),
    extendedCard: (call) => noted("extendedCard", { ...CARD, name: "more" })(undefined, call),
    send: noted("send", { task: TASK }),
    stream: noted("stream", frames()),
    subscribe: noted("subscribe", frames()),
    getTask: noted("getTask", TASK),
    listTasks: noted("listTasks", { tasks: [TASK], nextPageToken: "", pageSize: 1, totalSize: 1 }),
    cancelTask: noted("cancelTask", { ...TASK, status: { state: "TASK_STATE_CANCELED" } }),
    createPushConfig: noted("createPushConfig", { id: "p", taskId: "t1", url: "https://x.example" }),
    getPushConfig: noted("getPushConfig", { id: "p", taskId: "t1", url: "https://x.example" }),
    listPushConfigs: noted("listPushConfigs", { configs: [] }),
    deletePushConfig: noted("deletePushConfig", undefined),
    ...service,
  };
  const server = createA2aServer({
    service: whole,
    report: (problem) => reported.push(problem),
    ...options,
  });
  const fetch: Fake["fetch"] = (path, init) =>
    server.fetch(new Request(`http://127.0.0.1/base${path}`, init), {
      traceId: "0".repeat(32),
      basePath: "/base",
    });
  return {
    server,
    asked,
    reported,
    fetch,
    post: (body, headers = {}) =>
      fetch("", {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        body: typeof body === "string" ? body : JSON.stringify(body),
      }),
  };
}

async function* frames() {
  yield { event: { task: TASK }, id: "t1:0" };
  yield {
    event: { statusUpdate: { taskId: "t1", contextId: "c1", status: { state: "TASK_STATE_COMPLETED" } } },
    id: "t1:1",
  };
}
