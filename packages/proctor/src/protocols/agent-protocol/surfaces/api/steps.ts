// Document 003, "Steps API". What a step may become is decided where the task's log is written, not here.
import { canonicalJson } from "../../../../core/canonical-json.ts";
import { ProctorError } from "../../../../core/errors.ts";
import { uuidV7 } from "../../../../core/id.ts";
import type { Json, JsonObject } from "../../../../core/json.ts";
import type { Hub } from "../../../../core/ports/hub.ts";
import { isClientRun, type Run } from "../../../../core/run.ts";
import { STEP_STATUSES, type Step, type StepStatus } from "../../../../core/step.ts";
import { readBody } from "../shared/read-body.ts";
import { readPage } from "../shared/read-page.ts";
import { artifactsById, stepDocument } from "../shared/step-document.ts";
import { unknownFields, withWarnings } from "../shared/warnings.ts";
import { readKey, stepIdOf } from "./idempotency.ts";
import { optionalBoolean, optionalObject, optionalText, wrongField } from "./read-fields.ts";
import { json, listPage } from "./respond.ts";
import type { Api, Handler } from "./context.ts";
import { PAGE_NAMES } from "./tasks.ts";

const MAX_NAME_CHARS = 1000;

export const listSteps: Handler = async (api, { task, query }) => {
  const page = readPage(query(), PAGE_NAMES);
  const { run, steps } = await api.hub.steps(task);
  const artifacts = artifactsById(run.artifacts);
  return listPage("steps", steps, page, (step) => stepDocument(task, step, artifacts, api.uriOf));
};

export const createStep: Handler = async (api, { task, request }) => {
  const body = await readBody(request);
  const name = optionalText(body, "name", MAX_NAME_CHARS);
  const additionalInput = optionalObject(body, "additional_input") ?? {};
  const input = body["input"] ?? null;
  const key = readKey(request);
  await refuseAgentsTask(api.hub, task);
  const id = key === undefined ? uuidV7() : stepIdOf(task, key);
  const { run, steps } = await api.hub.tell(task, (before) => {
    const made = before.steps.find((step) => step.id === id);
    if (made) {
      refuseOther(made, { name, input, additionalInput });
      return [];
    }
    const title = name === undefined || name === "" ? `Step ${before.steps.length + 1}` : name;
    const payload = { step_id: id, name: title, input, additional_input: additionalInput };
    return [{ type: "step.added", payload }];
  });
  const warnings = unknownFields(body, ["name", "input", "additional_input"]);
  return json(withWarnings(show(api, run, steps, id), warnings), 201, {
    location: `/api/tasks/${task}/steps/${id}`,
  });
};

export const getStep: Handler = async (api, { task, step }) => {
  const { run, steps } = await api.hub.steps(task);
  return json(show(api, run, steps, step));
};

export const changeStep: Handler = async (api, { task, step, request }) => {
  const body = await readBody(request);
  const changes = readChanges(body);
  await refuseAgentsStep(api.hub, task, step);
  const { run, steps } = await api.hub.tell(task, () =>
    Object.keys(changes).length === 0
      ? []
      : [{ type: "step.changed", payload: { step_id: step, ...changes } }],
  );
  const warnings = unknownFields(body, ["status", "output", "additional_output", "is_last"]);
  return json(withWarnings(show(api, run, steps, step), warnings));
};

/** The key was used for a step that asks for something else. */
function refuseOther(
  made: Step,
  asked: { name: string | undefined; input: Json; additionalInput: JsonObject },
): void {
  const same =
    (asked.name === undefined || asked.name === "" || asked.name === made.name) &&
    canonicalJson(asked.input) === canonicalJson(made.input) &&
    canonicalJson(asked.additionalInput) === canonicalJson(made.additional_input);
  if (same) return;
  throw new ProctorError(
    "IDEMPOTENCY_CONFLICT",
    "this Idempotency-Key was used for another step of this task",
  );
}

/** Throws STEP_NOT_FOUND: a step of another task is none of this one. */
export function findStep(run: Run, steps: readonly Step[], id: string): Step {
  const step = steps.find((candidate) => candidate.id === id);
  if (step) return step;
  throw new ProctorError("STEP_NOT_FOUND", `task ${run.id} has no step ${id}`);
}

function show({ uriOf }: Api, run: Run, steps: readonly Step[], id: string): object {
  return stepDocument(run.id, findStep(run, steps, id), artifactsById(run.artifacts), uriOf);
}

function readChanges(body: JsonObject): {
  status?: StepStatus;
  output?: Json;
  additional_output?: JsonObject;
  is_last?: boolean;
} {
  const { status, output } = body;
  if (status !== undefined && status !== null && !isStepStatus(status))
    throw wrongField("status", `must be one of ${STEP_STATUSES.join(", ")}`);
  const additional = optionalObject(body, "additional_output");
  const isLast = optionalBoolean(body, "is_last");
  return {
    ...(isStepStatus(status) && { status }),
    ...(output !== undefined && { output }),
    ...(additional && { additional_output: additional }),
    ...(isLast !== undefined && { is_last: isLast }),
  };
}

function isStepStatus(value: unknown): value is StepStatus {
  return (STEP_STATUSES as readonly unknown[]).includes(value);
}

/** Steps of a task that an agent does appear by themselves. */
async function refuseAgentsTask(hub: Hub, task: string): Promise<void> {
  const run = await hub.run(task);
  if (isClientRun(run)) return;
  throw new ProctorError(
    "ILLEGAL_TRANSITION",
    `${run.agent} does task ${task}: its steps appear by themselves, and none can be added`,
    { details: { task_id: task, agent: run.agent } },
  );
}

/** A step of another task is not found before anything else is said about it. */
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
