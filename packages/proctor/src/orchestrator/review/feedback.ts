// How feedback reaches the next attempt: as structured data next to the task, which stays word for word what it was.
import type { Feedback } from "../../core/feedback.ts";
import type { Json, JsonObject } from "../../core/json.ts";
import type { RunRequest } from "../../core/ports/hub.ts";
import type { Task } from "../../core/task.ts";

/** Adds the feedback with which a task is submitted after `round` reviews. Drivers translate it into their protocols. */
export function withFeedback(
  { task, metadata = {} }: { task: Task; metadata?: JsonObject },
  comments: Json | undefined,
  round: number,
): Pick<RunRequest, "task" | "metadata"> {
  if (comments === undefined) return { task, metadata };
  const feedback: Feedback = { round, comments };
  return { task, metadata: { ...metadata, feedback } };
}
