// Refusals in the form that both task APIs share: `{error, code, message, details?}`, in the words of tasks. Clients of these APIs
// know no runs and no events of a log. Document 003 has all fields but `code`.
import { ProctorError, type ErrorCode } from "../../core/errors.ts";
import { isJsonObject, type Json, type JsonObject } from "../../core/json.ts";
import { isTerminal, RUN_STATUSES, type RunStatus } from "../../core/run.ts";
import { errorDocument, errorHeaders, jsonResponse } from "../../runtime/http/respond.ts";
import { taskStatus } from "./surfaces/shared/task-status.ts";

/** `status` replaces the catalogue's where a surface has another. An error of the hub itself is thrown on: the hub answers and logs it. */
export function refuse(
  thrown: unknown,
  headers: Readonly<Record<string, string>> = {},
  status?: number,
): Response {
  if (!ProctorError.is(thrown) || thrown.status >= 500) throw thrown;
  const shown = status ?? thrown.status;
  const body = errorDocument(taskError(thrown), shown);
  return jsonResponse(body, shown, { ...errorHeaders(thrown), ...headers });
}

/** Returns the same error in the words of tasks; its message is one line. */
export function taskError(error: ProctorError): ProctorError {
  const { details } = error;
  const code: ErrorCode = error.code === "RUN_NOT_FOUND" ? "TASK_NOT_FOUND" : error.code;
  const message = (refusedEvent(details) ?? error.message)
    .replace("there is no run", "there is no task")
    .replaceAll(/\brun (?=[0-9a-f]{8}-)/g, "task ")
    .replaceAll(/\s*\n\s*/g, "; ");
  const shown = isJsonObject(details) ? taskDetails(details) : details;
  return new ProctorError(code, message, { ...(shown !== undefined && { details: shown }) });
}

function taskDetails(details: JsonObject): Json {
  const { run_id, event: _, status, ...rest } = details;
  return {
    ...(run_id !== undefined && { task_id: run_id }),
    ...(status !== undefined && { status: isRunStatus(status) ? taskStatus(status) : status }),
    ...rest,
  };
}

/** Describes the refused event: the state machine names it, but a client needs to know what cannot be done, and why. */
function refusedEvent(details: Json | undefined): string | undefined {
  if (!isJsonObject(details)) return undefined;
  const { run_id: id, status, event: refused } = details;
  const event = typeof refused === "string" ? (WISHES[refused] ?? refused) : undefined;
  if (typeof id !== "string" || event === undefined || !isRunStatus(status)) return undefined;
  const what = ACTIONS[event];
  if (what === undefined) return undefined;
  if (event === "run.paused" && status === "paused") return `task ${id} is already paused`;
  if (event === "run.resumed" && status === "running") return `task ${id} is not paused`;
  if (status === "paused") return `task ${id} is paused: ${what} until it is resumed`;
  if (isTerminal(status)) return `task ${id} has ended and is ${taskStatus(status)}: ${what} any more`;
  return `task ${id} is ${status === "created" ? "not started" : taskStatus(status)}: ${what}`;
}

/** Requests on an agent's task, and the change that its owner then makes. */
const WISHES: Readonly<Record<string, string>> = {
  "run.pause_requested": "run.paused",
  "run.resume_requested": "run.resumed",
};

const ACTIONS: Readonly<Record<string, string>> = {
  "run.paused": "it cannot be paused",
  "run.resumed": "it cannot be resumed",
  "step.added": "no step can be added",
  "step.changed": "no step can be changed",
  "artifact.added": "no file can be added",
};

function isRunStatus(value: unknown): value is RunStatus {
  return (RUN_STATUSES as readonly unknown[]).includes(value);
}
