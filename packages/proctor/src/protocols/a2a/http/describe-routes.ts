// The routes of a server as `/openapi.json` shows them: those of 1.0. Requests are served by a2a-server.ts, which also takes 0.3 at the same
// address and below `/v1`.
import { z } from "zod";
import { SCOPE_OF } from "./perform.ts";
import type {
  ResponseDescription,
  RouteDescription,
  SurfaceDescription,
} from "../../../runtime/http/route.ts";
import { TASK_STATES } from "../model.ts";

const TAG = "A2A";
export const A2A_TAG: SurfaceDescription["tags"] = {
  [TAG]:
    "Agent2Agent 1.0 and 0.3, over JSON-RPC and HTTP+JSON: any agent that the hub knows, for clients that speak A2A. Version 0.3 is served too: the same methods under their old names, and the same paths below `/v1`.",
};

const any = z.looseObject({});
const Message = z
  .looseObject({
    messageId: z.string().min(1),
    role: z.literal("ROLE_USER"),
    parts: z.array(any).min(1),
    contextId: z.string().optional(),
    taskId: z.string().optional(),
  })
  .meta({ id: "A2aMessage", description: "Something said, in parts: text, raw, url or data." });
const Task = z
  .looseObject({
    id: z.string(),
    contextId: z.string(),
    status: z.looseObject({ state: z.enum(TASK_STATES), timestamp: z.string().optional() }),
    artifacts: z.array(any).optional(),
    history: z.array(any).optional(),
  })
  .meta({ id: "A2aTask" });
const SendRequest = z
  .looseObject({ message: Message, configuration: any.optional() })
  .meta({ id: "A2aSendRequest" });
const Sent = z.looseObject({ task: Task.optional(), message: any.optional() }).meta({ id: "A2aSendResult" });
const StreamEvent = z
  .looseObject({ task: Task.optional(), statusUpdate: any.optional(), artifactUpdate: any.optional() })
  .meta({ id: "A2aStreamResponse", description: "Exactly one of them." });
const PushConfig = z
  .looseObject({ url: z.string().min(1), id: z.string().optional(), token: z.string().optional() })
  .meta({ id: "A2aPushConfig" });
const Card = z
  .looseObject({ name: z.string(), supportedInterfaces: z.array(any) })
  .meta({ id: "A2aAgentCard" });
const RpcRequest = z
  .looseObject({
    jsonrpc: z.literal("2.0"),
    id: z.union([z.string(), z.int(), z.null()]).optional(),
    method: z.string(),
    params: any.optional(),
  })
  .meta({ id: "A2aJsonRpcRequest" });
const RpcResponse = z
  .looseObject({ jsonrpc: z.literal("2.0"), result: z.unknown().optional(), error: any.optional() })
  .meta({ id: "A2aJsonRpcResponse" });
const HttpError = z
  .looseObject({ error: z.looseObject({ code: z.int(), status: z.string(), message: z.string() }) })
  .meta({ id: "A2aError", description: "google.rpc.Status; `details` has the reason and wrong fields." });

const TYPES = ["application/a2a+json"];
const VERSION = { "A2A-Version": "`1.0`, or `0.3` for that version; `0.3` is meant when absent." };
const EXAMPLE_MESSAGE = {
  message: { messageId: "0f9c7c0a", role: "ROLE_USER", parts: [{ text: "Summarise report.txt." }] },
};

const TaskQuery = z.strictObject({
  historyLength: z.int().min(0).optional().describe("The most messages of the history; all when absent."),
});
const ListQuery = z.strictObject({
  contextId: z.string().optional(),
  status: z.enum(TASK_STATES).optional(),
  pageSize: z.int().min(1).max(100).optional().describe("50 when absent."),
  pageToken: z.string().optional(),
  historyLength: z.int().min(0).optional(),
  statusTimestampAfter: z.string().optional().describe("Tasks whose state changed after this time."),
  includeArtifacts: z.boolean().optional(),
});

const error = (description: string): ResponseDescription => ({
  description,
  schema: HttpError,
  types: TYPES,
});
const REFUSALS = {
  400: error("The request is wrong, or the task or the agent does not allow it; `details` has the reason."),
  404: error("There is no such agent, task or path."),
};
const WITH_BODY = { ...REFUSALS, 413: error("The body is too large."), 415: error("The body is not JSON.") };
const RESUME = "A client that comes back with `Last-Event-ID` goes on after the frame of that id.";

const result = (description: string, schema: z.ZodType): Record<number, ResponseDescription> => ({
  200: { description, schema, types: TYPES },
});

