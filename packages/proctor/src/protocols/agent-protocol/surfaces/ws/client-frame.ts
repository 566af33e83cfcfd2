// What a client may send on /ws, read without trust: docs/reference/agent-protocol-ws.md, "What a client sends".
import * as z from "zod";
import { ProctorError } from "../../../../core/errors.ts";
import { parseJson } from "../../../../core/parse-json.ts";

export type ClientFrame =
  | { kind: "subscribe"; task: string; since: number | undefined }
  | { kind: "unsubscribe"; task: string }
  | { kind: "ping" }
  | { kind: "pong" }
  | { kind: "malformed"; message: string };

/** Stands for all tasks in place of one. */
export const ALL_TASKS = "*";
export const MAX_FRAME_CHARS = 4096;

const MAX_ID_CHARS = 256;
const id = z.string().min(1).max(MAX_ID_CHARS);
const named = {
  agentId: id.optional().describe("The task; `*` for all of them."),
  task_id: id.optional().describe("The same as `agentId`."),
};

export const ClientFrames = z.discriminatedUnion("type", [
  z
    .looseObject({
      type: z.literal("subscribe"),
      ...named,
      since: z.int().min(-1).nullish().describe("`seq` of the last event that the client has."),
    })
    .meta({ id: "WsSubscribe" }),
  z.looseObject({ type: z.literal("unsubscribe"), ...named }).meta({ id: "WsUnsubscribe" }),
  z.looseObject({ type: z.literal("ping") }).meta({ id: "WsPing" }),
  z.looseObject({ type: z.literal("pong") }).meta({ id: "WsPong" }),
]);

export function readClientFrame(text: string): ClientFrame {
  if (text.length > MAX_FRAME_CHARS) return malformed(`a frame has at most ${MAX_FRAME_CHARS} characters`);
  let value: unknown;
  try {
    value = parseJson(text, "the frame");
  } catch (error) {
    if (!ProctorError.is(error)) throw error;
    return malformed(error.message);
  }
  const read = ClientFrames.safeParse(value);
  if (!read.success) return malformed(describe(read.error));
  const frame = read.data;
  if (frame.type === "ping" || frame.type === "pong") return { kind: frame.type };
  const { agentId, task_id: taskId } = frame;
  const task = taskId ?? agentId;
  if (task === undefined) return malformed('name a task with "agentId" or "task_id", or "*" for all of them');
  if (agentId !== undefined && agentId !== task) return malformed("agentId and task_id name two tasks");
  if (frame.type === "unsubscribe") return { kind: "unsubscribe", task };
  const since = frame.since ?? undefined;
  if (task === ALL_TASKS && since !== undefined) {
    return malformed('"since" counts within one task\nsubscribe to that task, too');
  }
  return { kind: "subscribe", task, since };
}

function malformed(message: string): ClientFrame {
  return { kind: "malformed", message };
}

/** Names fields and rules only: nothing that the client sent is repeated. */
function describe(error: z.ZodError): string {
  const [issue] = error.issues;
  if (issue === undefined || issue.path.length === 0) return "a frame is a JSON object with a type";
  if (issue.path[0] === "type") return '"type" is one of subscribe, unsubscribe, ping, pong';
  return `"${String(issue.path[0])}" is wrong: ${issue.path[0] === "since" ? "an integer from -1 on" : `a text of 1 to ${MAX_ID_CHARS} characters`}`;
}
