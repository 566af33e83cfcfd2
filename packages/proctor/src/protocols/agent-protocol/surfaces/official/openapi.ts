// What `/openapi.json` and `/docs` say about `/ap/v1`. Its schemas are those of the official description, and the fields that the hub
// adds; answers are held to them in tests.
import { z } from "zod";
import { MAX_PAGE, MAX_PAGE_SIZE } from "../shared/read-page.ts";
import { RELATIVE_PATH, TaskStatus, UploadedFile } from "../shared/openapi-parts.ts";
import { MAX_WAIT_SECONDS } from "./steps.ts";
import type { RouteDescription, SurfaceDescription } from "../../../../runtime/http/route.ts";

const TAG = "Agent Protocol v1";
const time = z.string().meta({ format: "date-time" });
const object = z.record(z.string(), z.unknown());

const PageQuery = z.strictObject({
  current_page: z.int().min(1).max(MAX_PAGE).optional().describe("From 1. `page` means the same."),
  page_size: z
    .int()
    .min(1)
    .max(MAX_PAGE_SIZE)
    .optional()
    .describe("10 when absent. `pageSize` means the same."),
});

const StepQuery = z.strictObject({
  wait: z
    .union([z.boolean(), z.number().min(0).max(MAX_WAIT_SECONDS)])
    .optional()
    .describe(
      "Seconds that a step is waited for, 30 when absent; then it is answered as it is. 0 or false: at once.",
    ),
});

const UploadQuery = z.strictObject({
  relative_path: z
    .string()
    .max(1024)
    .meta({ pattern: RELATIVE_PATH })
    .optional()
    .describe("Instead of the field of the form."),
});

const Pagination = z
  .strictObject({
    total_items: z.int().min(0),
    total_pages: z.int().min(0),
    current_page: z.int().min(1),
    page_size: z.int().min(1),
  })
  .meta({ id: "OfficialPagination" });

const Artifact = z
  .strictObject({
    artifact_id: z.string(),
    agent_created: z.boolean().describe("False for what a client uploaded."),
    file_name: z.string(),
    relative_path: z.string().nullable().describe("The folder it is in; null at the top."),
    mime_type: z.string().nullable(),
    size_bytes: z.int().min(0).nullable(),
    created_at: time,
  })
  .meta({ id: "OfficialArtifact" });

const Task = z
  .strictObject({
    task_id: z.string(),
    input: z.string().nullable(),
    additional_input: object,
    artifacts: z.array(Artifact),
    status: TaskStatus,
    created_at: time,
    modified_at: time,
  })
  .meta({ id: "OfficialTask" });

const StepStatus = z
  .enum(["created", "running", "completed"])
  .meta({ id: "OfficialStepStatus", description: "Of a step that failed: `completed`." });

const Step = z
  .strictObject({
    task_id: z.string(),
    step_id: z.string(),
    name: z.string(),
    status: StepStatus,
    input: z.string().nullable(),
    additional_input: object.describe("`input` is the original, where that is no text."),
    output: z.string().nullable(),
    additional_output: object.describe(
      "`output` is the original, where that is no text; `error` of one that failed.",
    ),
    artifacts: z.array(Artifact),
    is_last: z.boolean(),
  })
  .meta({ id: "OfficialStep" });

const NewTask = z
  .looseObject({ input: z.string().nullish(), additional_input: object.nullish() })
  .meta({ id: "OfficialNewTask" });

const NewStep = z
  .looseObject({
    name: z.string().nullish(),
    input: z.string().nullish(),
    additional_input: object.nullish(),
  })
  .meta({ id: "OfficialNewStep" });

const Reason = z.looseObject({ reason: z.string().max(1000).nullish() }).meta({ id: "OfficialReason" });

const Upload = z
  .strictObject({
    file: UploadedFile,
    relative_path: z.string().max(1024).meta({ pattern: RELATIVE_PATH }).optional(),
  })
  .meta({ id: "OfficialUpload" });

const TaskPage = z
  .strictObject({ tasks: z.array(Task), pagination: Pagination })
  .meta({ id: "OfficialTaskPage" });
const StepPage = z
  .strictObject({ steps: z.array(Step), pagination: Pagination })
  .meta({ id: "OfficialStepPage" });
const ArtifactPage = z
  .strictObject({ artifacts: z.array(Artifact), pagination: Pagination })
  .meta({ id: "OfficialArtifactPage" });

const base = "/ap/v1/agent/tasks";
const task = `${base}/{task_id}`;

const NOT_FOUND = { 404: { description: "There is no such task, step or artifact." } };
const MALFORMED = { 422: { description: "The request is malformed; the message says where." } };
const BODY = {
  413: { description: "The body is too large; nothing is kept of it." },
  415: { description: "The body has another content type than this takes." },
};

