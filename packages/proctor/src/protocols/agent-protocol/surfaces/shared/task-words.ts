// Refusals in the words of tasks: clients of these APIs know no runs, and no events of a log.
import type { ErrorCode, ProctorError } from "../../../../core/errors.ts";
import { isJsonObject, type Json, type JsonObject } from "../../../../core/json.ts";
import { isTerminal, RUN_STATUSES, type RunStatus } from "../../../../core/run.ts";
import { taskStatus } from "./task-status.ts";

export interface TaskRefusal {
  code: ErrorCode;
  /** One line. */
  message: string;
  details: Json | undefined;
}

export function taskWords(error: ProctorError): TaskRefusal {
  const { code, details } = error;
  const message = (refusedEvent(details) ?? error.message)
    .replace("there is no run", "there is no task")
    .replaceAll(/\brun (?=[0-9a-f]{8}-)/g, "task ")
    .replaceAll(/\s*\n\s*/g, "; ");
  return {
    code: code === "RUN_NOT_FOUND" ? "TASK_NOT_FOUND" : code,
    message,
    details: isJsonObject(details) ? taskDetails(details) : details,
  };
}

function taskDetails(details: JsonObject): Json {
  const { run_id, event: _, status, ...rest } = details;
  return {
    ...(run_id !== undefined && { task_id: run_id }),
    ...(status !== undefined && { status: isRunStatus(status) ? taskStatus(status) : status }),
    ...rest,
  };
}

/** The machine says which event it does not take; a client wants to know what cannot be done, and why. */
function refusedEvent(details: Json | undefined): string | undefined {
  if (!isJsonObject(details)) return undefined;
  const { run_id: id, status, event } = details;
  if (typeof id !== "string" || typeof event !== "string" || !isRunStatus(status)) return undefined;
  const what = ACTIONS[event];
  if (what === undefined) return undefined;
  if (event === "run.paused" && status === "paused") return `task ${id} is already paused`;
  if (event === "run.resumed" && status === "running") return `task ${id} is not paused`;
  if (status === "paused") return `task ${id} is paused: ${what} until it is resumed`;
  if (isTerminal(status)) return `task ${id} has ended and is ${taskStatus(status)}: ${what} any more`;
  return `task ${id} is ${status === "created" ? "not started" : taskStatus(status)}: ${what}`;
}

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
