// The documents of `/api` as schemas: requests are read by them, and answers are held to them in tests.
import { z } from "zod";
import { STEP_STATUSES } from "../../../../core/step.ts";
import { MAX_PAGE, MAX_PAGE_SIZE } from "../shared/read-page.ts";
import { anyJson, CollectFiles, object, Reason, TaskStatus, time, Upload } from "../shared/schemas.ts";
import { TASK_EVENT_TYPES, WEBHOOK_EVENTS } from "../shared/task-events.ts";
import { TASK_STATUSES } from "../shared/task-status.ts";

const StepStatus = z.enum(STEP_STATUSES).meta({ id: "ApiStepStatus" });
const EventType = z.enum(TASK_EVENT_TYPES).meta({ id: "ApiEventType" });
const StepOwner = z.enum(["client", "executor"]).meta({
  id: "ApiStepOwner",
  description: "`executor` for a step of an agent, which no client changes.",
});

export const PageQuery = z.strictObject({
  page: z.int().min(1).max(MAX_PAGE).optional().describe("From 1; past the end a page is empty."),
  pageSize: z.int().min(1).max(MAX_PAGE_SIZE).optional().describe("20 when absent."),
});

export const TasksQuery = PageQuery.extend({
  status: z
    .string()
    .optional()
    .describe(`One or more of ${TASK_STATUSES.join(", ")}, with commas.`),
  agent: z.string().optional().describe("Name or address of the agent that does them."),
});

export const ApiReason = Reason.meta({ id: "ApiReason" });
export const ApiUpload = Upload.meta({ id: "ApiUpload" });

export const EventsQuery = z.strictObject({
  since: z
    .int()
    .min(-1)
    .max(999_999_999_999_999)
    .optional()
    .describe("`seq` of the last event that the client has."),
});

const Pagination = z
  .strictObject({
    total: z.int().min(0),
    page: z.int().min(1),
    pageSize: z.int().min(1),
    totalPages: z.int().min(0),
  })
  .meta({ id: "ApiPagination" });

const BriefArtifact = z
  .strictObject({ artifact_id: z.string(), file_name: z.string(), relative_path: z.string() })
  .meta({ id: "ApiBriefArtifact", description: "An artifact, as tasks list it." });

const uri = z
  .string()
  .nullable()
  .describe("Where its bytes stand; null when the hub does not say, or an agent made it.");

export const ApiArtifact = z
  .strictObject({
    ...BriefArtifact.shape,
    uri,
    mime_type: z.string().nullable(),
    size_bytes: z.int().min(0).nullable(),
    created_at: time.nullable(),
    agent_created: z.boolean().describe("False for what a client uploaded."),
  })
  .meta({ id: "ApiArtifact" });

const taskFields = {
  task_id: z.string(),
  input: z.string().describe("What is to be done."),
  additional_input: object,
  status: TaskStatus,
  created_at: time,
  modified_at: time,
  artifacts: z.array(BriefArtifact),
};

const ApiTask = z.strictObject(taskFields).meta({ id: "ApiTask" });

const agentFields = {
  id: z.string(),
  name: z.string().describe("The beginning of the task."),
  status: z.string().describe("In capitals; `ACTIVE` for running."),
  task: z.string(),
  createdAt: time,
};

const warnings = z
  .array(z.string())
  .optional()
  .describe("What of the request is not known and was ignored; absent when there is nothing.");

export const ApiCreatedTask = z
  .strictObject({ agent: z.strictObject(agentFields).describe("`id` is the task's."), warnings })
  .meta({ id: "ApiCreatedTask" });

const cycle = z.strictObject({
  id: z.string(),
  cycleNumber: z.int().min(1),
  name: z.string(),
  status: StepStatus,
  input: z.unknown(),
  output: z.unknown(),
  createdAt: time,
  startedAt: time.nullable(),
  completedAt: time.nullable(),
});

