// A question of an agent as the message of a task that waits: its words for people, and a data part for programs that answer exactly.
import type { JsonObject } from "../../../core/json.ts";
import type { Question } from "../../../core/question.ts";
import type { A2aMessage } from "../model.ts";
import { encodePart, type MessageScope } from "./messages.ts";

export function questionMessage(question: Question, { taskId, run, place }: MessageScope): A2aMessage {
  const words = question.parts.map((part) => encodePart(part, run, place));
  return {
    messageId: `${run.id}:question:${question.id}`,
    contextId: run.conversation_id,
    taskId,
    role: "ROLE_AGENT",
    parts: [...words, { data: questionData(question), mediaType: "application/json" }],
  };
}

/** Returns what an answer has to contain: see continue-task.ts. */
function questionData({ id, kind, schema, options, subject, expires_at }: Question): JsonObject {
  return {
    question_id: id,
    kind,
    ...(options && { options }),
    ...(schema && { schema }),
    ...(subject && { subject }),
    expires_at,
  };
}
