// What `/openapi.json` and `/docs` say about `/api`.
import type {
  ResponseDescription,
  RouteDescription,
  SurfaceDescription,
} from "../../../runtime/http/route.ts";
import {
  ApiArtifact,
  ApiArtifactPage,
  ApiCreatedTask,
  ApiDetailedTask,
  ApiEvent,
  ApiNewStep,
  ApiNewTask,
  ApiStep,
  ApiStepChanges,
  ApiStepPage,
  ApiTaskPage,
  ApiTaskState,
  ApiUpload,
  EventsQuery,
  ApiReason,
  PageQuery,
  TasksQuery,
} from "./openapi-schemas.ts";

const TASKS = "Task API";
const STEPS = "Task API, steps";
const ARTIFACTS = "Task API, artifacts";

const REFUSALS: Readonly<Record<number, ResponseDescription>> = {
  400: { description: "The request is malformed; the message says where." },
  404: { description: "There is no such task, step or artifact." },
  409: { description: "What it asks for is not possible in the state that the task or the step is in." },
  413: { description: "The body is too large; nothing is kept of it." },
  415: { description: "The body has another content type than this takes." },
};

const task = "/api/tasks/{task_id}";
const step = `${task}/steps/{step_id}`;
const artifact = `${step}/artifacts/{artifact_id}`;

const TASK_ROUTES: RouteDescription[] = [
  {
    id: "listTasks",
    method: "GET",
    path: "/api/tasks",
    tag: TASKS,
    summary: "List tasks",
    description: "Newest first. `metadata.<name>=<value>` in the query: those whose metadata has it.",
    query: TasksQuery,
    responses: { 200: { description: "One page.", schema: ApiTaskPage }, ...refusals(400) },
  },
  {
    id: "createTask",
    method: "POST",
    path: "/api/tasks",
    tag: TASKS,
    summary: "Create a task",
    description:
      "On disk before it is answered. With an agent, by the hub's configuration or by the body, the agent begins at once.",
    headers: {
      "Idempotency-Key": "1 to 255 characters: the same key with the same body answers with the same task.",
    },
    body: {
      schema: ApiNewTask,
      required: true,
      example: { task: "Create a report about sales data", workspace: "./workspace" },
    },
    responses: {
      200: {
        description: "The task.",
        schema: ApiCreatedTask,
        headers: { Location: "Where the task is." },
      },
      ...refusals(400, 404, 409, 413, 415),
    },
  },
  {
    id: "getTask",
    method: "GET",
    path: task,
    tag: TASKS,
    summary: "Get a task",
    responses: {
      200: { description: "With all that belongs to it.", schema: ApiDetailedTask },
      ...refusals(404),
    },
  },
  {
    id: "deleteTask",
    method: "DELETE",
    path: task,
    tag: TASKS,
    summary: "Delete a task",
    description: "Cancels it first. Steps, events, artifacts and their bytes go with it.",
    responses: { 204: { description: "It is gone." }, ...refusals(404) },
  },
  control(
    "start",
    "Start a task",
    "Of an agent, created with `start: false`. One that has begun stays as it is.",
  ),
  control("pause", "Pause a task", "No step begins until it is resumed; one that is running may end."),
  control("resume", "Resume a task", "Goes on with a task that is paused."),
  control(
    "cancel",
    "Cancel a task",
    "Stops the agent and fails the steps that are running; repeated, it changes nothing.",
    {
      202: { description: "The agent has been told and has not stopped yet.", schema: ApiTaskState },
      ...refusals(400, 413, 415),
    },
    { schema: ApiReason, required: false, example: { reason: "no longer needed" } },
  ),
  {
    id: "followTaskEvents",
    method: "GET",
    path: `${task}/events`,
    tag: TASKS,
    summary: "Follow a task's events",
    description: "Server-Sent Events, replayed from where the client was, until the task has ended.",
    query: EventsQuery,
    headers: { "Last-Event-ID": "`seq` of the last event that the client has; stronger than `since`." },
    responses: {
      200: { description: "The stream; each frame is one event.", frames: ApiEvent },
      204: { description: "The task has ended and the client has everything." },
      ...refusals(400, 404),
    },
  },
];

