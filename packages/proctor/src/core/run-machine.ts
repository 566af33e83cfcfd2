// Which statuses a run may pass through, and which events it takes in each. The only place that knows.
import type { EventDraft } from "./event.ts";
import { CLIENT_WORKER, isTerminal, type RunStatus } from "./run.ts";

/** From each status, the ones that may follow. A terminal status is frozen. */
export const TRANSITIONS: Record<RunStatus, readonly RunStatus[]> = {
  created: ["queued", "running", "failed", "cancelled"],
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

/**
 * The status after the event, or undefined when the event is not allowed. `null` is the status of a run that does not exist yet;
 * `byClient` says that a client does the work, and no agent.
 */
export function nextStatus(
  status: RunStatus | null,
  draft: EventDraft,
  byClient = false,
): RunStatus | undefined {
  const requested = requestedStatus(draft);
  if (status === null) return requested === "created" ? "created" : undefined;
  if (requested === "created") return undefined;
  if (isTerminal(status)) return isAfterwards(draft) ? status : undefined;
  if (requested === undefined) return takesFact(status, draft, byClient) ? status : undefined;
  if (draft.type === "run.resumed" && status !== "paused") return undefined;
  if (draft.type === "run.started") return mayStart(status, draft.payload.worker, byClient);
  if (draft.type === "run.queued" && byClient) return undefined;
  return TRANSITIONS[status].includes(requested) ? requested : undefined;
}

/** Only artifacts of clients may be added to an ended run, and removed from it. */
function isAfterwards(draft: EventDraft): boolean {
  if (draft.type === "artifact.added") return draft.payload.by === "client";
  return draft.type === "artifact.removed";
}

/** Only the client that does the work reports steps. While the run is paused, none begins. */
function takesFact(status: RunStatus, draft: EventDraft, byClient: boolean): boolean {
  if (draft.type === "step.added") return byClient && status === "running";
  if (draft.type === "step.changed") return byClient && (status === "running" || status === "paused");
  return true;
}

/** An agent's run waits in the queue first. A client has begun when it creates its run. */
function mayStart(status: RunStatus, worker: string, byClient: boolean): RunStatus | undefined {
  const ready = byClient ? status === "created" && worker === CLIENT_WORKER : status === "queued";
  return ready ? "running" : undefined;
}