export const ApiDetailedTask = z
  .strictObject({
    ...taskFields,
    task: z.strictObject({
      ...agentFields,
      agent: z.string().nullable().describe("Who does it; null for the client itself."),
      metadata: object,
      constraints: object,
      updatedAt: time,
      metrics: object,
      failure: object.nullable(),
      stepCount: z.int().min(0),
      cycles: z.array(cycle).describe(`The newest ${MAX_PAGE_SIZE} steps.`),
      memories: z
        .array(z.strictObject({ id: z.string(), content: z.string(), createdAt: time }))
        .describe(`The newest ${MAX_PAGE_SIZE} thoughts that the agent told.`),
      workspaces: z.array(z.strictObject({ name: z.string(), path: z.string().optional() })),
    }),
  })
  .meta({ id: "ApiDetailedTask", description: "A task with everything that belongs to it." });

export const ApiTaskState = z
  .strictObject({ task_id: z.string(), status: TaskStatus })
  .meta({ id: "ApiTaskState" });

export const ApiStep = z
  .strictObject({
    step_id: z.string(),
    task_id: z.string(),
    name: z.string(),
    status: StepStatus,
    input: z.unknown().describe("Any JSON."),
    output: z.unknown().describe("Any JSON; null until there is one."),
    additional_input: object,
    additional_output: object,
    artifacts: z.array(z.strictObject({ ...BriefArtifact.shape, uri })),
    is_last: z.boolean(),
    created_at: time,
    started_at: time.nullable(),
    completed_at: time.nullable(),
    owner: StepOwner,
    warnings,
  })
  .meta({ id: "ApiStep" });

export const ApiEvent = z
  .strictObject({
    type: EventType,
    task_id: z.string(),
    step_id: z.string().optional(),
    artifact_id: z.string().optional(),
    data: z.unknown(),
    timestamp: time,
    seq: z.int().min(0).describe("Of one task from 0, without a gap; also the frame's `id`."),
  })
  .meta({ id: "ApiEvent", description: "What one frame of the event stream, and of `/ws`, holds." });

export const ApiTaskPage = page("tasks", ApiTask).extend({ warnings }).meta({ id: "ApiTaskPage" });
export const ApiStepPage = page("steps", ApiStep).meta({ id: "ApiStepPage" });
export const ApiArtifactPage = page("artifacts", ApiArtifact).meta({ id: "ApiArtifactPage" });

const WebhookEvent = z.enum(WEBHOOK_EVENTS).meta({ id: "ApiWebhookEvent" });

export const ApiNewTask = z
  .looseObject({
    task: z.string().min(1).max(10_000).regex(/\S/, "must say what is to be done"),
    workspace: z.string().max(4096).nullish().describe("A folder below the hub's root for workspaces."),
    additional_input: object.nullish().describe("Given to the agent as the task's input."),
    collect_files: CollectFiles.nullish().describe(
      "Which files that the agent makes or changes become artifacts: all, none, or by pattern.",
    ),
    webhook: z
      .strictObject({
        url: z.string().max(2000).meta({ format: "uri", pattern: "^https?://[^\\s/?#@]+([/?][^\\s#]*)?$" }),
        secret: z.string().min(1).max(1000).nullish(),
        events: z.array(WebhookEvent).min(1).nullish(),
      })
      .nullish()
      .describe("Where its events are sent by POST, signed with the secret."),
    agent: z
      .string()
      .min(1)
      .max(10_000)
      .nullish()
      .describe("Name or address; null when the client does the work."),
    constraints: object
      .nullish()
      .describe("Limits of an agent's work, named as in ATP: `timeout_seconds`, `max_tokens`, …"),
    metadata: object.nullish().describe("The client's own; lists can be filtered by it."),
    start: z
      .boolean()
      .nullish()
      .describe(
        "False: the task waits until it is started at `/start`, so that it can be given files first.",
      ),
  })
  .meta({ id: "ApiNewTask" });

export const ApiNewStep = z
  .looseObject({
    name: z.string().max(1000).nullish(),
    input: anyJson.optional(),
    additional_input: object.nullish(),
  })
  .meta({ id: "ApiNewStep" });

export const ApiStepChanges = z
  .looseObject({
    status: StepStatus.nullish(),
    output: anyJson.optional(),
    additional_output: object.nullish(),
    is_last: z.boolean().nullish(),
  })
  .meta({ id: "ApiStepChanges", description: "A field that is not sent stays as it is." });

function page(name: string, item: z.ZodType): z.ZodObject {
  return z.strictObject({ [name]: z.array(item), pagination: Pagination });
}
