// Official tasks: list, create, get, and what the hub adds: cancel and delete. Creating one starts nothing: its files come first,
// then its first step.
import type { z } from "zod";
import { isJsonObject, type JsonObject } from "../../../../core/json.ts";
import type { ClientRunRequest, RunRequest } from "../../../../core/ports/hub.ts";
import { idempotencyHeader, readIdempotencyKey } from "../../../../runtime/http/idempotency-key.ts";
import { emptyResponse, jsonResponse } from "../../../../runtime/http/respond.ts";
import { OPERATOR } from "../../../../core/caller.ts";
import { requireProgramsForName } from "../../../../core/require-programs.ts";
import { originWithin } from "../../../../core/trace.ts";
import type { Route, RouteCall } from "../../../../runtime/http/route.ts";
import { checkClientEnvironment } from "../../../client-environment.ts";
import { cancelTask } from "../shared/cancel-task.ts";
import { collectOptions } from "../shared/collect-options.ts";
import { readFields, wrongField } from "../shared/read-fields.ts";
import { readPage } from "../shared/read-page.ts";
import { idsOf, queryOf, refusals } from "../shared/schemas.ts";
import { TAG, TASKS, type Official } from "./context.ts";
import { officialTask, ORIGIN } from "./documents.ts";
import { PAGE_NAMES, pagination } from "./respond.ts";
import { NewTask, OfficialReason, PageQuery, Task, TaskPage } from "./schemas.ts";

/** The description of a task without input, because every run needs one. */
const NO_INPUT = "(no input)";

export function taskRoutes(official: Official): Route[] {
  const { hub } = official;
  return [
    {
      id: "listAgentTasks",
      method: "GET",
      path: TASKS,
      scope: "runs:read",
      tag: TAG,
      summary: "List tasks",
      query: PageQuery,
      responses: { 200: { description: "One page, newest first.", schema: TaskPage }, ...refusals(422) },
      async handle(call) {
        const page = readPage(queryOf(call), PAGE_NAMES);
        const { agent } = call.params;
        const { items, total } = await hub.runsPage({ ...page, ...(agent !== undefined && { agent }) });
        return jsonResponse({ tasks: items.map(officialTask), pagination: pagination(total, page) });
      },
    },
    {
      id: "createAgentTask",
      method: "POST",
      path: TASKS,
      scope: "runs:write",
      tag: TAG,
      summary: "Create a task",
      description: "Starts nothing: upload its files, then ask for its first step.",
      headers: idempotencyHeader("task"),
      body: {
        schema: NewTask,
        required: false,
        example: { input: "Write the words you receive to a file." },
      },
      responses: {
        200: { description: "The task.", schema: Task },
        404: { description: "There is no such agent." },
        409: { description: "The key was used with another body." },
        ...refusals(413, 415, 422),
      },
      handle: (call) => createTask(official, call),
    },
    {
      id: "getAgentTask",
      method: "GET",
      path: `${TASKS}/{task_id}`,
      scope: "runs:read",
      tag: TAG,
      summary: "Get a task",
      responses: { 200: { description: "The task.", schema: Task }, ...refusals(404) },
      handle: async (call) => jsonResponse(officialTask(await hub.run(idsOf(call).task))),
    },
    {
      id: "deleteAgentTask",
      method: "DELETE",
      path: `${TASKS}/{task_id}`,
      scope: "runs:write",
      tag: TAG,
      summary: "Delete a task",
      description: "Not in the official protocol. Cancels it first; steps, artifacts and bytes go with it.",
      responses: { 204: { description: "It is gone." }, ...refusals(404) },
      async handle(call) {
        await hub.remove(idsOf(call).task);
        return emptyResponse(204);
      },
    },
    {
      id: "cancelAgentTask",
      method: "POST",
      path: `${TASKS}/{task_id}/cancel`,
      scope: "runs:write",
      tag: TAG,
      summary: "Cancel a task",
      description:
        "Not in the official protocol. Answers when the agent has stopped; repeated, it changes nothing.",
      body: { schema: OfficialReason, required: false, example: { reason: "out of time" } },
      responses: {
        200: { description: "The task.", schema: Task },
        409: { description: "It has completed or failed." },
        ...refusals(404, 413, 415, 422),
      },
      async handle(call) {
        const { reason } = await readFields(call.request, OfficialReason);
        return jsonResponse(
          officialTask(await cancelTask(official, idsOf(call).task, reason, call.request.signal)),
        );
      },
    },
  ];
}

