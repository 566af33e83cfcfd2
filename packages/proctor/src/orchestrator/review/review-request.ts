// What an agent with the capability `review` is asked, and the capability as such agents declare it.
import type { JsonObject } from "../../core/json.ts";
import type { ReviewQuestion } from "./contract.ts";

/** The name of the capability that reviewing agents have. */
export const REVIEW = "review";

/** What the reviewing agent is told to do; what it is about is the input. */
export const REVIEW_DESCRIPTION =
  "Review the output of a task: approve it, ask for a retry with feedback, reject it, or escalate it to a person.";

/** JSON Schema of the input. */
export const REVIEW_PARAMETERS: JsonObject = {
  type: "object",
  required: ["goal", "task", "input", "output", "round", "feedback_before"],
  properties: {
    goal: { type: "string", description: "What the whole is for." },
    task: {
      type: "object",
      required: ["id"],
      properties: {
        id: { type: "string" },
        title: { type: "string" },
        description: { type: "string", description: "What the agent was told, word for word." },
      },
    },
    input: { description: "What the task was given." },
    output: { description: "What the agent answered." },
    rubric: { type: "string", description: "What to look at." },
    round: { type: "integer", minimum: 0, description: "How often this task was reviewed before." },
    feedback_before: {
      type: "array",
      description: "What the attempts before this one were told, oldest first.",
    },
  },
};

/** JSON Schema of the answer. */
export const REVIEW_RETURNS: JsonObject = {
  type: "object",
  required: ["verdict"],
  properties: {
    verdict: { enum: ["approve", "retry", "reject", "escalate"] },
    feedback: { description: "What the next attempt is told, in any form; for `retry`." },
    reason: { type: "string" },
    score: { type: "number" },
  },
};

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
