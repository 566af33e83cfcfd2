// What was said before in a conversation, as most endpoints and programs want it: a list of `{role, content}`, or one text.
import { feedbackIn, feedbackText } from "../core/feedback.ts";
import type { JsonObject } from "../core/json.ts";
import { textOf } from "../core/message.ts";
import type { Job } from "../core/ports/driver.ts";

export interface Turn extends JsonObject {
  role: "user" | "assistant";
  content: string;
}

/** Resolves with the turns, oldest first; empty where the run begins a conversation. The present message is not among them. */
export async function turnsOf({ conversation }: Pick<Job, "conversation">): Promise<Turn[]> {
  const messages = (await conversation?.history()) ?? [];
  return messages.map(({ role, parts }) => ({
    role: role === "agent" ? "assistant" : "user",
    content: textOf(parts),
  }));
}

/** Returns the turns as one text, each after the name of who said it. */
export function transcriptOf(turns: readonly Turn[]): string {
  return turns.map(({ role, content }) => `${role}: ${content}`).join("\n\n");
}

/** Returns the present message as one text: the task, its input data as JSON below it, and then a reviewer's feedback. */
export function messageOfTask({ task, metadata }: Pick<Job, "task" | "metadata">): string {
  const { description, input_data } = task;
  const feedback = feedbackIn(metadata);
  return [
    description,
    ...(input_data === undefined ? [] : [JSON.stringify(input_data, null, 2)]),
    ...(feedback ? [feedbackText(feedback)] : []),
  ].join("\n\n");
}