async function createTask(official: Official, call: RouteCall): Promise<Response> {
  const { hub } = official;
  const { request, traceId, caller = OPERATOR } = call;
  const fields = await readFields(request, NewTask);
  const asked = fields.additional_input?.agent;
  if (asked != null) requireProgramsForName(caller, asked);
  const agent = agentOf(official, call.params["agent"], fields);
  const task = runRequest(fields);
  const key = readIdempotencyKey(request);
  const origin = originWithin(traceId, request.headers.get("traceparent"));
  const options = { ...origin, ...(key !== undefined && { idempotencyKey: key }) };
  if (agent === undefined) return jsonResponse(officialTask((await hub.openClientRun(task, options)).run));
  const wanted = forAgent(official, fields);
  await checkClientEnvironment(hub, agent, wanted.context?.environment);
  const { run } = await hub.prepare({ ...task, ...wanted, agent }, options);
  return jsonResponse(officialTask(run));
}

type Fields = z.infer<typeof NewTask>;

/** Returns the agent that the path names, or `additional_input.agent` (null for the client itself), or the hub's configuration. */
function agentOf(
  { defaultAgent }: Official,
  named: string | undefined,
  { additional_input: additional }: Fields,
): Official["defaultAgent"] {
  const asked = additional?.agent;
  if (asked === undefined) return named ?? defaultAgent;
  if (named !== undefined && asked !== named)
    throw wrongField("additional_input.agent", `is not "${named}", which the path names`);
  return asked ?? undefined;
}

function forAgent({ collectFiles }: Official, fields: Fields): Pick<RunRequest, "context" | "options"> {
  const environment = environmentOf(additionalOf(fields));
  const workspace = collectOptions(fields.additional_input?.collect_files, collectFiles);
  return {
    ...(environment && { context: { environment } }),
    // A question is a step that waits for its input, so clients here can be asked.
    options: { conversation: {}, ...(workspace && { workspace }) },
  };
}

function runRequest(fields: Fields): ClientRunRequest {
  const { input } = fields;
  const additional = additionalOf(fields);
  const { constraints } = additional ?? {};
  return {
    task: {
      description: input == null || input === "" ? NO_INPUT : input,
      ...(additional && { input_data: withoutSecrets(additional) }),
    },
    ...(isJsonObject(constraints) && { constraints }),
    metadata: {
      [ORIGIN]: {
        surface: "official",
        ...(input == null && { input: null }),
        ...(fields.additional_input?.hold === true && { hold: true }),
      },
    },
  };
}

/** Returns the client's own fields, which were parsed from JSON. */
function additionalOf({ additional_input: additional }: Fields): JsonObject | undefined {
  return (additional ?? undefined) as JsonObject | undefined;
}

/** Reads document 000's place for secrets, which Proctor's driver fills. They go to the agent and are stored nowhere else. */
function environmentOf(additional: JsonObject | undefined): Record<string, string> | undefined {
  const context = additional?.["context"];
  if (!isJsonObject(context) || !isJsonObject(context["environment"])) return undefined;
  const entries = Object.entries(context["environment"]);
  const texts = entries.filter((entry): entry is [string, string] => typeof entry[1] === "string");
  if (texts.length < entries.length)
    throw wrongField("additional_input.context.environment", "must hold only texts");
  return Object.fromEntries(texts);
}

function withoutSecrets(additional: JsonObject): JsonObject {
  const { context } = additional;
  if (!isJsonObject(context) || !isJsonObject(context["environment"])) return additional;
  const masked = Object.fromEntries(Object.keys(context["environment"]).map((name) => [name, "***"]));
  return { ...additional, context: { ...context, environment: masked } };
}
