// What one frame of a client asks: docs/reference/atp.md, "WebSocket".
import { ProctorError } from "../../../core/errors.ts";
import { isJsonObject, type Json } from "../../../core/json.ts";
import { isTooDeep, MAX_JSON_DEPTH } from "../../../core/json-depth.ts";
import { inexactProblem } from "../../../core/json-numbers.ts";
import { taskIdOf } from "../execution.ts";

export type ClientFrame =
  /** Any frame without another type; whether it is a request shows when it is started. */
  | { kind: "request"; taskId: string | undefined; body: Json }
  | { kind: "cancel"; taskId: string; reason: string | undefined }
  | { kind: "resume"; taskId: string; after: number }
  | { kind: "malformed"; taskId: string | undefined; error: ProctorError };

export function readClientFrame(text: string): ClientFrame {
  if (isTooDeep(text)) return malformed(undefined, `the frame is nested deeper than ${MAX_JSON_DEPTH}`);
  let body: Json;
  try {
    body = JSON.parse(text) as Json;
  } catch {
    return malformed(undefined, "the frame is not valid JSON");
  }
  if (!isJsonObject(body)) return malformed(undefined, "the frame is not a JSON object");
  const taskId = taskIdOf(body);
  const inexact = inexactProblem(text);
  if (inexact !== undefined) return malformed(taskId, inexact);
  const { type } = body;
  if (type === undefined || "task" in body) return { kind: "request", taskId, body };
  if (type !== "cancel" && type !== "resume") {
    return malformed(taskId, 'type: must be "cancel" or "resume", or absent for a request');
  }
  if (taskId === undefined) return malformed(undefined, "task_id: names the task, at most 200 characters");
  if (type === "cancel") {
    const { reason } = body;
    return {
      kind: "cancel",
      taskId,
      reason: typeof reason === "string" && reason !== "" ? reason : undefined,
    };
  }
  const { after = -1 } = body;
  if (typeof after !== "number" || !Number.isInteger(after) || after < -1) {
    return malformed(taskId, "after: must be the sequence of an event, or -1");
  }
  return { kind: "resume", taskId, after };
}

function malformed(taskId: string | undefined, message: string): ClientFrame {
  return { kind: "malformed", taskId, error: new ProctorError("INVALID_REQUEST", message) };
}
