// The schemas that ATP's routes are described with. They are the strict ones: what clients should send, and what they get.
import { z } from "zod";
import type { ResponseDescription } from "../../runtime/http/route.ts";
import { ATP_JSON, PLAIN_JSON } from "./http/media.ts";
import { atpEvent, atpRequest, atpResponse } from "./wire.ts";

export const ATP_TAG = "ATP";
export const JSON_TYPES = [PLAIN_JSON, ATP_JSON];

export const AtpRequestBody = atpRequest
  .extend({ version: z.string().meta({ pattern: "^1\\.[0-9]+$" }) })
  .meta({ id: "AtpRequest", description: "A task for an agent." });
export const AtpResponseBody = atpResponse.meta({
  id: "AtpResponse",
  description: "How a task ended. A task that failed is an answer like any other.",
});
const AtpRefusal = atpResponse.extend({ task_id: z.string() }).meta({
  id: "AtpRefusal",
  description: "Why there is no task. Its `task_id` is the one that was sent, whatever that is.",
});
export const AtpEventBody = atpEvent.meta({
  id: "AtpEvent",
  description: "One thing that happened in a task.",
});

export const AtpCancel = z
  .looseObject({ type: z.literal("cancel"), task_id: z.string(), reason: z.string().optional() })
  .meta({ id: "AtpCancel", description: "Stop this task." });
export const AtpResume = z
  .looseObject({ type: z.literal("resume"), task_id: z.string(), after: z.int().min(-1).optional() })
  .meta({ id: "AtpResume", description: "Go on telling this task's events after this one." });

export const DisconnectQuery = z.strictObject({
  on_disconnect: z
    .enum(["cancel", "keep"])
    .meta({ id: "AtpOnDisconnect" })
    .optional()
    .describe("What becomes of the task when the client leaves; `cancel` when absent."),
});

export const REQUEST_HEADERS = { "ATP-On-Disconnect": "The same as `on_disconnect`, and stronger." };
export const RUN_HEADER = { "X-Proctor-Run": "The id of the run that the task is." };

export const EXAMPLE_REQUEST = {
  version: "1.0",
  task_id: "01890000-0000-7000-8000-000000000000",
  task: { description: "Summarise report.txt in three sentences." },
};

const refusal = (description: string): ResponseDescription => ({
  description,
  schema: AtpRefusal,
  types: JSON_TYPES,
});
export const REFUSALS = {
  400: refusal("The request is malformed; the error says where."),
  404: refusal("There is no agent of this name, or no such task to go on with."),
  406: refusal("`Accept` names no type that there is."),
  409: refusal("This task is there already, with another request."),
  413: refusal("The body is larger than 10 MB."),
  415: refusal("The body is not JSON."),
  503: refusal("The hub is stopping, or cannot take the task now."),
};
