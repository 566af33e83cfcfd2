// After a crash: a run whose owner is dead is closed as failed and says so, or retried where its policy allows. Queued runs need
// nothing: they are still queued.
import { ProctorError } from "../core/errors.ts";
import { failure } from "../core/failure.ts";
import type { Clock } from "../core/ports/clock.ts";
import type { EventDraft } from "../core/event.ts";
import type { DriverLookup } from "../core/ports/driver.ts";
import type { RunStore } from "../core/ports/run-store.ts";
import type { ClaimedRun } from "../core/ports/store.ts";
import { createRedactor } from "../core/redact.ts";
import { planEnd, withdrawals } from "./conclude.ts";
import { toNewEvent } from "./new-event.ts";

interface RecoverDeps {
  store: Pick<RunStore, "append">;
  clock: Clock;
  random: () => number;
  drivers: DriverLookup;
}

/** Concludes a run that was delivered because its owner is dead. Resolves with the run that takes over, if any. */
export async function concludeRedelivered(deps: RecoverDeps, claimed: ClaimedRun): Promise<string | null> {
  const { drafts, successor } = canPark(claimed, deps.drivers)
    ? { drafts: [PARKED], successor: undefined }
    : planInterrupted(claimed, deps);
  const nothingToHide = createRedactor([]);
  const events = drafts.map((draft) => toNewEvent(draft, nothingToHide, deps.clock.now()));
  const options = { fence: claimed.fence, ...(successor && { successor }) };
  await deps.store.append(claimed.run.id, events, options).catch(ignoreEnded);
  return successor?.id ?? null;
}

const PARKED: EventDraft = { type: "session.parked", payload: {} };

/** Returns whether the session can be opened again from elsewhere, and so was not lost with its owner. */
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
