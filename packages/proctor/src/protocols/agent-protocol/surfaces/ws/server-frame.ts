// What the hub sends on /ws beside the tasks' events.
import { z } from "zod";
import type { ErrorCode } from "../../../../core/errors.ts";
import type { JsonObject } from "../../../../core/json.ts";
import { ApiEvent } from "../api/schemas.ts";
import { time } from "../shared/schemas.ts";

type ServerFrame =
  | { type: "connected" | "pong" }
  | { type: "subscribed"; agentId: string; task_id: string; seq?: number }
  | { type: "unsubscribed"; agentId: string; task_id: string }
  | { type: "error"; error: string; code: ErrorCode; message: string; task_id?: string };

const Subscribed = z
  .strictObject({
    type: z.enum(["subscribed", "unsubscribed"]).meta({ id: "WsSubscription" }),
    agentId: z.string(),
    task_id: z.string(),
    seq: z.int().optional().describe("Of the last event that there was."),
    timestamp: time,
  })
  .meta({ id: "WsSubscribed" });
const Sign = z
  .strictObject({ type: z.enum(["connected", "pong"]).meta({ id: "WsSignType" }), timestamp: time })
  .meta({ id: "WsSign" });
const Refusal = z
  .strictObject({
    type: z.literal("error"),
    error: z.string(),
    code: z.string(),
    message: z.string(),
    task_id: z.string().optional(),
    timestamp: time,
  })
  .meta({ id: "WsError" });

/** Every frame that a client may receive. */
export const ServerFrames = z.union([ApiEvent, Subscribed, Sign, Refusal]);

export function encodeServerFrame(frame: ServerFrame): string {
  const stamped: JsonObject = { ...frame, timestamp: new Date().toISOString() };
  return JSON.stringify(stamped);
}

/** Short word of an error frame, as in answers over HTTP. */
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
