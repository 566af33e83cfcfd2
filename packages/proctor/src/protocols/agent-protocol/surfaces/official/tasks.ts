// Official tasks: list, create, get, and what the hub adds: cancel and delete. To create one starts nothing: its files come first,
// then its first step.
import { ProctorError } from "../../../../core/errors.ts";
import { isJsonObject, type JsonObject } from "../../../../core/json.ts";
import type { ClientRunRequest, RunRequest } from "../../../../core/ports/hub.ts";
import { cancelTask as cancel, readReason } from "../shared/cancel-task.ts";
import { readCollectFiles } from "../shared/collect-files.ts";
import { checkClientEnvironment } from "../../../client-environment.ts";
import { readBody } from "../shared/read-body.ts";
import { readPage } from "../shared/read-page.ts";
import { officialTask, ORIGIN } from "./documents.ts";
import { json, PAGE_NAMES, pagination } from "./respond.ts";
import type { Handler, Official } from "./context.ts";

/** What a task without input is called: every task has a description. */
const NO_INPUT = "(no input)";
const MAX_KEY_CHARS = 255;

export const listTasks: Handler = async ({ hub }, { query, agent }) => {
  const page = readPage(query, PAGE_NAMES);
  const { items, total } = await hub.runsPage({ ...page, ...(agent !== undefined && { agent }) });
  return json({ tasks: items.map(officialTask), pagination: pagination(total, page) });
};

export const createTask: Handler = async (official, { request, traceId, agent: named }) => {
  const { hub, collectFiles } = official;
  const body = await readBody(request);
  const agent = readAgent(official, named, body);
  const task = readTask(body);
  const key = request.headers.get("idempotency-key");
  if (key !== null && (key === "" || key.length > MAX_KEY_CHARS))
    throw wrongField("Idempotency-Key", `must have 1 to ${MAX_KEY_CHARS} characters`);
  const options = { traceId, ...(key !== null && { idempotencyKey: key }) };
  if (agent === undefined) return json(officialTask((await hub.openClientRun(task, options)).run));
  const asked = forAgent(body, collectFiles);
  await checkClientEnvironment(hub, agent, asked.context?.environment);
  const { run } = await hub.prepare({ ...task, ...asked, agent }, options);
  return json(officialTask(run));
};

export const getTask: Handler = async ({ hub }, { task }) => json(officialTask(await hub.run(task)));

export const cancelTask: Handler = async (official, { task, request }) => {
  const reason = readReason(await readBody(request));
  return json(officialTask(await cancel(official, task, reason, request.signal)));
};

export const deleteTask: Handler = async ({ hub }, { task }) => {
  await hub.remove(task);
  return new Response(null, { status: 204, headers: { "cache-control": "no-store" } });
};

/** By the path, by `additional_input.agent` (null: the client itself), or by the hub's configuration. */
function readAgent(
  { defaultAgent }: Official,
  named: string | undefined,
  body: JsonObject,
): Official["defaultAgent"] {
  const { agent: asked } = readAdditional(body) ?? {};
  if (asked === undefined) return named ?? defaultAgent;
  if (asked !== null && (typeof asked !== "string" || asked === ""))
    throw wrongField("additional_input.agent", "must be the name or the address of an agent, or null");
  if (named !== undefined && asked !== named)
    throw wrongField("additional_input.agent", `is not "${named}", which the path names`);
  return asked ?? undefined;
}

function forAgent(body: JsonObject, collectFiles: boolean): Pick<RunRequest, "context" | "options"> {
  const additional = readAdditional(body);
  const environment = environmentOf(additional);
  const collect = additional?.["collect_files"];
  const workspace = readCollectFiles(collect, collectFiles, "additional_input.collect_files");
  return { ...(environment && { context: { environment } }), ...(workspace && { options: { workspace } }) };
}

function readTask(body: JsonObject): ClientRunRequest {
  const { input = null } = body;
  if (input !== null && typeof input !== "string") throw wrongField("input", "must be a text or null");
  const additional = readAdditional(body);
  const { constraints } = additional ?? {};
  return {
    task: {
      description: input === null || input === "" ? NO_INPUT : input,
      ...(additional && { input_data: withoutSecrets(additional) }),
    },
    ...(isJsonObject(constraints) && { constraints }),
    metadata: { [ORIGIN]: { surface: "official", ...(input === null && { input }) } },
  };
}

export function readAdditional(body: JsonObject): JsonObject | undefined {
  const { additional_input: additional = null } = body;
  if (additional === null) return undefined;
  if (!isJsonObject(additional)) throw wrongField("additional_input", "must be an object");
  return additional;
}

/** Document 000's place for secrets, which our own driver fills. They go to the agent and are stored nowhere else. */
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

export function wrongField(name: string, what: string): ProctorError {
  const message = `${name} ${what}`;
  return new ProctorError("INVALID_REQUEST", message, { details: [{ path: name, message }] });
}
