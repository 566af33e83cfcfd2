// The status of a task, as document 003 knows it, from the status of its run.
import type { RunStatus } from "../../../../core/run.ts";

export const TASK_STATUSES = ["created", "running", "completed", "failed", "paused", "cancelled"] as const;
export type TaskStatus = (typeof TASK_STATUSES)[number];

const STATUSES: Record<RunStatus, TaskStatus> = {
  created: "created",
  // The client has nothing more to do: the task waits for a free slot.
  queued: "running",
  running: "running",
  // A question is a step that waits for input; the task itself goes on.
  waiting: "running",
  paused: "paused",
  completed: "completed",
  failed: "failed",
  // The document has no words for these; a partial run did produce something.
  timeout: "failed",
  rejected: "failed",
  partial: "completed",
  cancelled: "cancelled",
};

export function taskStatus(status: RunStatus): TaskStatus {
  return STATUSES[status];
}
