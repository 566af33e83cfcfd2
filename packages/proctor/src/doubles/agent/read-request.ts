// What a mock agent wants to know of an ATP request, read without trusting it.
import { ProctorError } from "../../core/errors.ts";
import { isJsonObject, type Json } from "../../core/json.ts";

export interface AskedTask {
  taskId: string;
  description: string;
  /** Address of the task's tools; undefined unless they are on this machine, because a mock calls no others. */
  endpoint: string | undefined;
}

export const MAX_REQUEST_BYTES = 10 * 1024 * 1024;

/** Throws INVALID_REQUEST for what is not a request. */
export function readRequest(body: Json): AskedTask {
  const { task_id: taskId, task, context } = isJsonObject(body) ? body : {};
  const description = isJsonObject(task) ? task["description"] : undefined;
  if (typeof taskId !== "string" || taskId === "" || typeof description !== "string")
    throw new ProctorError("INVALID_REQUEST", "this is no ATP request");
  const endpoint = isJsonObject(context) ? context["tools_endpoint"] : undefined;
  return { taskId, description, endpoint: isHere(endpoint) ? endpoint : undefined };
}

const HERE = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;

function isHere(endpoint: unknown): endpoint is string {
  return typeof endpoint === "string" && URL.canParse(endpoint) && HERE.test(new URL(endpoint).hostname);
}
