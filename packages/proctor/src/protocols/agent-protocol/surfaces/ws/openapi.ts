// What `/openapi.json` and `/docs` say about `/ws`, as far as OpenAPI can describe a WebSocket.
import { z } from "zod";
import { ApiEvent } from "../api/openapi-schemas.ts";
import type { SurfaceDescription } from "../../../../runtime/http/route.ts";

const TAG = "Task API, live";

const named = {
  agentId: z.string().optional().describe("The task; `*` for all of them."),
  task_id: z.string().optional().describe("The same as `agentId`."),
};
const timestamp = z.string().meta({ format: "date-time" });

const Subscribe = z
  .looseObject({
    type: z.literal("subscribe"),
    ...named,
    since: z.int().min(-1).optional().describe("`seq` of the last event that the client has."),
  })
  .meta({ id: "WsSubscribe" });
const Unsubscribe = z.looseObject({ type: z.literal("unsubscribe"), ...named }).meta({ id: "WsUnsubscribe" });
const Ping = z.looseObject({ type: z.literal("ping") }).meta({ id: "WsPing" });

const Subscribed = z
  .strictObject({
    type: z.enum(["subscribed", "unsubscribed"]).meta({ id: "WsSubscription" }),
    agentId: z.string(),
    task_id: z.string(),
    seq: z.int().optional().describe("Of the last event that there was."),
    timestamp,
  })
  .meta({ id: "WsSubscribed" });
const Sign = z
  .strictObject({ type: z.enum(["connected", "pong"]).meta({ id: "WsSignType" }), timestamp })
  .meta({ id: "WsSign" });
const Refusal = z
  .strictObject({
    type: z.literal("error"),
    error: z.string(),
    code: z.string(),
    message: z.string(),
    task_id: z.string().optional(),
    timestamp,
  })
  .meta({ id: "WsError" });

export function describeWs(): SurfaceDescription {
  return {
    tags: { [TAG]: "What happens to tasks, told as it happens." },
    routes: [
      {
        id: "connectTaskEvents",
        method: "GET",
        path: "/ws",
        tag: TAG,
        summary: "Hear the events of tasks over a WebSocket",
        description:
          "One JSON object per text frame. Subscribe to a task, or to `*`, and every event of it is told. A browser sends its token as `access_token`.",
        query: z.strictObject({ access_token: z.string().optional().describe("The bearer token.") }),
        responses: {
          101: { description: "It is a WebSocket from here on." },
          426: { description: "The request does not ask for a WebSocket." },
        },
        socket: {
          sends: z.union([Subscribe, Unsubscribe, Ping]),
          hears: z.union([ApiEvent, Subscribed, Sign, Refusal]),
        },
      },
    ],
  };
}
