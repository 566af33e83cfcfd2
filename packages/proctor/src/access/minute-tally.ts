// Counts repeated events by a key, and reports them twice a minute at most: the first at once, the others when the
// minute is over.
import { createOldestKey } from "../core/oldest-key.ts";
import type { Clock } from "../core/ports/clock.ts";

export interface Minute {
  /** When the minute began, in epoch milliseconds. */
  startedAt: number;
  count: number;
  /** Why the first one of the minute happened. */
  reason: string;
}

export interface MinuteTally {
  /** Counts one more, and returns the minute that it belongs to. */
  add(key: string, reason: string): Minute;
  /** Reports what has not been reported yet. */
  flush(): void;
}

export const MINUTE_MS = 60_000;
/** Keys that are counted at once; the oldest is reported before another takes its place. */
const MAX_KEYS = 10_000;

export function createMinuteTally(
  clock: Clock,
  tell: (key: string, reason: string, count: number) => void,
): MinuteTally {
  const minutes = new Map<string, Minute>();
  const oldest = createOldestKey(minutes);
  let cancelTimer: (() => void) | undefined;

  function drop(key: string): void {
    const minute = minutes.get(key);
    minutes.delete(key);
    if (minute && minute.count > 1) tell(key, minute.reason, minute.count - 1);
  }

  function begin(key: string, reason: string): Minute {
    if (minutes.size >= MAX_KEYS) drop(oldest() ?? "");
    const minute = { startedAt: clock.now(), count: 0, reason };
    minutes.set(key, minute);
    cancelTimer ??= clock.after(MINUTE_MS, sweep);
    return minute;
  }

  function sweep(): void {
    cancelTimer = undefined;
    const now = clock.now();
    for (const [key, { startedAt }] of minutes) if (now - startedAt >= MINUTE_MS) drop(key);
    if (minutes.size > 0) cancelTimer = clock.after(MINUTE_MS, sweep);
  }

  return {
    add(key, reason) {
      const before = minutes.get(key);
      if (before && clock.now() - before.startedAt >= MINUTE_MS) drop(key);
      const minute = minutes.get(key) ?? begin(key, reason);
      minute.count += 1;
      if (minute.count === 1) tell(key, reason, 1);
      return minute;
    },
    flush() {
      cancelTimer?.();
      cancelTimer = undefined;
      for (const key of minutes.keys()) drop(key);
    },
  };
}
