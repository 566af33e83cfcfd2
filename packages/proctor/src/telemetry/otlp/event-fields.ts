// Which events of a run appear on its span, and which of their fields. A field becomes the attribute
// `proctor.<event type>.<field>`; what an agent wrote in free text is content, and left out unless asked for.
import type { EventType } from "../../core/event.ts";

export interface EventFields {
  /** Fields that are shown as labels: short words such as names, states and rules. */
  labels?: readonly string[];
  counts?: readonly string[];
  amounts?: readonly string[];
  flags?: readonly string[];
  content?: readonly string[];
  /** True for events that come in large numbers: they may fill only half of the room, so that others are never crowded out. */
  chatty?: true;
}

export const EVENT_FIELDS: { readonly [Type in EventType]?: EventFields } = {
  reasoning: { content: ["thought", "plan", "step"], chatty: true },
  progress: {
    counts: ["current_step", "total_steps"],
    amounts: ["percentage"],
    content: ["message"],
    chatty: true,
  },
  state_change: { labels: ["from_state", "to_state"], content: ["reason"] },
  error: {
    labels: ["error_type"],
    flags: ["recoverable"],
    counts: ["retry_after_ms"],
    content: ["message"],
  },
  violation: { labels: ["rule", "owner"], counts: ["repeated"], content: ["message", "where"] },
  "artifact.added": {
    labels: ["id", "type", "path", "name", "content_type", "content_hash"],
    counts: ["size_bytes"],
  },
  "process.exited": { labels: ["signal"], counts: ["code", "leftover"] },
  "run.paused": {},
  "run.resumed": {},
  "run.cancel_requested": { content: ["reason"] },
  "question.asked": { labels: ["id", "kind", "audience"], flags: ["blocking"], content: ["parts"] },
  "question.answered": { labels: ["id", "outcome", "option", "by"] },
  "question.withdrawn": { labels: ["id"], content: ["reason"] },
  "question.notified": { labels: ["id"] },
  "question.expired": { labels: ["id", "effect"] },
  "session.parked": {},
  "plan.made": { labels: ["source"], counts: ["tasks"] },
  "plan.refused": {},
  "subtask.started": { labels: ["key", "agent", "run_id"], counts: ["attempt"], chatty: true },
  "subtask.retried": { labels: ["key", "status", "next"], counts: ["attempt", "delay_ms"] },
  "subtask.reviewed": { labels: ["key", "by", "verdict"], content: ["feedback", "trouble"] },
  "subtask.settled": { labels: ["key", "status"], content: ["reason"], chatty: true },
  log: { labels: ["stream"], counts: ["dropped_bytes"], content: ["text"], chatty: true },
};
