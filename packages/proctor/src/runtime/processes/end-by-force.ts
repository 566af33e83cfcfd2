// Ends a program that has to stop: asks twice, then kills.
import { setTimeout as delay } from "node:timers/promises";

/** Milliseconds that a program has to end after each signal. */
export const GRACE_MS = { SIGINT: 400, SIGTERM: 600, SIGKILL: 1000 } as const;

/** Sends one signal after the other until `ended` resolves; resolves with false when even the last one did not end it. */
export async function endByForce(
  send: (signal: keyof typeof GRACE_MS) => void | Promise<void>,
  ended: Promise<unknown>,
  signals: readonly (keyof typeof GRACE_MS)[] = ["SIGINT", "SIGTERM", "SIGKILL"],
): Promise<boolean> {
  for (const signal of signals) {
    await send(signal);
    if (await within(ended, GRACE_MS[signal])) return true;
  }
  return false;
}

/** Resolves with whether the promise resolves within `timeoutMs`. */
export async function within(promise: Promise<unknown>, timeoutMs: number): Promise<boolean> {
  const timer = new AbortController();
  try {
    return await Promise.race([
      promise.then(() => true),
      delay(timeoutMs, false, { signal: timer.signal }).catch(() => false),
    ]);
  } finally {
    timer.abort();
  }
}
