// The status of a task, as document 003 knows it, from the status of its run.
import type { RunStatus } from "../../../../core/run.ts";

export const TASK_STATUSES = ["created", "running", "completed", "failed", "paused", "cancelled"] as const;
export type TaskStatus = (typeof TASK_STATUSES)[number];

const STATUSES: Record<RunStatus, TaskStatus> = {
  created: "created",
  // The client has nothing more to do: the task waits for a free slot.
  queued: "running",
  running: "running",
  paused: "paused",
  completed: "completed",
  failed: "failed",
  // The document has no words for these two; a partial run did produce something.
  timeout: "failed",
  partial: "completed",
  cancelled: "cancelled",
};

export function taskStatus(status: RunStatus): TaskStatus {
  return STATUSES[status];
}
