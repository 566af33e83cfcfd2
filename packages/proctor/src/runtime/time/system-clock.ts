// The real clock. Delays longer than a timer can hold are cut into pieces.
import type { Clock } from "../../core/ports/clock.ts";

const LONGEST_TIMER_MS = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Date.now(),
  after(delayMs, callback) {
    let timer: NodeJS.Timeout;
    const arm = (leftMs: number): void => {
      const stepMs = Math.min(leftMs, LONGEST_TIMER_MS);
      timer = setTimeout(() => (leftMs > stepMs ? arm(leftMs - stepMs) : callback()), stepMs);
    };
    arm(delayMs);
    return () => clearTimeout(timer);
  },
};
