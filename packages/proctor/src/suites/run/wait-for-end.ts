// Follows a run to its end. A short log is kept, because the checks read it next.
import { unlessAborted } from "../../core/unless-aborted.ts";
import type { RunEvent } from "../../core/event.ts";
import type { Hub } from "../../core/ports/hub.ts";
import { isTerminal, type Run } from "../../core/run.ts";
import { MAX_HELD_EVENTS } from "./subject.ts";

/** An ended run, and its log where that is short. */
export interface EndedRun {
  run: Run;
  log?: RunEvent[];
}

/** `onEvent` sees every event; the next one waits for it. */
export async function waitForEnd(
  runId: string,
  { hub, signal }: { hub: Hub; signal: AbortSignal },
  onEvent?: (event: RunEvent) => Promise<void> | undefined,
): Promise<EndedRun> {
  const events = hub.follow(runId, -1, signal)[Symbol.asyncIterator]();
  const log: RunEvent[] = [];
  try {
    let next = await unlessAborted(events.next(), signal);
    while (!next.done) {
      if (log.length <= MAX_HELD_EVENTS) log.push(next.value);
      await onEvent?.(next.value);
      next = await unlessAborted(events.next(), signal);
    }
  } finally {
    // Not awaited: a stream that does not react to the signal must not hold us either.
    void events.return?.()?.catch(() => undefined);
  }
  const run = await hub.run(runId);
  if (!isTerminal(run.status))
    throw new Error(`the log of run ${runId} ended while the run was ${run.status}`);
  return log.length <= MAX_HELD_EVENTS ? { run, log } : { run };
}
