// What an agent with the capability `review` is asked, and the capability as such agents declare it.
import type { JsonObject } from "../../core/json.ts";
import type { ReviewQuestion } from "./contract.ts";

/** The name of the capability that reviewing agents have. */
export const REVIEW = "review";

/** The task of a reviewing agent; its input holds what to review. */
export const REVIEW_DESCRIPTION =
  "Review the output of a task: approve it, ask for a retry with feedback, reject it, or escalate it to a person.";

export function reviewInput(question: ReviewQuestion): JsonObject {
  const { goal, task, input, output, review, round, feedbackBefore = [] } = question;
  const { id, title, description } = task;
  return {
    goal,
    task: { id, ...(title !== undefined && { title }), ...(description !== undefined && { description }) },
    input,
    output,
    ...(review.rubric !== undefined && { rubric: review.rubric }),
    round,
    feedback_before: [...feedbackBefore],
  };
}
