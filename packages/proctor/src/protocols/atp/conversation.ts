// The conversation that a task belongs to. Document 000 has no word for it; both sides say it as `metadata.conversation_id`.
import type { JsonObject } from "../../core/json.ts";
import { MAX_ID_CHARS } from "../../core/message.ts";
import type { Job } from "../../core/ports/driver.ts";

/** Undefined where the metadata names none that could be one; whatever it holds stays in the metadata. */
export function conversationIn(metadata: JsonObject | null | undefined): string | undefined {
  const id = metadata?.["conversation_id"];
  return typeof id === "string" && id !== "" && id.length <= MAX_ID_CHARS ? id : undefined;
}

/** The metadata for the agent. A run that goes on from no other, in no conversation that a client named, says nothing of one. */
export function withConversation({
  metadata,
  conversation,
}: Pick<Job, "metadata" | "conversation">): JsonObject {
  return conversation === undefined ? metadata : { ...metadata, conversation_id: conversation.id };
}
