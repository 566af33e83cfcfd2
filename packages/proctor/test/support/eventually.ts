// Waits for something that will be true soon, however slow the machine is: only a hang reaches the limit.
import { vi } from "vitest";

/** Milliseconds that no working program needs, not even on a machine ten times slower than usual. */
export const HANG_MS = 180_000;

/** Tries again until `attempt` no longer throws, and resolves with what it returned. */
export function eventually<T>(attempt: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(attempt, { timeout: HANG_MS, interval: 20 });
}
