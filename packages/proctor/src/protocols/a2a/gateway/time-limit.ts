// How long an agent may take to answer. A stream is open when its head has come; how long it lasts is nobody's business here.
import type { Clock } from "../../../core/ports/clock.ts";
import { A2aError } from "../errors.ts";

export interface TimeLimit {
  clock: Clock;
  timeoutMs: number;
}

/** Rejects with UNAVAILABLE when the time is up; the signal that `work` gets is aborted then. */
export async function withTimeLimit<T>(
  { clock, timeoutMs }: TimeLimit,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const late = new AbortController();
  const callOff = clock.after(timeoutMs, () => late.abort());
  try {
    return await work(AbortSignal.any([signal, late.signal]));
  } catch (error) {
    if (!late.signal.aborted || signal.aborted) throw error;
    const message = `the agent behind the gateway has not answered within ${timeoutMs / 1000} s`;
    throw new A2aError("UNAVAILABLE", message, { cause: error });
  } finally {
    callOff();
  }
}
