// Work that ends with a signal, or after a time. Node 20 loses `AbortSignal.timeout` inside `AbortSignal.any` when it collects garbage: the time then
// never ends. A timer of our own is never collected.
import { setMaxListeners } from "node:events";

/** Runs the work with a signal that is aborted with the given one, or when the time is over; the timer is gone when the work is done. */
export async function withinTime<T>(
  signal: AbortSignal,
  limitMs: number,
  work: (limit: AbortSignal) => Promise<T>,
): Promise<T> {
  const limit = new AbortController();
  const leave = (): void => limit.abort(signal.reason);
  const timer = setTimeout(() => limit.abort(new DOMException("the time is over", "TimeoutError")), limitMs);
  // Any number of works may wait for one signal: Node would take more than ten for a leak.
  setMaxListeners(0, signal);
  if (signal.aborted) leave();
  signal.addEventListener("abort", leave, { once: true });
  try {
    return await work(limit.signal);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", leave);
  }
}
