// An event that a worker sends, as the store accepts it.
import { ProctorError } from "../../core/errors.ts";
import type { EventDraft, EventType } from "../../core/event.ts";
import { isJsonObject } from "../../core/json.ts";
import { parseJson } from "../../core/parse-json.ts";
import type { NewEvent } from "../../core/ports/store.ts";
import type { WorkEvent } from "../../core/ports/work-desk.ts";
import { EVENT_SCHEMAS } from "./event-schemas.ts";

/** Types of events that only clients, the store and hubs write. */
const NOT_OURS: ReadonlySet<EventType> = new Set<EventType>([
  "run.created",
  "run.queued",
  "run.started",
  "run.cancel_requested",
  "run.pause_requested",
  "run.resume_requested",
  "artifact.removed",
  "question.notified",
  "step.added",
  "step.changed",
  "plan.made",
  "plan.refused",
  "subtask.expanded",
  "subtask.started",
  "subtask.retried",
  "subtask.reviewed",
  "subtask.settled",
]);

/** Reads an event. Throws INVALID_REQUEST. */
export function readWorkEvent({ timestamp, type, payload, origin }: WorkEvent): NewEvent {
  if (NOT_OURS.has(type)) throw wrong(type, "a worker does not write such events");
  const value = parseJson(payload, "a payload");
  const about = origin === null ? undefined : parseJson(origin, "an origin");
  if (!isJsonObject(value)) throw wrong(type, "its payload is no object");
  if (about !== undefined && !isJsonObject(about)) throw wrong(type, "its origin is no object");
  const problem = EVENT_SCHEMAS[type]?.safeParse(value).error?.issues[0];
  if (problem) throw wrong(type, `${problem.path.join(".")}: ${problem.message}`);
  // Checked as far as a log depends on it.
  const draft = { type, payload: value, ...(about && { origin: about }) } as unknown as EventDraft;
  return { timestamp, draft, payload: JSON.stringify(value) };
}

function wrong(type: string, why: string): ProctorError {
  return new ProctorError("INVALID_REQUEST", `an event ${type} is refused: ${why}`, {
    details: [{ path: "events", message: why }],
  });
}
