// Document 003, "Tasks API": list, create, get, delete.
import type { z } from "zod";
import type { ClientRunRequest } from "../../../../core/ports/hub.ts";
import { idempotencyHeader, readIdempotencyKey } from "../../../../runtime/http/idempotency-key.ts";
import { emptyResponse, jsonResponse } from "../../../../runtime/http/respond.ts";
import { OPERATOR } from "../../../../core/caller.ts";
import { requireProgramsForName } from "../../../../core/require-programs.ts";
import { originWithin } from "../../../../core/trace.ts";
import type { Route, RouteCall } from "../../../../runtime/http/route.ts";
import type { TaskOptions } from "../../surface.ts";
import { collectOptions } from "../shared/collect-options.ts";
import { readFields, wrongField } from "../shared/read-fields.ts";
import { readPage } from "../shared/read-page.ts";
import { idsOf, queryOf, refusals } from "../shared/schemas.ts";
import { createdAgent, detailedTask, taskDocument } from "../shared/task-document.ts";
import { unknownFields, unknownNames, withWarnings } from "../shared/warnings.ts";
import { PAGE_NAMES, pagination, type Api } from "./context.ts";
import { openWorkspace, workspaceDocument } from "./open-workspace.ts";
import { ApiCreatedTask, ApiDetailedTask, ApiNewTask, ApiTaskPage, TasksQuery } from "./schemas.ts";
import { findTasks, isFilter, readFilter } from "./task-filter.ts";

export const TASKS_TAG = "Task API";

export function taskRoutes(api: Api): Route[] {
  const { hub } = api;
  return [
    {
      id: "listTasks",
      method: "GET",
      path: "/api/tasks",
      scope: "runs:read",
      tag: TASKS_TAG,
      summary: "List tasks",
      description: "Newest first. `metadata.<name>=<value>` in the query: those whose metadata has it.",
      query: TasksQuery,
      responses: { 200: { description: "One page.", schema: ApiTaskPage }, ...refusals(400) },
      async handle(call) {
        const query = queryOf(call);
        const page = readPage(query, PAGE_NAMES);
        const { items, total } = await findTasks(hub, readFilter(query), page);
        const others = new Set(Array.from(query.keys()).filter((name) => !isFilter(name)));
        const warnings = unknownNames(others, [...Object.keys(TasksQuery.shape), "metadata.<name>"]);
        const list = { tasks: items.map((run) => taskDocument(run)), pagination: pagination(total, page) };
        return jsonResponse(withWarnings(list, warnings));
      },
    },
    {
      id: "createTask",
      method: "POST",
      path: "/api/tasks",
      scope: "runs:write",
      tag: TASKS_TAG,
      summary: "Create a task",
      description:
        "On disk before it is answered. With an agent, by the hub's configuration or by the body, the agent begins at once.",
      headers: idempotencyHeader("task"),
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
      handle: (call) => createTask(api, call),
    },
    {
      id: "getTask",
      method: "GET",
      path: "/api/tasks/{task_id}",
      scope: "runs:read",
      tag: TASKS_TAG,
      summary: "Get a task",
      responses: {
        200: { description: "With all that belongs to it.", schema: ApiDetailedTask },
        ...refusals(404),
      },
      async handle(call) {
        const { run, steps } = await hub.steps(idsOf(call).task);
        const { workspace_path: path } = run.context;
        const { workspacesRoot, exposeUri } = api;
        const workspaces = path === undefined ? [] : [workspaceDocument(workspacesRoot, path, exposeUri)];
        return jsonResponse(detailedTask(run, steps, workspaces));
      },
    },
    {
      id: "deleteTask",
      method: "DELETE",
      path: "/api/tasks/{task_id}",
      scope: "runs:write",
      tag: TASKS_TAG,
      summary: "Delete a task",
      description: "Cancels it first. Steps, events, artifacts and their bytes go with it.",
      responses: { 204: { description: "It is gone." }, ...refusals(404) },
      async handle(call) {
        await hub.remove(idsOf(call).task);
        return emptyResponse(204);
      },
    },
  ];
}

type NewTask = z.infer<typeof ApiNewTask>;

async function createTask(api: Api, { request, traceId, caller = OPERATOR }: RouteCall): Promise<Response> {
  const { hub } = api;
  const fields = await readFields(request, ApiNewTask);
  if (fields.agent != null) requireProgramsForName(caller, fields.agent);
  const agent = agentOf(api, fields);
  const starts = fields.start ?? true;
  if (!starts && agent === undefined)
    throw wrongField("start", "is for tasks with an agent: a client's own has begun when it is created");
  const task = await runRequest(api, fields, agent !== undefined);
  const key = readIdempotencyKey(request);
  const origin = originWithin(traceId, request.headers.get("traceparent"));
  const options = { ...origin, ...(key !== undefined && { idempotencyKey: key }) };
  const { run } =
    agent === undefined
      ? await hub.openClientRun(task, options)
      : await (starts ? hub.submit({ ...task, agent }, options) : hub.prepare({ ...task, agent }, options));
  const answer = withWarnings({ agent: createdAgent(run) }, unknownFields(fields, ApiNewTask));
  return jsonResponse(answer, 200, { location: `/api/tasks/${run.id}` });
}

/** Returns the agent that the task runs on; undefined where the client does the work, which it may also ask for with `null`. */
function agentOf({ defaultAgent }: Api, { agent }: NewTask): TaskOptions["defaultAgent"] {
  return agent === null ? undefined : (agent ?? defaultAgent);
}

async function runRequest(api: Api, fields: NewTask, byAgent: boolean): Promise<ClientRunRequest> {
  const { task: description, additional_input: input, constraints, metadata, workspace, webhook } = fields;
  const collect = byAgent ? collectOptions(fields.collect_files, api.collectFiles) : undefined;
  const options = {
    ...(collect && { workspace: collect }),
    ...(webhook && {
      webhook: {
        url: webhook.url,
        ...(webhook.secret != null && { secret: webhook.secret }),
        ...(webhook.events != null && { events: webhook.events }),
      },
    }),
  };
  return {
    task: { description, ...(input && { input_data: input }) },
    ...(constraints && { constraints }),
    ...(metadata && { metadata }),
    ...(Object.keys(options).length > 0 && { options }),
    ...(workspace != null && {
      context: { workspace_path: await openWorkspace(api.workspacesRoot, workspace) },
    }),
  };
}
