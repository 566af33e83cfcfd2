// What the hub says on /ws beside the tasks' events.
import type { ErrorCode } from "../../../../core/errors.ts";
import type { JsonObject } from "../../../../core/json.ts";

export type ServerFrame =
  | { type: "connected" | "pong" }
  | { type: "subscribed"; agentId: string; task_id: string; seq?: number }
  | { type: "unsubscribed"; agentId: string; task_id: string }
  | { type: "error"; error: string; code: ErrorCode; message: string; task_id?: string };

export function encodeServerFrame(frame: ServerFrame): string {
  const stamped: JsonObject = { ...frame, timestamp: new Date().toISOString() };
  return JSON.stringify(stamped);
}

/** The short word of an error frame, as in answers over HTTP. */
const ERROR_WORDS: Partial<Record<ErrorCode, string>> = {
  INVALID_REQUEST: "Bad Request",
  TASK_NOT_FOUND: "Not Found",
};

export function errorFrame(code: ErrorCode, message: string, taskId?: string): string {
  const error = ERROR_WORDS[code] ?? "Internal Server Error";
  return encodeServerFrame({
    type: "error",
    error,
    code,
    message,
    ...(taskId !== undefined && { task_id: taskId }),
  });
}