const STEP_ROUTES: RouteDescription[] = [
  {
    id: "listTaskSteps",
    method: "GET",
    path: `${task}/steps`,
    tag: STEPS,
    summary: "List a task's steps",
    query: PageQuery,
    responses: { 200: { description: "One page, in order.", schema: ApiStepPage }, ...refusals(400, 404) },
  },
  {
    id: "createTaskStep",
    method: "POST",
    path: `${task}/steps`,
    tag: STEPS,
    summary: "Add a step",
    headers: {
      "Idempotency-Key": "1 to 255 characters: the same key with the same body answers with the same step.",
    },
    body: {
      schema: ApiNewStep,
      required: false,
      example: { name: "Analyze sales data", input: { action: "analyze", dataset: "sales_2024.csv" } },
    },
    responses: {
      201: { description: "The step.", schema: ApiStep, headers: { Location: "Where the step is." } },
      ...refusals(400, 404, 409, 413, 415),
    },
  },
  {
    id: "getTaskStep",
    method: "GET",
    path: step,
    tag: STEPS,
    summary: "Get a step",
    responses: { 200: { description: "The step.", schema: ApiStep }, ...refusals(404) },
  },
  {
    id: "updateTaskStep",
    method: "PATCH",
    path: step,
    tag: STEPS,
    summary: "Change a step",
    description: "Times are set by the hub. A step that is over and `is_last` ends its task with it.",
    body: {
      schema: ApiStepChanges,
      required: false,
      example: { status: "completed", output: { summary: "Sales increased by 15%" }, is_last: true },
    },
    responses: {
      200: { description: "The step as it is now.", schema: ApiStep },
      ...refusals(400, 404, 409, 413, 415),
    },
  },
];

const ARTIFACT_ROUTES: RouteDescription[] = [
  {
    id: "listStepArtifacts",
    method: "GET",
    path: `${step}/artifacts`,
    tag: ARTIFACTS,
    summary: "List a step's artifacts",
    query: PageQuery,
    responses: { 200: { description: "One page.", schema: ApiArtifactPage }, ...refusals(400, 404) },
  },
  {
    id: "uploadStepArtifact",
    method: "POST",
    path: `${step}/artifacts`,
    tag: ARTIFACTS,
    summary: "Upload an artifact",
    description: "Also after the task's end.",
    form: { schema: ApiUpload, example: { file: "@report.pdf", relative_path: "reports/report.pdf" } },
    responses: {
      201: { description: "Its record.", schema: ApiArtifact, headers: { Location: "Where its record is." } },
      ...refusals(400, 404, 409, 413, 415),
    },
  },
  {
    id: "getStepArtifact",
    method: "GET",
    path: artifact,
    tag: ARTIFACTS,
    summary: "Get an artifact's record",
    responses: { 200: { description: "Its record.", schema: ApiArtifact }, ...refusals(404) },
  },
  {
    id: "downloadStepArtifact",
    method: "GET",
    path: `${artifact}/download`,
    tag: ARTIFACTS,
    summary: "Download an artifact",
    headers: {
      Range: "One range of bytes.",
      "If-None-Match": "The `ETag` of bytes that the client has.",
      "If-Range": "The `ETag` that the range belongs to.",
    },
    responses: {
      200: {
        description: "The bytes, with the artifact's own content type.",
        content: ["application/octet-stream", "*/*"],
      },
      206: { description: "The range that was asked for.", content: ["application/octet-stream", "*/*"] },
      304: { description: "The client has them." },
      416: { description: "The artifact has no such range." },
      ...refusals(404),
    },
  },
  {
    id: "deleteStepArtifact",
    method: "DELETE",
    path: artifact,
    tag: ARTIFACTS,
    summary: "Delete an artifact",
    description: "Its record and its bytes.",
    responses: { 204: { description: "It is gone." }, ...refusals(404) },
  },
];

export function describeApi(): SurfaceDescription {
  return {
    tags: {
      [TASKS]:
        "Tasks, steps and artifacts over plain HTTP. A task is a run. The same events are told on the WebSocket `/ws`.",
      [STEPS]:
        "What a task consists of: added by the client that does the work, or read from what an agent reports.",
      [ARTIFACTS]: "Files of a step, or of a task as a whole: what it was given, and what its agent made.",
    },
    routes: [...TASK_ROUTES, ...STEP_ROUTES, ...ARTIFACT_ROUTES, ...ARTIFACT_ROUTES.map(ofTask)],
  };
}

/** The same without a step, for all artifacts of a task; not in the document. */
function ofTask(route: RouteDescription): RouteDescription {
  const summary = route.summary
    .replace("a step's", "a task's")
    .replace(/an artifact(?!s)/, "an artifact of a task");
  const id = route.id.replace("StepArtifact", "TaskArtifact");
  return { ...route, id, path: route.path.replace("/steps/{step_id}", ""), summary };
}

function control(
  verb: string,
  summary: string,
  description: string,
  more: RouteDescription["responses"] = {},
  body?: RouteDescription["body"],
): RouteDescription {
  return {
    id: `${verb}Task`,
    method: "POST",
    path: `${task}/${verb}`,
    tag: TASKS,
    summary,
    description,
    ...(body && { body }),
    responses: {
      200: { description: "What it is now.", schema: ApiTaskState },
      ...more,
      ...refusals(404, 409),
    },
  };
}

function refusals(...statuses: (keyof typeof REFUSALS)[]): RouteDescription["responses"] {
  return Object.fromEntries(
    statuses.map((status) => [status, REFUSALS[status] ?? { description: "Refused." }]),
  );
}
