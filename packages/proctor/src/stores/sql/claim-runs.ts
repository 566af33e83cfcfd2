// Gives a worker runs to work on, inside a transaction.
import type { PlatformEventPayloads } from "../../core/event.ts";
import type { ClaimedRun, ClaimRequest, ClaimResult, NewEvent } from "../../core/ports/store.ts";
import type { AppendEvents } from "./append-events.ts";
import type { RunQueue } from "../../core/ports/run-queue.ts";
import { isHeld } from "../../core/run-machine.ts";
import type { RunLoader } from "./load-run.ts";
import type { RunRecord } from "./run-record.ts";
import { createTakeQueued } from "./take-queued.ts";
import { template } from "./template.ts";
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
  queue?: RunQueue,
): ClaimRuns {
  const findWaiting = queue ? createTakeQueued(dialect, queue) : createFindWaiting(dialect);
  const raiseFence = template(({ id, worker, fence }: { id: string; worker: string; fence: number }) =>
    dialect.builder.updateTable("runs").set({ worker, fence }).where("id", "=", id),
  );
  return async (tx, request) => {
    const limit = Math.max(0, Math.min(Math.trunc(request.limit), MAX_CLAIMS)) || 0;
    const claim: Claim = { claimed: [], nextDueAt: null, lastSequences: new Map() };
    // Without room, a queue still gives what dead workers left.
    if (limit === 0 && queue === undefined) return claim;
    const { takeable, nextDueAt, ...taken } = await findWaiting(tx, { ...request, limit });
    const started = startedEvent(request.worker, "at" in taken ? taken.at : request.now);
    for (const { id, sealed, continuation } of takeable) {
      const waiting = await loader.loadForUpdate(tx, id);
      if (queue && (waiting === undefined || !isStartable(waiting))) {
        if (waiting === undefined || !isInFlight(waiting)) await queue.drop(tx, id);
        else {
          const fence = waiting.fence + 1;
          await tx.run(raiseFence({ id, worker: request.worker, fence }));
          const { state, spec, nextSequence } = waiting;
          const { run, talk } = state;
          const sequence = nextSequence - 1;
          (claim.interrupted ??= []).push({
            run: { ...run },
            spec,
            sealed,
            fence,
            continuation,
            sequence,
            ...(talk && { talk }),
          });
        }
        continue;
      }
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

/** Runs that wait for a worker: in line, or parked and to be looked after. */
function isStartable({ state: { run, talk } }: RunRecord): boolean {
  return (
    run.status === "queued" ||
    (run.status === "waiting" && talk?.parked === true && talk.check_at !== undefined)
  );
}

function isInFlight({ worker, state }: RunRecord): boolean {
  return worker !== null && isHeld(state.run.status);
}

function startedEvent(worker: string, timestamp: number): NewEvent {
  const payload: PlatformEventPayloads["run.started"] = { worker };
  return { timestamp, draft: { type: "run.started", payload }, payload: JSON.stringify(payload) };
}
