// The state that clients of A2A see of a run.
import type { Question } from "../../../core/question.ts";
import type { Run } from "../../../core/run.ts";
import type { KnownTaskState } from "../model.ts";

type Shown = Pick<Run, "status" | "questions" | "started_at" | "attempt" | "retried_as">;

export function stateOf(run: Shown): KnownTaskState {
  // Another attempt has taken over: for the client, the task goes on.
  if (run.retried_as !== null) return "TASK_STATE_WORKING";
  switch (run.status) {
    case "created":
    case "queued":
      // A task that has worked before is never merely submitted again.
      return run.started_at === null && run.attempt === 1 ? "TASK_STATE_SUBMITTED" : "TASK_STATE_WORKING";
    case "running":
    case "paused":
      return "TASK_STATE_WORKING";
    case "waiting":
      return stateOfQuestion(shownQuestion(run));
    case "completed":
    case "partial":
      return "TASK_STATE_COMPLETED";
    case "failed":
    case "timeout":
      return "TASK_STATE_FAILED";
    case "cancelled":
      return "TASK_STATE_CANCELED";
    case "rejected":
      return "TASK_STATE_REJECTED";
  }
}

/** Returns the oldest of several open questions that the agent waits for. */
export function shownQuestion({
  status,
  questions,
}: Pick<Run, "status" | "questions">): Question | undefined {
  return status === "waiting" ? questions.find(({ blocking }) => blocking) : undefined;
}

/** Counts the approval of an action as authorization: section 7.6. */
function stateOfQuestion(question: Question | undefined): KnownTaskState {
  const needsWords = question === undefined || question.kind === "input" || question.kind === "form";
  return needsWords ? "TASK_STATE_INPUT_REQUIRED" : "TASK_STATE_AUTH_REQUIRED";
}
