// A clock that stands still until a test moves it.
import type { Clock } from "../../src/core/ports/clock.ts";

export interface ManualClock extends Clock {
  advance(ms: number): void;
  /** Delays that are waiting. */
  readonly waiting: number;
}

export function createManualClock(startMs = Date.parse("2026-01-01T00:00:00Z")): ManualClock {
  let nowMs = startMs;
  let timers: { atMs: number; callback: () => void }[] = [];
  return {
    now: () => nowMs,
    after(delayMs, callback) {
      const timer = { atMs: nowMs + delayMs, callback };
      timers.push(timer);
      return () => (timers = timers.filter((other) => other !== timer));
    },
    advance(ms) {
      const endMs = nowMs + ms;
      for (;;) {
        const [due] = timers.filter(({ atMs }) => atMs <= endMs).sort((a, b) => a.atMs - b.atMs);
        if (!due) break;
        timers = timers.filter((timer) => timer !== due);
        nowMs = Math.max(nowMs, due.atMs);
        due.callback();
      }
      nowMs = endMs;
    },
    get waiting() {
      return timers.length;
    },
  };
}
