// The last step before the log: secrets replaced, payload as text. Nothing reaches a store except through here (invariant 5).
import type { EventDraft } from "../core/event.ts";
import type { NewEvent } from "../core/ports/store.ts";
import type { Redactor } from "../core/redact.ts";
import { redactPayload } from "./redact-payload.ts";

export function toNewEvent(draft: EventDraft, redactor: Redactor, timestamp: number): NewEvent {
  const text = JSON.stringify(draft.payload);
  if (!redactor.active) return { timestamp, draft, payload: text };
  const payload = redactPayload(draft, text, redactor);
  const origin = draft.origin && redactor.value(draft.origin);
  if (payload === draft.payload && origin === draft.origin) return { timestamp, draft, payload: text };
  const clean = { ...draft, payload, ...(origin !== undefined && { origin }) };
  // Redaction replaces text inside a payload and never its shape.
  return { timestamp, draft: clean as EventDraft, payload: JSON.stringify(payload) };
}
