// Gives a worker runs to work on, inside a transaction, where the table of runs is the queue.
import type { PlatformEventPayloads } from "../../core/event.ts";
import type { ClaimedRun, ClaimRequest, ClaimResult, NewEvent } from "../../core/ports/store.ts";
import type { AppendEvents } from "./append-events.ts";
import type { RunLoader } from "./load-run.ts";
import type { RunRecord } from "./run-record.ts";
import type { Connection, SqlDialect } from "./sql-backend.ts";
import { createFindWaiting } from "./waiting-runs.ts";

/** Most runs that one request claims. */
export const MAX_CLAIMS = 1000;

export interface Claim extends ClaimResult {
  /** The runs that were started, as they are now. */
  started: RunRecord[];
  /** To be called after the commit. */
  committed?: () => void;
}

export type ClaimRuns = (tx: Connection, request: ClaimRequest) => Promise<Claim>;

export function createClaimRuns(
  dialect: SqlDialect,
  loader: RunLoader,
  appendEvents: AppendEvents,
): ClaimRuns {
  const findWaiting = createFindWaiting(dialect);
  return async (tx, request) => {
    const limit = Math.max(0, Math.min(Math.trunc(request.limit), MAX_CLAIMS)) || 0;
    const claim: Claim = { claimed: [], nextDueAt: null, started: [] };
    if (limit === 0) return claim;
    const { takeable, nextDueAt } = await findWaiting(tx, { ...request, limit });
    const started = startedEvent(request.worker, request.now);
    for (const { id, sealed, continuation } of takeable) {
      const waiting = await loader.loadForUpdate(tx, id);
      if (waiting === undefined) continue;
      const owner = { worker: request.worker, fence: waiting.fence + 1 };
      const after = await appendEvents(tx, waiting, [started], owner);
      claim.claimed.push(toClaimed(after, { sealed, continuation }, waiting));
      claim.started.push(after);
    }
    if (takeable.length < limit) claim.nextDueAt = nextDueAt;
    return claim;
  };
}

export type Secrets = Pick<ClaimedRun, "sealed" | "continuation">;

/** Returns the claimed run. Its messages and questions are as they were before the claim. */
export function toClaimed(
  record: RunRecord,
  { sealed, continuation }: Secrets,
  before: RunRecord,
): ClaimedRun {
  const { state, spec, fence, nextSequence } = record;
  const { talk } = before.state;
  const claimed: ClaimedRun = {
    run: { ...state.run },
    spec,
    sealed,
    fence,
    continuation,
    sequence: nextSequence - 1,
  };
  if (talk) claimed.talk = talk;
  return claimed;
}

export function startedEvent(worker: string, timestamp: number): NewEvent {
  const payload: PlatformEventPayloads["run.started"] = { worker };
  return { timestamp, draft: { type: "run.started", payload }, payload: JSON.stringify(payload) };
}
