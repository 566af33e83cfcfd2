// After a crash: runs that were in flight are closed as failed and say so, or retried where their policy allows.
// Queued runs need nothing: they are still queued.
import { ProctorError } from "../core/errors.ts";
import { failure } from "../core/failure.ts";
import type { Clock } from "../core/ports/clock.ts";
import type { EventDraft } from "../core/event.ts";
import type { DriverLookup } from "../core/ports/driver.ts";
import type { ClaimedRun, Store } from "../core/ports/store.ts";
import { createRedactor } from "../core/redact.ts";
import { planEnd, withdrawals } from "./conclude.ts";
import { toNewEvent } from "./new-event.ts";

const BATCH = 100;

/** Returns how many runs were closed. Must be called before anything is claimed. */
export async function recoverRuns(deps: {
  store: Store;
  clock: Clock;
  random: () => number;
  drivers: DriverLookup;
  /** Other workers may be alive: only the runs of those whose time is over are closed. */
  shared?: boolean;
}): Promise<number> {
  const { store, clock } = deps;
  const nothingToHide = createRedactor([]);
  let closed = 0;
  for (;;) {
    const interrupted = await store.expired(deps.shared === true ? clock.now() : Infinity, BATCH);
    if (interrupted.length === 0) return closed;
    await Promise.all(
      interrupted.map(async (claimed) => {
        const { drafts, successor } = canPark(claimed, deps.drivers)
          ? { drafts: [PARKED], successor: undefined }
          : planInterrupted(claimed, deps);
        const events = drafts.map((draft) => toNewEvent(draft, nothingToHide, clock.now()));
        await store.append(claimed.run.id, events, successor && { successor }).catch(ignoreEnded);
      }),
    );
    closed += interrupted.length;
  }
}

const PARKED: EventDraft = { type: "session.parked", payload: {} };

/** A session that can be opened again from elsewhere was not lost with its owner. */
function canPark({ spec, continuation }: ClaimedRun, drivers: DriverLookup): boolean {
  return continuation !== null && drivers(spec).talks?.parks === true;
}

function planInterrupted(claimed: ClaimedRun, deps: { clock: Clock; random: () => number }) {
  const { ended, successor } = planEnd(claimed, interruptedEnd(claimed.run.started_at), deps);
  return { drafts: [...withdrawals(claimed.run, "the hub stopped"), ended], successor };
}

function interruptedEnd(startedAt: string | null) {
  const message = "the hub stopped while the run was in flight; what had arrived is kept";
  return {
    status: "failed" as const,
    failure: failure("INTERRUPTED", message, startedAt === null ? undefined : { started_at: startedAt }),
  };
}

/** Ignores that another process closed the run first. */
function ignoreEnded(error: unknown): void {
  if (ProctorError.is(error) && error.code === "ILLEGAL_TRANSITION") return;
  throw error;
}
