// Document 003, "Tasks API": list, create, get, delete.
import type { JsonObject } from "../../../../core/json.ts";
import type { ClientRunRequest } from "../../../../core/ports/hub.ts";
import type { WebhookOptions } from "../../../../core/run-options.ts";
import type { TaskOptions } from "../../../protocol.ts";
import { readCollectFiles } from "../shared/collect-files.ts";
import { readBody } from "../shared/read-body.ts";
import { readPage } from "../shared/read-page.ts";
import { createdAgent, detailedTask, taskDocument } from "../shared/task-document.ts";
import { unknownFields, unknownNames, withWarnings } from "../shared/warnings.ts";
import { openWorkspace, workspaceDocument } from "./open-workspace.ts";
import { readKey } from "./idempotency.ts";
import { optionalBoolean, optionalObject, optionalText, wrongField } from "./read-fields.ts";
import { json, noContent, pagination } from "./respond.ts";
import type { Api, Handler } from "./context.ts";
import { findTasks, isFilter, readFilter } from "./task-filter.ts";

export const PAGE_NAMES = { page: ["page"], size: ["pageSize"], defaultSize: 20 };
const MAX_AGENT_CHARS = 10_000;
const MAX_WORKSPACE_CHARS = 4096;

/** Of the body of a new task. */
const FIELDS = [
  "task",
  "workspace",
  "agent",
  "additional_input",
  "constraints",
  "metadata",
  "collect_files",
  "start",
  "webhook",
];

export const listTasks: Handler = async ({ hub }, { query: read }) => {
  const query = read();
  const page = readPage(query, PAGE_NAMES);
  const { items, total } = await findTasks(hub, readFilter(query), page);
  const others = new Set(Array.from(query.keys()).filter((name) => !isFilter(name)));
  const warnings = unknownNames(others, ["page", "pageSize", "status", "agent", "metadata.<name>"]);
  const list = { tasks: items.map((run) => taskDocument(run)), pagination: pagination(total, page) };
  return json(withWarnings(list, warnings));
};

export const createTask: Handler = async (api, { request, traceId }) => {
  const { hub } = api;
  const body = await readBody(request);
  const agent = readAgent(api, body);
  const starts = optionalBoolean(body, "start") ?? true;
  if (!starts && agent === undefined)
    throw wrongField("start", "is for tasks with an agent: a client's own has begun when it is created");
  const task = await readTask(api, body, agent !== undefined);
  const key = readKey(request);
  const options = { traceId, ...(key !== undefined && { idempotencyKey: key }) };
  const { run } =
    agent === undefined
      ? await hub.openClientRun(task, options)
      : await (starts ? hub.submit({ ...task, agent }, options) : hub.prepare({ ...task, agent }, options));
  const answer = withWarnings({ agent: createdAgent(run) }, unknownFields(body, FIELDS));
  return json(answer, 200, { location: `/api/tasks/${run.id}` });
};

export const getTask: Handler = async ({ hub, workspacesRoot, exposeUri }, { task }) => {
  const { run, steps } = await hub.steps(task);
  const { workspace_path: path } = run.context;
  const workspaces = path === undefined ? [] : [workspaceDocument(workspacesRoot, path, exposeUri)];
  return json(detailedTask(run, steps, workspaces));
};

export const deleteTask: Handler = async ({ hub }, { task }) => {
  await hub.remove(task);
  return noContent();
};

/** The agent it is to run on; undefined where the client does the work, which it may also ask for with `null`. */
function readAgent({ defaultAgent }: Api, body: JsonObject): TaskOptions["defaultAgent"] {
  if (body["agent"] === null) return undefined;
  const agent = optionalText(body, "agent", MAX_AGENT_CHARS) ?? defaultAgent;
  if (agent === "") throw wrongField("agent", "must be the name or the address of an agent");
  return agent;
}

async function readTask(
  { workspacesRoot, collectFiles }: Api,
  body: JsonObject,
  byAgent: boolean,
): Promise<ClientRunRequest> {
  const { task: description } = body;
  if (typeof description !== "string" || description.trim() === "")
    throw wrongField("task", "is missing\nsend what is to be done as a text");
  const input = optionalObject(body, "additional_input");
  const workspace = optionalText(body, "workspace", MAX_WORKSPACE_CHARS);
  const webhook = optionalObject(body, "webhook");
  const constraints = optionalObject(body, "constraints");
  const metadata = optionalObject(body, "metadata");
  const collect = readCollectFiles(body["collect_files"], collectFiles);
  const options = {
    ...(collect && byAgent && { workspace: collect }),
    // The hub checks it.
    ...(webhook && { webhook: webhook as WebhookOptions }),
  };
  return {
    task: { description, ...(input && { input_data: input }) },
    ...(constraints && { constraints }),
    ...(metadata && { metadata }),
    ...(Object.keys(options).length > 0 && { options }),
    ...(workspace !== undefined && {
      context: { workspace_path: await openWorkspace(workspacesRoot, workspace) },
    }),
  };
}
