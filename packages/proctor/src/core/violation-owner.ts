// Whose rule an agent broke: one of its protocol's document, with the section that says so, or one of Proctor's own. Only a
// document's rule fails a strict run; Proctor's own are advice.
import type { Violation } from "./event.ts";

export type RuleOwner = "document" | "proctor";

/** The rules that a document has, with the section that says so. All others are Proctor's own. */
export const DOCUMENTED: Readonly<Record<string, string>> = {
  // Document 000, ATP.
  "atp.json": "Transport",
  "atp.message": "Transport",
  "atp.stdio.stream": "Transport",
  "atp.stdio.line": "Transport",
  "atp.request": "JSON Schema for ATP Request",
  "atp.response": "JSON Schema for ATP Response",
  "atp.response.repeated": "ATP Response",
  "atp.event": "JSON Schema for ATP Event",
  "atp.sequence.repeated": "Event Fields",
  "atp.task_id": "Response Fields",
  "atp.version": "Compatibility Rules",
  "atp.artifact": "Artifact Types",
  "artifact.size": "Artifact Types",
  "artifact.hash": "Artifact Types",
  "tool.not_allowed": "Request Fields",
  "tool.unobserved": "Event Types",
  "tool.misreported": "Event Types",
  // The Agent Protocol, by the schemas of its OpenAPI document.
  "ap.json": "Task",
  "ap.task": "Task",
  "ap.task_id": "Step",
  "ap.step": "Step",
  "ap.artifact": "Artifact",
  "ap.artifacts": "Artifact",
  // OpenAI's API reference, "Chat Completions".
  "openai.json": "Streaming",
  "openai.chunk": "The chat completion chunk object",
  "openai.completion": "The chat completion object",
  "openai.usage": "The chat completion object",
  "openai.finish_reason": "The chat completion chunk object",
  "openai.done": "Streaming",
  // The specification of A2A 1.0.
  "a2a.schema": "4. Protocol Data Model",
  "a2a.event": "3.2.3. Stream Response",
  "a2a.part": "4.1.6. Part",
  "a2a.role": "4.1.5. Role",
  "a2a.state": "4.1.3. TaskState",
  "a2a.task_id": "3.4.2. Task Identifier Semantics",
  "a2a.context_id": "3.4.1. Context Identifier Semantics",
  "a2a.stream.first": "3.1.2. Send Streaming Message",
  "a2a.stream.end": "3.1.2. Send Streaming Message",
  "a2a.stream.after_end": "3.1.2. Send Streaming Message",
  // Document 002, terminal agents.
  "term.json": "Response Format",
  "term.schema": "Response Fields",
  "term.line": "Overview",
  "term.unasked": "Communication Flow",
};

/** Returns whose rule was broken. Logs of older versions lack `owner`; there the rule decides. */
export function ownerOf({ rule, owner }: Violation): RuleOwner {
  return owner ?? (Object.hasOwn(DOCUMENTED, rule) ? "document" : "proctor");
}

/** Returns the violation with the owner of its rule. */
export function attributed(violation: Violation): Violation {
  const owner = ownerOf(violation);
  const section = owner === "document" ? (violation.section ?? DOCUMENTED[violation.rule]) : undefined;
  return { ...violation, owner, ...(section !== undefined && { section }) };
}
