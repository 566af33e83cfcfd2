// The payload of an `execute` as the request for a run.
import type { Envelope } from "../core/envelope.ts";
import { ProctorError } from "../core/errors.ts";
import { isJsonObject, type Json, type JsonObject } from "../core/json.ts";
import type { RunRequest } from "../core/ports/hub.ts";
import { requestProblems } from "../core/request-problems.ts";
import type { Context, Task } from "../core/task.ts";

/** What the run of an envelope says of it. */
export interface EnvelopeMark extends JsonObject {
  id: string;
  from: string;
  hops: number;
}

/**
 * Throws INVALID_REQUEST. A text is the task; an object has it as `task`, `description` or `text`. Whoever is asked as one who has a capability
 * is held to it.
 */
export function readExecute(agent: string, envelope: Envelope): RunRequest {
  const { payload, id, from, to, hops = 0 } = envelope;
  const [, capability] = /^capability:(.+)$/s.exec(to) ?? [];
  const said: JsonObject = isJsonObject(payload) ? payload : { task: payload };
  const { constraints, context, conversation } = said;
  const mark: EnvelopeMark = { id, from, hops };
  const request: RunRequest = {
    agent,
    task: readTask(said),
    ...(constraints !== undefined && { constraints: object(constraints, "constraints") }),
    ...(context !== undefined && { context: readContext(context) }),
    ...(capability !== undefined && { options: { capability } }),
    ...(conversation !== undefined && { conversation_id: text(conversation, "conversation") }),
    metadata: {
      ...(said["metadata"] !== undefined && object(said["metadata"], "metadata")),
      envelope: mark,
    },
  };
  const [problem] = requestProblems(request);
  if (problem) throw wrong(problem.path, problem.message);
  return request;
}

function readTask(said: JsonObject): Task {
  const { task = null } = said;
  const whole: JsonObject = isJsonObject(task) ? task : {};
  const description =
    whole["description"] ?? (isJsonObject(task) ? null : task) ?? said["description"] ?? said["text"];
  const input = whole["input_data"] ?? said["input_data"] ?? said["input"];
  return {
    ...whole,
    description: text(description ?? null, "task"),
    ...(input !== undefined && { input_data: isJsonObject(input) ? input : { input } }),
  };
}

/** Variables of programs are secrets, and an envelope is kept as it is. */
function readContext(value: Json): Context {
  const context = object(value, "context");
  if (context["environment"] === undefined) return context;
  throw wrong("context.environment", "cannot be given in an envelope, which is kept as it came");
}

function object(value: Json, path: string): JsonObject {
  if (isJsonObject(value)) return value;
  throw wrong(path, "must be an object");
}

function text(value: Json, path: string): string {
  if (typeof value === "string" && value !== "") return value;
  throw wrong(path, "must be a text");
}

function wrong(path: string, message: string): ProctorError {
  return new ProctorError("INVALID_REQUEST", `payload.${path} ${message}`, {
    details: [{ path: `payload.${path}`, message }],
  });
}
