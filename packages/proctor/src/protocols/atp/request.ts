// An ATP request as a client sends it → what the hub is asked. Accepts the compat profile; what departs from document 000
// is a violation, what cannot be understood or may not be passed on is a problem at its place.
import { describeIssues } from "../../core/describe-issues.ts";
import type { Violation } from "../../core/event.ts";
import type { Json, JsonObject } from "../../core/json.ts";
import { MAX_JSON_DEPTH } from "../../core/json-depth.ts";
import type { RunRequest } from "../../core/ports/hub.ts";
import type { RequestProblem } from "../../core/request-problems.ts";
import type { Constraints, ExpectedArtifact, Task } from "../../core/task.ts";
import { conversationIn } from "./conversation.ts";
import { isValueTooDeep } from "../../core/json-value-depth.ts";
import { schemaViolations } from "../schema-violations.ts";
import { unsupportedVersion } from "./violations.ts";
import { compatRequest, type CompatRequest } from "./wire-compat.ts";
import { atpRequest } from "./wire.ts";

export type DecodedRequest =
  | {
      ok: true;
      /** The task's id as the client sent it, echoed in every message. */
      taskId: string;
      version: string;
      request: Pick<RunRequest, "task" | "constraints" | "context" | "metadata" | "conversation_id">;
      /** Unknown fields of the message itself; those of its parts stay in them. */
      extensions: JsonObject;
      violations: Violation[];
    }
  | { ok: false; problems: RequestProblem[]; taskId?: string };

const MAX_ECHOED_CHARS = 128;

export function decodeRequest(wire: Json): DecodedRequest {
  if (isValueTooDeep(wire))
    return refuse(wire, [{ path: "", message: `nested deeper than ${MAX_JSON_DEPTH}` }]);
  const parsed = compatRequest.safeParse(wire);
  if (!parsed.success) {
    return refuse(wire, describeIssues(parsed.error.issues, wire));
  }
  const { version, task_id, task, constraints, context, metadata, ...extensions } = parsed.data;
  const unsupported = unsupportedVersion(version);
  if (unsupported !== undefined)
    return refuse(wire, [{ path: "version", message: `version: ${unsupported}` }]);
  const strict = atpRequest.safeParse(wire);
  const conversation = conversationIn(metadata);
  return {
    ok: true,
    taskId: task_id,
    version,
    request: {
      task: decodeTask(task),
      ...(constraints && { constraints: decodeConstraints(constraints) }),
      ...(context && {
        context: withoutNulls(context, ["tools_endpoint", "workspace_path", "environment"]),
      }),
      ...(metadata && { metadata }),
      ...(conversation !== undefined && { conversation_id: conversation }),
    },
    // Parsed from JSON, like the whole.
    extensions: extensions as JsonObject,
    violations: strict.success ? [] : schemaViolations("atp.request", strict.error.issues, wire),
  };
}

function decodeTask(task: CompatRequest["task"]): Task {
  const { expected_artifacts, ...rest } = task;
  return {
    ...(withoutNulls(rest, ["input_data"]) as Task),
    ...(expected_artifacts && { expected_artifacts: expected_artifacts.map(decodeExpected) }),
  };
}

function decodeExpected(expected: string | object): ExpectedArtifact {
  if (typeof expected === "string") return { name: expected };
  return withoutNulls(expected, ["type", "format", "name"]);
}

/** `allowed_tools: null` stays: the document's table gives it a meaning. */
function decodeConstraints(constraints: object): Constraints {
  return withoutNulls(constraints, ["max_steps", "max_tokens", "timeout_seconds", "budget_usd"]);
}

/** Returns the optional fields that the schemas checked, where null means the same as absent. */
function withoutNulls(part: object, names: readonly string[]): JsonObject {
  return Object.fromEntries(
    Object.entries(part).filter(([name, value]) => value !== null || !names.includes(name)),
  );
}

/** Refuses a request and echoes the client's id even where it is wrong, so that the client knows which request was refused. */
function refuse(wire: Json, problems: RequestProblem[]): DecodedRequest {
  const id = typeof wire === "object" && wire !== null && !Array.isArray(wire) ? wire["task_id"] : undefined;
  const echoed = typeof id === "string" && id !== "" && id.length <= MAX_ECHOED_CHARS;
  return { ok: false, problems, ...(echoed && { taskId: id }) };
}
