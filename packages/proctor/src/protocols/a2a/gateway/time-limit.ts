// How long an agent may take to answer. A stream is open when its head has come; how long it lasts is nobody's business here.
import type { Clock } from "../../../core/ports/clock.ts";
import { A2aError } from "../errors.ts";

export interface TimeLimit {
  clock: Clock;
  timeoutMs: number;
}

/** Rejects with UNAVAILABLE when the time is up; `working` is aborted then. */
export async function withTimeLimit<T>(
  { clock, timeoutMs }: TimeLimit,
  working: AbortController,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  let isLate = false;
  const callOff = clock.after(timeoutMs, () => {
    isLate = !working.signal.aborted;
    working.abort();
  });
  try {
    return await work(working.signal);
  } catch (error) {
    if (!isLate) throw error;
    const message = `the agent behind the gateway has not answered within ${timeoutMs / 1000} s`;
    throw new A2aError("UNAVAILABLE", message, { cause: error });
  } finally {
    callOff();
  }
}

/** Does the same for work that also ends with a signal. Written by hand: joining signals costs more than the rest of it. */
export async function untilLate<T>(
  limit: TimeLimit,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const working = new AbortController();
  const leave = (): void => working.abort(signal.reason);
  signal.addEventListener("abort", leave, { once: true });
  if (signal.aborted) leave();
  try {
    return await withTimeLimit(limit, working, work);
  } finally {
    signal.removeEventListener("abort", leave);
  }
}
