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
  /** False for what a client uploaded. */
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

/** What a creation answers: `id` is the task's. */
export interface CreatedTask {
  id: string;
  name: string;
  status: string;
  task: string;
  createdAt: string;
}

export interface DetailedTask extends TaskDocument {
  task: CreatedTask & {
    /** Who does it; `client:` for the client itself. */
    agent: string;
    updatedAt: string;
    metrics: JsonObject;
    failure: { code: string; message: string; [name: string]: Json } | null;
    stepCount: number;
    /** The newest 200 steps. */
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

/** What pause, resume and cancel answer. */
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
  /** `executor` for a step of an agent, which no client changes. */
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
  /** Of one task from 0, without a gap. */
  seq: number;
}

export type TaskEvent =
  | EventOf<"log", string>
  | EventOf<Extract<TaskEventType, `step.${string}`>, StepDocument>
  | EventOf<"artifact.created", ArtifactDocument>
  | EventOf<Exclude<TaskEventType, "log" | "artifact.created" | `step.${string}`>, JsonObject>;
