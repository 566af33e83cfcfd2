// When a run cannot go on (a driver threw, or the store did not take what came), it is still ended honestly, as soon
// as the store takes it. When the attempt is given up, recovery at the next start does the rest.
import { ProctorError } from "../core/errors.ts";
import { failure } from "../core/failure.ts";
import type { Clock } from "../core/ports/clock.ts";
import type { RunStore } from "../core/ports/run-store.ts";
import type { ClaimedRun } from "../core/ports/store.ts";
import { createRedactor } from "../core/redact.ts";
import { toNewEvent } from "./new-event.ts";

const RETRY_MS = 1000;

export async function recordTrouble(
  deps: { store: Pick<RunStore, "append">; clock: Clock; report: (problem: unknown, runId: string) => void },
  claimed: ClaimedRun,
  problem: unknown,
  givenUp: AbortSignal,
): Promise<void> {
  const { store, clock } = deps;
  const { id } = claimed.run;
  deps.report(problem, id);
  const what = ProctorError.is(problem) ? problem.message : "unexpected internal error";
  const failed = failure("INTERNAL_ERROR", `the run could not go on: ${what}`);
  for (;;) {
    const ended = { type: "run.ended" as const, payload: { status: "failed" as const, failure: failed } };
    try {
      await store.append(id, [toNewEvent(ended, createRedactor([]), clock.now())], { fence: claimed.fence });
      return;
    } catch (error) {
      if (!ProctorError.is(error) || !error.retryable || givenUp.aborted) return deps.report(error, id);
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