/** `base` is the path at which the service is mounted. */
export function describeRoutes(base: string): RouteDescription[] {
  const route = (description: Omit<RouteDescription, "tag" | "headers">): RouteDescription => ({
    tag: TAG,
    headers: VERSION,
    ...description,
    path: base + description.path,
  });
  const configs = "/tasks/{task_id}/pushNotificationConfigs";
  return [
    route({
      id: "a2aJsonRpc",
      method: "POST",
      path: "",
      // Methods with an effect need runs:write.
      scope: "runs:read",
      summary: "Call a method by JSON-RPC",
      description: `Methods of 1.0 (\`SendMessage\`, …) and of 0.3 (\`message/send\`, …). Streams are event streams of responses. ${RESUME}`,
      body: {
        schema: RpcRequest,
        required: true,
        example: { jsonrpc: "2.0", id: 1, method: "SendMessage", params: EXAMPLE_MESSAGE },
      },
      responses: {
        200: { description: "The response, or a stream of them.", schema: RpcResponse, frames: RpcResponse },
        204: { description: "The request had no id." },
        413: { description: "The body is too large.", schema: RpcResponse },
        415: { description: "The body is not JSON.", schema: RpcResponse },
      },
    }),
    route({
      id: "a2aSendMessage",
      method: "POST",
      path: "/message:send",
      scope: SCOPE_OF.send,
      summary: "Send a message, and wait for the task to end or to need something",
      body: { schema: SendRequest, required: true, example: EXAMPLE_MESSAGE },
      responses: { ...result("The task.", Sent), ...WITH_BODY },
    }),
    route({
      id: "a2aStreamMessage",
      method: "POST",
      path: "/message:stream",
      scope: SCOPE_OF.stream,
      summary: "Send a message, and watch the task",
      description: RESUME,
      body: { schema: SendRequest, required: true, example: EXAMPLE_MESSAGE },
      responses: { 200: { description: "The stream.", frames: StreamEvent }, ...WITH_BODY },
    }),
    route({
      id: "a2aListTasks",
      method: "GET",
      path: "/tasks",
      scope: SCOPE_OF.listTasks,
      summary: "List tasks, the last changed first",
      query: ListQuery,
      responses: {
        ...result("One page.", z.looseObject({ tasks: z.array(Task), nextPageToken: z.string() })),
        ...REFUSALS,
      },
    }),
    route({
      id: "a2aGetTask",
      method: "GET",
      path: "/tasks/{task_id}",
      scope: SCOPE_OF.getTask,
      summary: "Get a task",
      query: TaskQuery,
      responses: { ...result("The task.", Task), ...REFUSALS },
    }),
    route({
      id: "a2aCancelTask",
      method: "POST",
      path: "/tasks/{task_id}:cancel",
      scope: SCOPE_OF.cancelTask,
      summary: "Cancel a task",
      body: { schema: any, required: false },
      responses: { ...result("The task, when its agent has stopped.", Task), ...WITH_BODY },
    }),
    route({
      id: "a2aSubscribeToTask",
      method: "POST",
      path: "/tasks/{task_id}:subscribe",
      scope: SCOPE_OF.subscribe,
      summary: "Watch a task",
      description: `The task as it is, then what changes. GET does the same. ${RESUME}`,
      body: { schema: any, required: false },
      responses: { 200: { description: "The stream.", frames: StreamEvent }, ...WITH_BODY },
    }),
    route({
      id: "a2aCreatePushConfig",
      method: "POST",
      path: configs,
      scope: SCOPE_OF.createPushConfig,
      summary: "Have changes of a task sent to an address",
      body: { schema: PushConfig, required: true, example: { url: "https://example.com/hook", token: "…" } },
      responses: { ...result("The configuration, with its id.", PushConfig), ...WITH_BODY },
    }),
    route({
      id: "a2aListPushConfigs",
      method: "GET",
      path: configs,
      scope: SCOPE_OF.listPushConfigs,
      summary: "List where changes of a task are sent",
      responses: { ...result("All of them.", z.looseObject({ configs: z.array(PushConfig) })), ...REFUSALS },
    }),
    route({
      id: "a2aGetPushConfig",
      method: "GET",
      path: `${configs}/{config_id}`,
      scope: SCOPE_OF.getPushConfig,
      summary: "Get one of them",
      responses: { ...result("The configuration.", PushConfig), ...REFUSALS },
    }),
    route({
      id: "a2aDeletePushConfig",
      method: "DELETE",
      path: `${configs}/{config_id}`,
      scope: SCOPE_OF.deletePushConfig,
      summary: "Send no more there",
      responses: { ...result("It is gone; so it is where there was none.", any), ...REFUSALS },
    }),
    route({
      id: "a2aExtendedCard",
      method: "GET",
      path: "/extendedAgentCard",
      scope: SCOPE_OF.extendedCard,
      summary: "Get the extended card",
      responses: { ...result("The card.", Card), ...REFUSALS },
    }),
    route({
      id: "a2aCard",
      method: "GET",
      path: "/.well-known/agent-card.json",
      summary: "Get the card",
      description: "Without `A2A-Version`, one that clients of both versions can read.",
      open: true,
      responses: {
        200: { description: "The card.", schema: Card },
        304: { description: "It has not changed." },
      },
    }),
  ];
}
