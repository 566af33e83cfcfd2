// The payload of an `execute` as the request for a run.
import type { Envelope } from "../core/envelope.ts";
import { describeIssues } from "../core/describe-issues.ts";
import { ProctorError } from "../core/errors.ts";
import { isJsonObject, type Json, type JsonObject } from "../core/json.ts";
import type { RunRequest } from "../core/ports/hub.ts";
import { requestProblems } from "../core/request-problems.ts";
import type { RunOptions } from "../core/run-options.ts";
import type { Context, Task } from "../core/task.ts";
import { executeOptions } from "../runtime/schemas/execute-options.ts";
import { envelopeSpanId } from "../runtime/span-ids.ts";

/** What a run's metadata records of its envelope. */
export interface EnvelopeMark extends JsonObject {
  id: string;
  from: string;
  hops: number;
  /** Id of the envelope's span, where the hub made it, and so exports it with the run. */
  span_id?: string;
  /** Id of the span that the envelope's stands below. */
  parent_span_id?: string;
}

/**
 * Throws INVALID_REQUEST. A text is the task; an object has it as `task`, `description` or `text`. Whoever is asked as one who has a capability
 * is held to it.
 */
export function readExecute(agent: string, envelope: Envelope): RunRequest {
  const { payload, id, from, to, hops = 0 } = envelope;
  const [, capability] = /^capability:(.+)$/s.exec(to) ?? [];
  const said: JsonObject = isJsonObject(payload) ? payload : { task: payload };
  const { constraints, context, conversation, options } = said;
  const mark: EnvelopeMark = { id, from, hops, ...spanOf(envelope) };
  const request: RunRequest = {
    agent,
    task: readTask(said),
    ...(constraints !== undefined && { constraints: object(constraints, "constraints") }),
    ...(context !== undefined && { context: readContext(context) }),
    ...((options !== undefined || capability !== undefined) && {
      options: {
        ...(options !== undefined && readOptions(options)),
        ...(capability !== undefined && { capability }),
      },
    }),
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

function spanOf({ from, id, trace }: Envelope): Pick<EnvelopeMark, "span_id" | "parent_span_id"> {
  const { spanId, parentId } = trace;
  if (spanId !== envelopeSpanId(from, id)) return {};
  return { span_id: spanId, ...(parentId !== undefined && { parent_span_id: parentId }) };
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

/** Refuses variables of programs: they are secrets, and an envelope is kept as it is. */
function readContext(value: Json): Context {
  const context = object(value, "context");
  if (context["environment"] === undefined) return context;
  throw wrong("context.environment", "cannot be given in an envelope, which is kept as it came");
}

function readOptions(value: Json): RunOptions {
  const read = executeOptions.safeParse(value);
  // The schema is RunOptions; JSON has no `undefined`, so no optional field holds one.
  if (read.success) return read.data as RunOptions;
  const [issue] = describeIssues(read.error.issues, value);
  throw wrong(["options", ...(issue?.path ? [issue.path] : [])].join("."), issue?.message ?? "are wrong");
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
