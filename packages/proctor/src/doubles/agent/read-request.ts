// What a mock agent wants to know of an ATP request, read without trusting it.
import { isJsonObject } from "../../core/json.ts";
import { isTooDeep } from "../../core/json-depth.ts";

export interface AskedTask {
  taskId: string;
  description: string;
  /** Where the task's tools are, if that is on this machine: a mock asks nobody else. */
  endpoint: string | undefined;
}

export const MAX_REQUEST_BYTES = 10 * 1024 * 1024;

/** Undefined for what is no request. */
export function readRequest(text: string): AskedTask | undefined {
  if (isTooDeep(text)) return undefined;
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isJsonObject(body)) return undefined;
  const { task_id: taskId, task, context } = body;
  if (typeof taskId !== "string" || taskId === "" || !isJsonObject(task)) return undefined;
  const { description } = task;
  if (typeof description !== "string") return undefined;
  const endpoint = isJsonObject(context) ? context["tools_endpoint"] : undefined;
  return { taskId, description, endpoint: isHere(endpoint) ? endpoint : undefined };
}

const HERE = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;

function isHere(endpoint: unknown): endpoint is string {
  return typeof endpoint === "string" && URL.canParse(endpoint) && HERE.test(new URL(endpoint).hostname);
}
