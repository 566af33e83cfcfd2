// A task as the agent function sees it.
import type { JsonObject } from "../protocol/json.ts";
import type { AtpRequest, Constraints, ExpectedArtifact } from "../protocol/messages.ts";
import type { Emit } from "./emitter.ts";
import { createTools, type Tools } from "./tools.ts";

export interface Task {
  readonly id: string;
  readonly description: string;
  /** The `task.input_data` of the request; empty when there is none. */
  readonly input: JsonObject;
  readonly expectedArtifacts: readonly ExpectedArtifact[];
  readonly constraints: Readonly<Constraints>;
  /** Path of the folder to work in; undefined when the request names none. */
  readonly workspace: string | undefined;
  /** The `context.environment` of the request. It holds secrets: its values are replaced in everything that is sent. */
  readonly env: Readonly<Record<string, string>>;
  readonly metadata: JsonObject;
  /** Aborts when the task is cancelled or its time is up. */
  readonly signal: AbortSignal;
  readonly tools: Tools;
  /** The request as it arrived, including fields that this package does not know. */
  readonly request: AtpRequest;
}

export function createTask(request: AtpRequest, emit: Emit, signal: AbortSignal): Task {
  const { task, constraints = {}, context = {}, metadata = {} } = request;
  return {
    id: request.task_id,
    description: task.description,
    input: task.input_data ?? {},
    expectedArtifacts: (task.expected_artifacts ?? []).map((expected) =>
      typeof expected === "string" ? { name: expected } : expected,
    ),
    constraints,
    workspace: context.workspace_path,
    env: context.environment ?? {},
    metadata,
    signal,
    tools: createTools(request, emit, signal),
    request,
  };
}