const ROUTES: RouteDescription[] = [
  {
    id: "listAgentTasks",
    method: "GET",
    path: base,
    tag: TAG,
    summary: "List tasks",
    query: PageQuery,
    responses: { 200: { description: "One page, newest first.", schema: TaskPage }, ...MALFORMED },
  },
  {
    id: "createAgentTask",
    method: "POST",
    path: base,
    tag: TAG,
    summary: "Create a task",
    description: "Starts nothing: upload its files, then ask for its first step.",
    headers: {
      "Idempotency-Key": "1 to 255 characters: the same key with the same body answers with the same task.",
    },
    body: { schema: NewTask, required: false, example: { input: "Write the words you receive to a file." } },
    responses: {
      200: { description: "The task.", schema: Task },
      404: { description: "There is no such agent." },
      409: { description: "The key was used with another body." },
      ...BODY,
      ...MALFORMED,
    },
  },
  {
    id: "getAgentTask",
    method: "GET",
    path: task,
    tag: TAG,
    summary: "Get a task",
    responses: { 200: { description: "The task.", schema: Task }, ...NOT_FOUND },
  },
  {
    id: "deleteAgentTask",
    method: "DELETE",
    path: task,
    tag: TAG,
    summary: "Delete a task",
    description: "Not in the official protocol. Cancels it first; steps, artifacts and bytes go with it.",
    responses: { 204: { description: "It is gone." }, ...NOT_FOUND },
  },
  {
    id: "cancelAgentTask",
    method: "POST",
    path: `${task}/cancel`,
    tag: TAG,
    summary: "Cancel a task",
    description:
      "Not in the official protocol. Answers when the agent has stopped; repeated, it changes nothing.",
    body: { schema: Reason, required: false, example: { reason: "out of time" } },
    responses: {
      200: { description: "The task.", schema: Task },
      409: { description: "It has completed or failed." },
      ...NOT_FOUND,
      ...BODY,
      ...MALFORMED,
    },
  },
  {
    id: "listAgentTaskSteps",
    method: "GET",
    path: `${task}/steps`,
    tag: TAG,
    summary: "List a task's steps",
    query: PageQuery,
    responses: { 200: { description: "One page, in order.", schema: StepPage }, ...NOT_FOUND, ...MALFORMED },
  },
  {
    id: "executeAgentTaskStep",
    method: "POST",
    path: `${task}/steps`,
    tag: TAG,
    summary: "Execute the next step",
    description:
      "Answers when the step is over, or as it is after `wait` seconds. On a task that has ended: its last step again.",
    query: StepQuery,
    body: { schema: NewStep, required: false, example: { input: "Washington" } },
    responses: {
      200: { description: "The step.", schema: Step },
      409: { description: "The task takes no step now." },
      ...NOT_FOUND,
      ...BODY,
      ...MALFORMED,
    },
  },
  {
    id: "getAgentTaskStep",
    method: "GET",
    path: `${task}/steps/{step_id}`,
    tag: TAG,
    summary: "Get a step",
    responses: { 200: { description: "The step.", schema: Step }, ...NOT_FOUND },
  },
  {
    id: "listAgentTaskArtifacts",
    method: "GET",
    path: `${task}/artifacts`,
    tag: TAG,
    summary: "List a task's artifacts",
    query: PageQuery,
    responses: { 200: { description: "One page.", schema: ArtifactPage }, ...NOT_FOUND, ...MALFORMED },
  },
  {
    id: "uploadAgentTaskArtifacts",
    method: "POST",
    path: `${task}/artifacts`,
    tag: TAG,
    summary: "Upload an artifact",
    query: UploadQuery,
    form: { schema: Upload, example: { file: "@input.csv", relative_path: "data/input.csv" } },
    responses: {
      200: { description: "Its record.", schema: Artifact },
      409: { description: "The task takes no file now." },
      ...NOT_FOUND,
      ...BODY,
      ...MALFORMED,
    },
  },
  {
    id: "downloadAgentTaskArtifact",
    method: "GET",
    path: `${task}/artifacts/{artifact_id}`,
    tag: TAG,
    summary: "Download an artifact",
    responses: {
      200: { description: "The bytes.", content: ["application/octet-stream"] },
      ...NOT_FOUND,
    },
  },
  {
    id: "getHeartbeat",
    method: "GET",
    path: "/ap/v1/heartbeat",
    tag: TAG,
    summary: "Say whether it is there",
    description: "Asked by clients of AutoGPT's Forge.",
    responses: { 200: { description: "It is.", schema: z.strictObject({ status: z.literal("ok") }) } },
  },
];

export function describeOfficial(): SurfaceDescription {
  const about =
    "The official Agent Protocol: the same tasks, in its words. Everything is also below `/ap/{agent}/v1` and `/ap/{agent}/ap/v1`, for the tasks of one agent.";
  return { tags: { [TAG]: about }, routes: ROUTES };
}
