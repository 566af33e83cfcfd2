// Gives a worker runs to work on, inside a transaction.
import type { PlatformEventPayloads } from "../../core/event.ts";
import type { ClaimedRun, ClaimRequest, ClaimResult, NewEvent } from "../../core/ports/store.ts";
import type { AppendEvents } from "./append-events.ts";
import type { RunLoader } from "./load-run.ts";
import type { Connection, SqlDialect } from "./sql-backend.ts";
import { createFindWaiting } from "./waiting-runs.ts";

/** How many runs one request claims at most. */
const MAX_CLAIMS = 1000;

export interface Claim extends ClaimResult {
  lastSequences: Map<string, number>;
}

type ClaimRuns = (tx: Connection, request: ClaimRequest) => Promise<Claim>;

export function createClaimRuns(
  dialect: SqlDialect,
  loader: RunLoader,
  appendEvents: AppendEvents,
): ClaimRuns {
  const findWaiting = createFindWaiting(dialect);
  return async (tx, request) => {
    const limit = Math.min(Math.trunc(request.limit), MAX_CLAIMS);
    const claim: Claim = { claimed: [], nextDueAt: null, lastSequences: new Map() };
    if (!(limit > 0)) return claim;
    const { takeable, nextDueAt } = await findWaiting(tx, { ...request, limit });
    const started = startedEvent(request);
    for (const { id, sealed, continuation } of takeable) {
      const waiting = await loader.loadForUpdate(tx, id);
      if (waiting === undefined) continue;
      const { talk } = waiting.state;
      const owner = { worker: request.worker, fence: waiting.fence + 1 };
      const { state, spec, fence, nextSequence } = await appendEvents(tx, waiting, [started], owner);
      const claimed: ClaimedRun = {
        run: { ...state.run },
        spec,
        sealed,
        fence,
        continuation,
        sequence: nextSequence - 1,
      };
      if (talk) claimed.talk = talk;
      claim.claimed.push(claimed);
      claim.lastSequences.set(id, nextSequence - 1);
    }
    if (takeable.length < limit) claim.nextDueAt = nextDueAt;
    return claim;
  };
}

function startedEvent({ worker, now }: ClaimRequest): NewEvent {
  const payload: PlatformEventPayloads["run.started"] = { worker };
  return { timestamp: now, draft: { type: "run.started", payload }, payload: JSON.stringify(payload) };
}
