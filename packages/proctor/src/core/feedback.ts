// What a reviewer said about the attempt before this one. It goes to the agent as a field of its own, never inside the description: as
// `metadata.feedback` where the protocol has metadata, and after the task where it has only text.
import { isJsonObject, type Json, type JsonObject } from "./json.ts";

export interface Feedback extends JsonObject {
  /** Number of the attempt's review, from 1. */
  round: number;
  /** What is to be better, in the reviewer's own form. */
  comments: Json;
}

/** Undefined where the metadata holds none, or something else under this name. */
export function feedbackIn(metadata: JsonObject): Feedback | undefined {
  const { feedback } = metadata;
  if (!isJsonObject(feedback)) return undefined;
  const { round, comments } = feedback;
  return typeof round === "number" && comments !== undefined ? { ...feedback, round, comments } : undefined;
}

/** For agents that only read text: what the message after the task says. */
export function feedbackText({ round, comments }: Feedback): string {
  const said = typeof comments === "string" ? comments : JSON.stringify(comments, null, 2);
  return `Feedback on the previous attempt (round ${round}):\n${said}`;
}
