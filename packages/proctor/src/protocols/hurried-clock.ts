// The time of a replay: what waited then does not wait now.
import type { Clock } from "../core/ports/clock.ts";
import { systemClock } from "../runtime/time/system-clock.ts";

export const HURRIED: Clock = {
  now: () => systemClock.now(),
  after: (_ms, callback) => systemClock.after(0, callback),
};
