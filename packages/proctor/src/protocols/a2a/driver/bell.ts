// Wakes one that waits for any of several things: news, letters, a wish to stop. What it was is looked for afterwards.
import { setImmediate } from "node:timers/promises";
import type { Clock } from "../../../core/ports/clock.ts";

export interface Bell {
  ring(): void;
  /** The next that waits is told of a bug. */
  fail(bug: unknown): void;
  /** Resolves when it was rung since the last time. */
  rung(): Promise<void>;
  /** The same, or after so many milliseconds. */
  rungWithin(clock: Clock, ms: number): Promise<void>;
  /** Lets everything happen that is only waiting for its turn. */
  turn(): Promise<void>;
}

export function createBell(): Bell {
  let isRung = false;
  let bug: { what: unknown } | undefined;
  let wake = (): void => undefined;

  function ring(): void {
    isRung = true;
    wake();
  }

  async function rung(): Promise<void> {
    if (!isRung) await new Promise<void>((resolve) => (wake = resolve));
    isRung = false;
    if (bug) throw bug.what;
  }

  return {
    ring,
    fail(what) {
      bug = { what };
      ring();
    },
    rung,
    async rungWithin(clock, ms) {
      const callOff = clock.after(ms, ring);
      await rung();
      callOff();
    },
    turn: () => setImmediate(),
  };
}
