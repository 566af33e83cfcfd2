// The conversation that a task belongs to. Document 000 has no word for it; both sides say it as `metadata.conversation_id`.
import type { JsonObject } from "../../core/json.ts";
import { MAX_ID_CHARS } from "../../core/message.ts";
import type { Job } from "../../core/ports/driver.ts";

/** Returns undefined where the metadata names no possible conversation; its content stays in the metadata. */
export function conversationIn(metadata: JsonObject | null | undefined): string | undefined {
  const id = metadata?.["conversation_id"];
  return typeof id === "string" && id !== "" && id.length <= MAX_ID_CHARS ? id : undefined;
}

/** Returns the metadata for the agent. It names no conversation for a run that continues no other, in none that a client named. */
export function withConversation({
  metadata,
  conversation,
}: Pick<Job, "metadata" | "conversation">): JsonObject {
  return conversation === undefined ? metadata : { ...metadata, conversation_id: conversation.id };
}
