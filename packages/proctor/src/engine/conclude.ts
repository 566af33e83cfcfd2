// Decides how a run ended, from what the agent said and what the engine knows better, and writes it: with the next
// attempt in the same commit when the retry policy asks for one.
import type { EventDraft } from "../core/event.ts";
import type { RunState } from "../core/fold.ts";
import type { Clock } from "../core/ports/clock.ts";
import type { AgentEnd } from "../core/ports/driver.ts";
import type { ClaimedRun } from "../core/ports/store.ts";
import { exceededLimit } from "./limits.ts";
import { nextAttempt } from "./new-run.ts";
import type { Recorder } from "./recorder.ts";
import { retryDelayMs, shouldRetry } from "./retry.ts";
import type { StopCause } from "./stopper.ts";

export async function concludeRun(input: {
  deps: { clock: Clock; random: () => number };
  claimed: ClaimedRun;
  recorder: Recorder;
  state: RunState;
  end: AgentEnd;
  cause: StopCause | undefined;
}): Promise<{ successor: string | null }> {
  const { deps, claimed, recorder, state } = input;
  const end = judge(input.end, input.cause, state, claimed);
  const { successor, ended } = planEnd(claimed, end, deps);
  await recorder.finish(ended, successor && { successor });
  return { successor: successor?.id ?? null };
}

/** The `run.ended` event for this end, and the run that takes over. */
export function planEnd(
  claimed: ClaimedRun,
  end: AgentEnd,
  deps: { clock: Clock; random: () => number },
): { ended: EventDraft; successor?: ReturnType<typeof nextAttempt> } {
  const { retry, attempt } = claimed.run;
  const successor =
    retry !== null && shouldRetry(retry, attempt, end.status, end.failure)
      ? nextAttempt(claimed, retryDelayMs(retry, attempt, deps.random()), deps.clock.now())
      : undefined;
  const ended: EventDraft = {
    type: "run.ended",
    payload: { ...end, ...(successor && { retried_as: successor.id }) },
  };
  return successor ? { ended, successor } : { ended };
}

function judge(end: AgentEnd, cause: StopCause | undefined, state: RunState, claimed: ClaimedRun): AgentEnd {
  if (cause) return { ...end, status: cause.status, failure: cause.failure };
  const excess = exceededLimit({ ...state.run.metrics, ...end.metrics }, claimed.run.constraints);
  return excess ? { ...end, status: "failed", failure: excess } : end;
}
