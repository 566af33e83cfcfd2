// A clock that goes with the real one until it is stopped; then it moves only when it is told to. So a test plays an hour of a script at once.
import type { Clock } from "../../core/ports/clock.ts";

export interface VirtualClock extends Clock {
  readonly isVirtual: boolean;
  /** Stops the clock: from now on time passes only by `advance`. Delays under way wait for it too. */
  stop(): void;
  /** Moves a stopped clock, and ends the delays that are over by then in their order, including those that begin meanwhile. */
  advance(ms: number): Promise<void>;
  /** Starts the clock again, from the time that it shows. */
  start(): void;
}

interface Delay {
  atMs: number;
  callback: () => void;
  callOff: () => void;
}

export function createVirtualClock(real: Clock): VirtualClock {
  const delays = new Set<Delay>();
  /** Time of the stopped clock in epoch milliseconds; undefined while it runs. */
  let stoppedAtMs: number | undefined;
  let offsetMs = 0;

  const now = (): number => stoppedAtMs ?? real.now() + offsetMs;

  function arm(delay: Delay): void {
    delay.callOff();
    delay.callOff = real.after(Math.max(0, delay.atMs - now()), () => end(delay));
  }

  function end(delay: Delay): void {
    delays.delete(delay);
    delay.callOff();
    delay.callback();
  }

  return {
    now,
    get isVirtual() {
      return stoppedAtMs !== undefined;
    },
    after(delayMs, callback) {
      const delay: Delay = { atMs: now() + delayMs, callback, callOff: () => undefined };
      delays.add(delay);
      if (stoppedAtMs === undefined) arm(delay);
      return () => {
        delays.delete(delay);
        delay.callOff();
      };
    },
    stop() {
      if (stoppedAtMs !== undefined) return;
      stoppedAtMs = now();
      for (const delay of delays) delay.callOff();
    },
    async advance(ms) {
      if (stoppedAtMs === undefined) throw new Error("only a stopped clock can be moved");
      const endMs = stoppedAtMs + ms;
      // The loop ends when the clock was started meanwhile.
      while (stoppedAtMs !== undefined) {
        let due: Delay | undefined;
        for (const delay of delays)
          if (delay.atMs <= endMs && delay.atMs < (due?.atMs ?? Infinity)) due = delay;
        if (due === undefined) {
          stoppedAtMs = Math.max(stoppedAtMs, endMs);
          return;
        }
        stoppedAtMs = Math.max(stoppedAtMs, due.atMs);
        end(due);
        // A script whose delay is over goes on, and may begin another delay.
        await new Promise(setImmediate);
      }
    },
    start() {
      if (stoppedAtMs === undefined) return;
      offsetMs = stoppedAtMs - real.now();
      stoppedAtMs = undefined;
      for (const delay of delays) arm(delay);
    },
  };
}
