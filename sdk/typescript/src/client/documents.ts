// The documents of a hub's `/api`, as they travel.
import type { Json, JsonObject } from "../protocol/json.ts";

export type TaskStatus = "created" | "running" | "completed" | "failed" | "paused" | "cancelled";
export type StepStatus = "created" | "running" | "completed" | "failed";

export interface BriefArtifact {
  artifact_id: string;
  file_name: string;
  relative_path: string;
}

export interface ArtifactDocument extends BriefArtifact {
  uri: string | null;
  mime_type: string | null;
  size_bytes: number | null;
  created_at: string | null;
  /** Whether an agent created the artifact; false when a client uploaded it. */
  agent_created: boolean;
}

export interface TaskDocument {
  task_id: string;
  input: string;
  additional_input: JsonObject;
  status: TaskStatus;
  created_at: string;
  modified_at: string;
  artifacts: BriefArtifact[];
}

/** The answer to the creation of a task. `id` is the id of the task. */
export interface CreatedTask {
  id: string;
  name: string;
  status: string;
  task: string;
  createdAt: string;
}

export interface DetailedTask extends TaskDocument {
  task: CreatedTask & {
    /** Name or address of the agent that does the task; `client:` when the client does it itself. */
    agent: string;
    updatedAt: string;
    metrics: JsonObject;
    failure: { code: string; message: string; [name: string]: Json } | null;
    stepCount: number;
    /** The newest steps of the task, at most 200. */
    cycles: {
      id: string;
      cycleNumber: number;
      name: string;
      status: StepStatus;
      input: Json;
      output: Json;
      createdAt: string;
      startedAt: string | null;
      completedAt: string | null;
    }[];
    memories: { id: string; content: string; createdAt: string }[];
    workspaces: { name: string; path?: string }[];
  };
}

/** The answer to pause, resume and cancel. */
export interface TaskState {
  task_id: string;
  status: TaskStatus;
}

export interface StepDocument {
  step_id: string;
  task_id: string;
  name: string;
  status: StepStatus;
  input: Json;
  output: Json;
  additional_input: JsonObject;
  additional_output: JsonObject;
  artifacts: (BriefArtifact & { uri: string | null })[];
  is_last: boolean;
  created_at: string;
  started_at: string | null;
  completed_at: string | null;
  /** Who created the step. A step of an agent is owned by the `executor`, and no client can change it. */
  owner: "client" | "executor";
}

export interface Pagination {
  total: number;
  page: number;
  pageSize: number;
  totalPages: number;
}

export interface Page<T> {
  items: T[];
  pagination: Pagination;
}

export type TaskEventType =
  | "task.created"
  | "task.started"
  | "task.completed"
  | "task.failed"
  | "task.cancelled"
  | "task.paused"
  | "task.resumed"
  | "task.deleted"
  | "step.created"
  | "step.started"
  | "step.running"
  | "step.completed"
  | "step.failed"
  | "artifact.created"
  | "artifact.deleted"
  | "log";

interface EventOf<Type extends TaskEventType, Data> {
  type: Type;
  task_id: string;
  step_id?: string;
  artifact_id?: string;
  data: Data;
  timestamp: string;
  /** Sequence number of the event within its task. It starts at 0 and has no gaps. */
  seq: number;
}

export type TaskEvent =
  | EventOf<"log", string>
  | EventOf<Extract<TaskEventType, `step.${string}`>, StepDocument>
  | EventOf<"artifact.created", ArtifactDocument>
  | EventOf<Exclude<TaskEventType, "log" | "artifact.created" | `step.${string}`>, JsonObject>;
