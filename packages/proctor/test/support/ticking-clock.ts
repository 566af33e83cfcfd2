// The real clock, except that it never shows the same millisecond twice: what happens later is later by its timestamp, too.
import type { Clock } from "../../src/core/ports/clock.ts";
import { systemClock } from "../../src/runtime/time/system-clock.ts";

export function createTickingClock(): Clock {
  let shown = 0;
  return {
    now: () => (shown = Math.max(shown + 1, systemClock.now())),
    after: (delayMs, callback) => systemClock.after(delayMs, callback),
  };
}
