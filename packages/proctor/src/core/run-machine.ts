// Which statuses a run may pass through, and which events it takes in each. The only place that knows.
import type { EventDraft } from "./event.ts";
import { isTerminal, type RunStatus } from "./run.ts";

/** From each status, the ones that may follow. A terminal status is frozen. */
export const TRANSITIONS: Record<RunStatus, readonly RunStatus[]> = {
  created: ["queued", "failed", "cancelled"],
  queued: ["running", "failed", "cancelled"],
  running: ["paused", "completed", "failed", "timeout", "cancelled", "partial"],
  paused: ["running", "completed", "failed", "timeout", "cancelled", "partial"],
  completed: [],
  failed: [],
  timeout: [],
  cancelled: [],
  partial: [],
};

/** The status an event asks for; undefined when it asks for none. */
function requestedStatus(draft: EventDraft): RunStatus | undefined {
  switch (draft.type) {
    case "run.created":
      return "created";
    case "run.queued":
      return "queued";
    case "run.started":
    case "run.resumed":
      return "running";
    case "run.paused":
      return "paused";
    case "run.ended":
      return draft.payload.status;
    default:
      return undefined;
  }
}

/** The status after the event, or undefined when the event is not allowed. `null` is the run that does not exist yet. */
export function nextStatus(status: RunStatus | null, draft: EventDraft): RunStatus | undefined {
  const requested = requestedStatus(draft);
  if (status === null) return requested === "created" ? "created" : undefined;
  if (isTerminal(status) || requested === "created") return undefined;
  if (requested === undefined) return status;
  if (draft.type === "run.resumed" && status !== "paused") return undefined;
  if (draft.type === "run.started" && status !== "queued") return undefined;
  return TRANSITIONS[status].includes(requested) ? requested : undefined;
}
