// Document 003, "Steps API". What a step may become is decided where the task's log is written, not here.
import { createHash } from "node:crypto";
import { canonicalJson } from "../../../../core/canonical-json.ts";
import { ProctorError } from "../../../../core/errors.ts";
import { uuidV7 } from "../../../../core/id.ts";
import type { Json, JsonObject } from "../../../../core/json.ts";
import type { Hub } from "../../../../core/ports/hub.ts";
import { isClientRun, type Run } from "../../../../core/run.ts";
import type { Step } from "../../../../core/step.ts";
import { idempotencyHeader, readIdempotencyKey } from "../../../../runtime/http/idempotency-key.ts";
import { jsonResponse } from "../../../../runtime/http/respond.ts";
import type { Route, RouteCall } from "../../../../runtime/http/route.ts";
import { readFields } from "../shared/read-fields.ts";
import { readPage } from "../shared/read-page.ts";
import { idsOf, queryOf, refusals } from "../shared/schemas.ts";
import { artifactsById, stepDocument } from "../shared/step-document.ts";
import { unknownFields, withWarnings } from "../shared/warnings.ts";
import { listPage, PAGE_NAMES, type Api } from "./context.ts";
import { ApiNewStep, ApiStep, ApiStepChanges, ApiStepPage, PageQuery } from "./schemas.ts";

export const STEPS_TAG = "Task API, steps";

const STEPS = "/api/tasks/{task_id}/steps";

export function stepRoutes(api: Api): Route[] {
  const { hub } = api;
  return [
    {
      id: "listTaskSteps",
      method: "GET",
      path: STEPS,
      scope: "runs:read",
      tag: STEPS_TAG,
      summary: "List a task's steps",
      query: PageQuery,
      responses: { 200: { description: "One page, in order.", schema: ApiStepPage }, ...refusals(400, 404) },
      async handle(call) {
        const page = readPage(queryOf(call), PAGE_NAMES);
        const { run, steps } = await hub.steps(idsOf(call).task);
        const artifacts = artifactsById(run.artifacts);
        return listPage("steps", steps, page, (step) => stepDocument(run.id, step, artifacts, api.uriOf));
      },
    },
    {
      id: "createTaskStep",
      method: "POST",
      path: STEPS,
      scope: "runs:write",
      tag: STEPS_TAG,
      summary: "Add a step",
      headers: idempotencyHeader("step"),
      body: {
        schema: ApiNewStep,
        required: false,
        example: { name: "Analyze sales data", input: { action: "analyze", dataset: "sales_2024.csv" } },
      },
      responses: {
        201: { description: "The step.", schema: ApiStep, headers: { Location: "Where the step is." } },
        ...refusals(400, 404, 409, 413, 415),
      },
      handle: (call) => createStep(api, call),
    },
    {
      id: "getTaskStep",
      method: "GET",
      path: `${STEPS}/{step_id}`,
      scope: "runs:read",
      tag: STEPS_TAG,
      summary: "Get a step",
      responses: { 200: { description: "The step.", schema: ApiStep }, ...refusals(404) },
      async handle(call) {
        const { task, step } = idsOf(call);
        const { run, steps } = await hub.steps(task);
        return jsonResponse(show(api, run, steps, step));
      },
    },
    {
      id: "updateTaskStep",
      method: "PATCH",
      path: `${STEPS}/{step_id}`,
      scope: "runs:write",
      tag: STEPS_TAG,
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
      handle: (call) => changeStep(api, call),
    },
  ];
}

async function createStep(api: Api, call: RouteCall): Promise<Response> {
  const { task } = idsOf(call);
  const fields = await readFields(call.request, ApiNewStep);
  const { name, input = null } = fields;
  const additionalInput = fields.additional_input ?? {};
  const key = readIdempotencyKey(call.request);
  await refuseAgentsTask(api.hub, task);
  const id = key === undefined ? uuidV7() : stepIdOf(task, key);
  const { run, steps } = await api.hub.tell(task, (before) => {
    const made = before.steps.find((step) => step.id === id);
    if (made) {
      refuseOther(made, { name, input, additionalInput });
      return [];
    }
    const title = name == null || name === "" ? `Step ${before.steps.length + 1}` : name;
    const payload = { step_id: id, name: title, input, additional_input: additionalInput };
    return [{ type: "step.added", payload }];
  });
  const answer = withWarnings(show(api, run, steps, id), unknownFields(fields, ApiNewStep));
  return jsonResponse(answer, 201, { location: `/api/tasks/${task}/steps/${id}` });
}

async function changeStep(api: Api, call: RouteCall): Promise<Response> {
  const { task, step } = idsOf(call);
  const fields = await readFields(call.request, ApiStepChanges);
  const { status, output, additional_output: additional, is_last: isLast } = fields;
  const changes = {
    ...(status != null && { status }),
    ...(output !== undefined && { output }),
    ...(additional && { additional_output: additional }),
    ...(isLast != null && { is_last: isLast }),
  };
  await refuseAgentsStep(api.hub, task, step);
  const { run, steps } = await api.hub.tell(task, () =>
    Object.keys(changes).length === 0
      ? []
      : [{ type: "step.changed", payload: { step_id: step, ...changes } }],
  );
  return jsonResponse(withWarnings(show(api, run, steps, step), unknownFields(fields, ApiStepChanges)));
}

/** Throws where the key was used for a step that asks for something else. */
function refuseOther(
  made: Step,
  asked: { name: string | null | undefined; input: Json; additionalInput: JsonObject },
): void {
  const same =
    (asked.name == null || asked.name === "" || asked.name === made.name) &&
    canonicalJson(asked.input) === canonicalJson(made.input) &&
    canonicalJson(asked.additionalInput) === canonicalJson(made.additional_input);
  if (same) return;
  throw new ProctorError(
    "IDEMPOTENCY_CONFLICT",
    "this Idempotency-Key was used for another step of this task",
  );
}

/** Throws STEP_NOT_FOUND, even for a step of another task. */
export function findStep(run: Run, steps: readonly Step[], id: string): Step {
  const step = steps.find((candidate) => candidate.id === id);
  if (step) return step;
  throw new ProctorError("STEP_NOT_FOUND", `task ${run.id} has no step ${id}`);
}

function show({ uriOf }: Api, run: Run, steps: readonly Step[], id: string): object {
  return stepDocument(run.id, findStep(run, steps, id), artifactsById(run.artifacts), uriOf);
}

/** Returns the same id for the same task and key: a step with it was made by this request. It is a UUID of version 8. */
function stepIdOf(task: string, key: string): string {
  const hex = createHash("sha256").update(`${task}\0${key}`).digest("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** Throws for a task that an agent works on, whose steps appear by themselves. */
async function refuseAgentsTask(hub: Hub, task: string): Promise<void> {
  const run = await hub.run(task);
  if (isClientRun(run)) return;
  throw new ProctorError(
    "ILLEGAL_TRANSITION",
    `${run.agent} does task ${task}: its steps appear by themselves, and none can be added`,
    { details: { task_id: task, agent: run.agent } },
  );
}

/** Throws STEP_NOT_FOUND for a step of another task before it says anything else about it. */
async function refuseAgentsStep(hub: Hub, task: string, id: string): Promise<void> {
  const { run, steps } = await hub.steps(task);
  const { owner } = findStep(run, steps, id);
  if (owner === "client") return;
  throw new ProctorError(
    "ILLEGAL_TRANSITION",
    `step ${id} belongs to ${run.agent}, which does the task: no client can change it`,
    { details: { task_id: task, step_id: id, owner } },
  );
}
