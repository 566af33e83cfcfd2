// Waits for something that will be true soon, however slow the machine is: only a hang reaches the limit.
import { vi } from "vitest";

/** Milliseconds that no working program needs, not even on a machine ten times slower than usual. */
export const HANG_MS = 180_000;

const FIRST_PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 250;
/** What takes long is looked at less often: a look may be a request, and costs whoever is looked at as much as the test. */
const PART_OF_THE_WAIT = 0.1;

/** Tries again until `attempt` no longer throws, and resolves with what it returned. */
export async function eventually<T>(attempt: () => T | Promise<T>): Promise<T> {
  // Where the test moves the clock, waiting moves it, too.
  if (vi.isFakeTimers()) return vi.waitFor(attempt, { timeout: HANG_MS, interval: FIRST_PAUSE_MS });
  const began = performance.now();
  for (;;) {
    const waitedMs = performance.now() - began;
    try {
      return await attempt();
    } catch (error) {
      if (waitedMs > HANG_MS) throw error;
    }
    const pauseMs = Math.min(LONGEST_PAUSE_MS, Math.max(FIRST_PAUSE_MS, waitedMs * PART_OF_THE_WAIT));
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}
