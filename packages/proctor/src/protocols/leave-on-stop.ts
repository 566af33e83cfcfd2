// To leave is how a protocol over HTTP cancels: a request ends when the run is cancelled or killed, and when its reader stops in the
// middle.
import type { StopSignals } from "../core/ports/driver.ts";
import type { WireTap } from "./wire-tap.ts";

export interface Leaving {
  /** Aborts once the agent is left. */
  readonly signal: AbortSignal;
  /** Must be called at the end, in every case: an answer that was not read to its end is left. */
  close(heard: boolean): void;
}

export function leaveOnStop({ cancel, kill }: StopSignals, tap: WireTap | undefined): Leaving {
  const leaving = new AbortController();
  const { signal } = leaving;
  function leave(): void {
    if (signal.aborted) return;
    tap?.sent("close", "", { name: "cancel" });
    leaving.abort();
  }
  if (cancel.aborted || kill.aborted) leave();
  cancel.addEventListener("abort", leave);
  kill.addEventListener("abort", leave);
  return {
    signal,
    close(heard) {
      if (!heard) leave();
      cancel.removeEventListener("abort", leave);
      kill.removeEventListener("abort", leave);
    },
  };
}
