// What the states of a task mean for those who wait for it.
import type { KnownTaskState, TaskState } from "./model.ts";

const TERMINAL: ReadonlySet<TaskState> = new Set<KnownTaskState>([
  "TASK_STATE_COMPLETED",
  "TASK_STATE_FAILED",
  "TASK_STATE_CANCELED",
  "TASK_STATE_REJECTED",
]);
const INTERRUPTED: ReadonlySet<TaskState> = new Set<KnownTaskState>([
  "TASK_STATE_INPUT_REQUIRED",
  "TASK_STATE_AUTH_REQUIRED",
]);

/** Returns true when the task will not change any more. */
export function isTerminalState(state: TaskState): boolean {
  return TERMINAL.has(state);
}

/** Returns true when the task waits for its client. */
export function isInterruptedState(state: TaskState): boolean {
  return INTERRUPTED.has(state);
}
