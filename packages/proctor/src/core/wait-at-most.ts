// Waiting for something that may take too long, by an injected clock.
import type { Clock } from "./ports/clock.ts";

/** Resolves when the promise does or when the time is over; rejects when the promise rejects before. */
export async function waitAtMost(clock: Clock, limitMs: number, promise: Promise<unknown>): Promise<void> {
  let callOff = (): void => {};
  const limit = new Promise<void>((resolve) => (callOff = clock.after(limitMs, resolve)));
  try {
    await Promise.race([promise, limit]);
  } finally {
    callOff();
  }
}
