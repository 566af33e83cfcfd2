// A clock for scripts that wait: what takes a second takes a twentieth of it.
import type { Clock } from "../../../src/core/ports/clock.ts";

const SPEED = 20;

export const fastClock: Clock = {
  now: () => Date.now(),
  after(delayMs, callback) {
    const timer = setTimeout(callback, delayMs / SPEED);
    return () => clearTimeout(timer);
  },
};
