// What a reviewer said about the attempt before this one. It goes to the agent as a field of its own, never inside the description: as
// `metadata.feedback` where the protocol has metadata, and after the task where it has only text.
import { isJsonObject, type Json, type JsonObject } from "./json.ts";

export interface Feedback extends JsonObject {
  /** Number of the attempt's review, from 1. */
  round: number;
  /** What has to become better, in the reviewer's own form. */
  comments: Json;
}

/** Returns undefined where the metadata holds no feedback, or something else under this name. */
export function feedbackIn(metadata: JsonObject): Feedback | undefined {
  const { feedback } = metadata;
  if (!isJsonObject(feedback)) return undefined;
  const { round, comments } = feedback;
  return typeof round === "number" && comments !== undefined ? { ...feedback, round, comments } : undefined;
}

/** Returns the feedback as a text after the task, for agents that only read text. */
export function feedbackText({ round, comments }: Feedback): string {
  const said = typeof comments === "string" ? comments : JSON.stringify(comments, null, 2);
  return `Feedback on the previous attempt (round ${round}):\n${said}`;
}
