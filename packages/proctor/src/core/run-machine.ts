// Which statuses a run may pass through, and which events it takes in each. The only place that knows.
import type { EventDraft } from "./event.ts";
import { CLIENT_WORKER, isTerminal, TERMINAL_STATUSES, type RunStatus } from "./run.ts";

/** From each status, the ones that may follow. A terminal status is frozen. */
export const TRANSITIONS: Record<RunStatus, readonly RunStatus[]> = {
  created: ["queued", "running", "failed", "cancelled"],
  // A run whose session is opened only to cancel it may still wait for an answer.
  queued: ["running", "waiting", "paused", "failed", "cancelled"],
  running: ["queued", "waiting", "paused", ...TERMINAL_STATUSES],
  waiting: ["queued", "running", "paused", ...TERMINAL_STATUSES],
  paused: ["queued", "running", "waiting", ...TERMINAL_STATUSES],
  completed: [],
  failed: [],
  timeout: [],
  cancelled: [],
  partial: [],
  rejected: [],
};

/** The facts that decide the next status. */
export interface Situation {
  /** Status of the run; null for one that does not exist yet. */
  status: RunStatus | null;
  /** Whether a client does the work instead of an agent. */
  byClient?: boolean;
  /** Whether no process holds the session. */
  parked?: boolean;
  /** Whether no worker has had the run yet. */
  unbegun?: boolean;
  /** Ids of the open questions that the agent needs answered before it goes on. */
  blocking?: readonly string[];
}

/** Returns the status after the event; undefined when the event is not allowed. */
export function nextStatus(situation: Situation, draft: EventDraft): RunStatus | undefined {
  const { status, byClient = false, parked = false, unbegun = false, blocking = [] } = situation;
  if (status === null) return draft.type === "run.created" ? "created" : undefined;
  if (isTerminal(status)) return isAfterwards(draft) ? status : undefined;
  switch (draft.type) {
    case "run.created":
      return undefined;
    case "run.queued":
      return status === "created" && !byClient ? "queued" : undefined;
    case "run.started":
      return afterStart(situation, draft.payload.worker);
    case "run.paused":
      return status === "queued" || status === "running" || status === "waiting" ? "paused" : undefined;
    case "run.resumed":
      if (status !== "paused") return undefined;
      return blocking.length > 0 ? "waiting" : parked || unbegun ? "queued" : "running";
    case "run.ended":
      return TRANSITIONS[status].includes(draft.payload.status) ? draft.payload.status : undefined;
    case "run.pause_requested":
      return (status === "running" || status === "waiting") && !byClient ? status : undefined;
    case "run.resume_requested":
      return status === "paused" && !byClient ? status : undefined;
    case "run.cancel_requested":
      // A worker must open the session again to cancel the agent's work.
      return parked && (status === "waiting" || status === "paused") ? "queued" : status;
    case "question.asked":
      if (byClient || parked || !isHeld(status)) return undefined;
      return draft.payload.question.blocking && status === "running" ? "waiting" : status;
    case "question.answered":
    case "question.withdrawn":
    case "question.expired":
      return afterClosing(status, parked, blocking, draft.payload.id);
    case "session.parked":
      if (byClient || parked || !isHeld(status)) return undefined;
      return status === "paused" ? status : blocking.length > 0 ? "waiting" : "queued";
    default:
      return takesFact(status, draft, byClient) ? status : undefined;
  }
}

/** Returns whether a process may be at work on a run in this status. */
export function isHeld(status: RunStatus): boolean {
  return status === "running" || status === "waiting" || status === "paused";
}

/** Returns whether a worker has begun with the run: one that was paused in the queue belongs to no worker. */
export function isBegun({ status, started_at }: { status: RunStatus; started_at: string | null }): boolean {
  return isHeld(status) && started_at !== null;
}

/** An agent's run waits in the queue first, or stays parked until a worker takes it up. A client has begun when it creates its run. */
function afterStart({ status, byClient, parked, blocking = [] }: Situation, worker: string) {
  if (byClient === true) return status === "created" && worker === CLIENT_WORKER ? "running" : undefined;
  if (status === "queued") return blocking.length > 0 ? "waiting" : "running";
  return status === "waiting" && parked === true ? "waiting" : undefined;
}

function afterClosing(
  status: RunStatus,
  parked: boolean,
  blocking: readonly string[],
  closed: string,
): RunStatus {
  const isLast = blocking.length > 0 && blocking.every((id) => id === closed);
  if (status !== "waiting" || !isLast) return status;
  return parked ? "queued" : "running";
}

/** An ended run only takes and loses artifacts of clients. */
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
