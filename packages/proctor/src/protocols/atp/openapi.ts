// What `/openapi.json` and `/docs` say about `/atp`. Its schemas are the strict ones: what clients should send, and what they get.
import { z } from "zod";
import type { ResponseDescription, RouteDescription, SurfaceDescription } from "../../runtime/http/route.ts";
import { ATP_JSON, PLAIN_JSON } from "./http/media.ts";
import { atpEvent, atpRequest, atpResponse } from "./wire.ts";

const TAG = "ATP";
const JSON_TYPES = [PLAIN_JSON, ATP_JSON];
const AGENT = "/atp/{agent}";

const AtpRequest = atpRequest
  .extend({ version: z.string().meta({ pattern: "^1\\.[0-9]+$" }) })
  .meta({ id: "AtpRequest", description: "A task for an agent." });
const AtpResponse = atpResponse.meta({
  id: "AtpResponse",
  description: "How a task ended. A task that failed is an answer like any other.",
});
const AtpRefusal = atpResponse.extend({ task_id: z.string() }).meta({
  id: "AtpRefusal",
  description: "Why there is no task. Its `task_id` is the one that was sent, whatever that is.",
});
const AtpEvent = atpEvent.meta({ id: "AtpEvent", description: "One thing that happened in a task." });

const AtpCancel = z
  .looseObject({ type: z.literal("cancel"), task_id: z.string(), reason: z.string().optional() })
  .meta({ id: "AtpCancel", description: "Stop this task." });
const AtpResume = z
  .looseObject({ type: z.literal("resume"), task_id: z.string(), after: z.int().min(-1).optional() })
  .meta({ id: "AtpResume", description: "Go on telling this task's events after this one." });

const DisconnectQuery = z.strictObject({
  on_disconnect: z
    .enum(["cancel", "keep"])
    .meta({ id: "AtpOnDisconnect" })
    .optional()
    .describe("What becomes of the task when the client leaves; `cancel` when absent."),
});

const HEADERS = { "ATP-On-Disconnect": "The same as `on_disconnect`, and stronger." };
const RUN_HEADER = { "X-Proctor-Run": "The id of the run that the task is." };

const EXAMPLE = {
  version: "1.0",
  task_id: "01890000-0000-7000-8000-000000000000",
  task: { description: "Summarise report.txt in three sentences." },
};

const refusal = (description: string): ResponseDescription => ({
  description,
  schema: AtpRefusal,
  types: JSON_TYPES,
});
const REFUSALS = {
  400: refusal("The request is malformed; the error says where."),
  404: refusal("There is no agent of this name, or no such task to go on with."),
  406: refusal("`Accept` names no type that there is."),
  409: refusal("This task is there already, with another request."),
  413: refusal("The body is larger than 10 MB."),
  415: refusal("The body is not JSON."),
  503: refusal("The hub is stopping, or cannot take the task now."),
};

const TYPES = `\`${PLAIN_JSON}\` and \`${ATP_JSON}\` are both spoken.`;

const ROUTES: RouteDescription[] = [
  {
    id: "executeAtpTask",
    method: "POST",
    path: `${AGENT}/execute`,
    tag: TAG,
    summary: "Have an agent do a task",
    description: `Answers when the task has ended. ${TYPES}`,
    query: DisconnectQuery,
    headers: HEADERS,
    body: { schema: AtpRequest, required: true, example: EXAMPLE },
    responses: {
      200: {
        description: "How it ended.",
        schema: AtpResponse,
        types: JSON_TYPES,
        headers: RUN_HEADER,
        example: {
          version: "1.0",
          task_id: EXAMPLE.task_id,
          status: "completed",
          artifacts: [{ type: "structured", name: "result", data: { output: "…" } }],
          metrics: { total_steps: 1, wall_time_seconds: 0.8 },
        },
      },
      ...REFUSALS,
    },
  },
  {
    id: "streamAtpTask",
    method: "POST",
    path: `${AGENT}/execute/stream`,
    tag: TAG,
    summary: "Have an agent do a task, and watch",
    description: `Frames named \`event\` hold an event, the last one, named \`response\`, the response. ${TYPES}`,
    query: DisconnectQuery,
    headers: {
      ...HEADERS,
      "Last-Event-ID": "Go on with an earlier request's task after this event, instead of starting one.",
    },
    body: { schema: AtpRequest, required: true, example: EXAMPLE },
    responses: {
      200: { description: "The stream.", frames: z.union([AtpEvent, AtpResponse]), headers: RUN_HEADER },
      ...REFUSALS,
    },
  },
  {
    id: "connectAtp",
    method: "GET",
    path: `${AGENT}/ws`,
    tag: TAG,
    summary: "Give an agent tasks over a WebSocket",
    description:
      "Subprotocol `atp.v1`, one JSON object per text frame, many tasks on one socket. A browser sends its token as `access_token`.",
    query: z.strictObject({ access_token: z.string().optional().describe("The bearer token.") }),
    responses: {
      101: { description: "It is a WebSocket from here on." },
      404: { description: "There is no agent of this name." },
      426: { description: "The request does not ask for a WebSocket." },
    },
    socket: {
      sends: z.union([AtpRequest, AtpCancel, AtpResume]),
      hears: z.union([AtpEvent, AtpResponse]),
    },
  },
];

export function describeAtp(): SurfaceDescription {
  return {
    tags: { [TAG]: "Agent Task Protocol: any agent that the hub knows, for clients that speak ATP." },
    routes: ROUTES,
  };
}
