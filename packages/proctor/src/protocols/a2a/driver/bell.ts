// Wakes one that waits for any of several things: news, letters, a wish to stop. What it was is looked for afterwards.
import { setImmediate } from "node:timers/promises";
import type { Clock } from "../../../core/ports/clock.ts";

export interface Bell {
  ring(): void;
  /** Rejects the next wait with a bug. */
  fail(bug: unknown): void;
  /** Resolves when the bell has rung since the last call. */
  rung(): Promise<void>;
  /** Resolves when the bell rings, or after this many milliseconds. */
  rungWithin(clock: Clock, ms: number): Promise<void>;
  /** Resolves after everything that is ready to run has had its turn. */
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
