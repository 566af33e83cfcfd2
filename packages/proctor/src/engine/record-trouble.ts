// When a run cannot go on (a driver threw, or the store refused an event), it is still ended honestly, as soon
// as the store accepts it. When the attempt is given up, recovery at the next start does the rest. A store that was away for a moment is not a
// bug: the run was interrupted, as it is when its worker dies, and tried again where its policy allows.
import { ProctorError } from "../core/errors.ts";
import { failure } from "../core/failure.ts";
import type { Clock } from "../core/ports/clock.ts";
import type { RunStore } from "../core/ports/run-store.ts";
import type { ClaimedRun } from "../core/ports/store.ts";
import { createRedactor } from "../core/redact.ts";
import { planEnd } from "./conclude.ts";
import { toNewEvent } from "./new-event.ts";

const RETRY_MS = 1000;

/** Resolves with the id of the run that takes over, if any. */
export async function recordTrouble(
  deps: {
    store: Pick<RunStore, "append">;
    clock: Clock;
    random: () => number;
    report: (problem: unknown, runId: string) => void;
  },
  claimed: ClaimedRun,
  problem: unknown,
  givenUp: AbortSignal,
): Promise<string | null> {
  const { store, clock } = deps;
  const { id } = claimed.run;
  deps.report(problem, id);
  const what = ProctorError.is(problem) ? problem.message : "unexpected internal error";
  const isAway = ProctorError.is(problem) && problem.code === "STORE_UNAVAILABLE";
  const code = isAway ? "INTERRUPTED" : "INTERNAL_ERROR";
  const end = { status: "failed" as const, failure: failure(code, `the run could not go on: ${what}`) };
  const { ended, successor } = planEnd(claimed, end, deps);
  const options = { fence: claimed.fence, ...(successor && { successor }) };
  for (;;) {
    try {
      await store.append(id, [toNewEvent(ended, createRedactor([]), clock.now())], options);
      return successor?.id ?? null;
    } catch (error) {
      if (!ProctorError.is(error) || !error.retryable || givenUp.aborted) {
        deps.report(error, id);
        return null;
      }
      await delay(clock, givenUp);
    }
  }
}

function delay(clock: Clock, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const callOff = clock.after(RETRY_MS, resolve);
    signal.addEventListener("abort", () => (callOff(), resolve()), { once: true });
  });
}
