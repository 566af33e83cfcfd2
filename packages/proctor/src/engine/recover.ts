// After a crash: runs that were in flight are closed as failed and say so, or retried where their policy allows.
// Queued runs need nothing: they are still queued.
import { ProctorError } from "../core/errors.ts";
import { failure } from "../core/failure.ts";
import type { Clock } from "../core/ports/clock.ts";
import type { Store } from "../core/ports/store.ts";
import { createRedactor } from "../core/redact.ts";
import { planEnd } from "./conclude.ts";
import { toNewEvent } from "./new-event.ts";

const BATCH = 100;

/** Returns how many runs were closed. Must be called before anything is claimed. */
export async function recoverRuns(deps: {
  store: Store;
  clock: Clock;
  random: () => number;
}): Promise<number> {
  const { store, clock } = deps;
  const nothingToHide = createRedactor([]);
  let closed = 0;
  for (;;) {
    const interrupted = await store.expired(Infinity, BATCH);
    if (interrupted.length === 0) return closed;
    await Promise.all(
      interrupted.map(async (claimed) => {
        const { ended, successor } = planEnd(claimed, interruptedEnd(claimed.run.started_at), deps);
        const event = toNewEvent(ended, nothingToHide, clock.now());
        await store.append(claimed.run.id, [event], successor && { successor }).catch(ignoreEnded);
      }),
    );
    closed += interrupted.length;
  }
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
