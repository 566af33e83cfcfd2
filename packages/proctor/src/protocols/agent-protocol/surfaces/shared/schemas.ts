// Schemas and descriptions that both task APIs share. Requests are read by them, answers are held to them in tests, and the OpenAPI
// document shows them.
import { z } from "zod";
import type { Json, JsonObject } from "../../../../core/json.ts";
import type { RouteCall, RouteDescription } from "../../../../runtime/http/route.ts";
import { TASK_STATUSES } from "./task-status.ts";

export const time = z.string().meta({ format: "date-time" });

// Values of these schemas were parsed from JSON, or will be written as JSON.
export const anyJson = z.unknown() as unknown as z.ZodType<Json>;
export const object = z.record(z.string(), z.unknown()) as unknown as z.ZodType<JsonObject>;

export const TaskStatus = z.enum(TASK_STATUSES).meta({ id: "TaskStatus" });

export const CollectFiles = z.union([z.boolean(), z.array(z.string().min(1).max(1000)).max(100)]);

/** Each API gives it a name of its own, which generated clients know. */
export const Reason = z.looseObject({ reason: z.string().max(1000).nullish() });

/** A relative path with `/` between names, or nothing; `..` is refused as well. */
export const RelativePath = z
  .string()
  .max(1024)
  .meta({ pattern: "^([^/\\\\\\x00-\\x1f\\x7f][^\\\\\\x00-\\x1f\\x7f]*)?$" })
  .optional();

/** Each API gives it a name of its own, which generated clients know. */
export const Upload = z.strictObject({
  file: z.string().meta({ format: "binary", description: "At most 50 MB." }),
  relative_path: RelativePath.describe("Shown; never a place on disk."),
});

const REFUSALS = {
  400: "The request is malformed; the message says where.",
  404: "There is no such task, step or artifact.",
  409: "What it asks for is not possible in the state that the task or the step is in.",
  413: "The body is too large; nothing is kept of it.",
  415: "The body has another content type than this takes.",
  422: "The request is malformed; the message says where.",
};

export function refusals(...statuses: (keyof typeof REFUSALS)[]): RouteDescription["responses"] {
  return Object.fromEntries(statuses.map((status) => [status, { description: REFUSALS[status] }]));
}

/** Returns the ids that the path of a request names; empty where it names none. */
export function idsOf({ params }: RouteCall): { task: string; step: string; artifact: string } {
  const { task_id: task = "", step_id: step = "", artifact_id: artifact = "" } = params;
  return { task, step, artifact };
}

export function queryOf({ request }: RouteCall): URLSearchParams {
  const at = request.url.indexOf("?");
  return new URLSearchParams(at === -1 ? "" : request.url.slice(at));
}
