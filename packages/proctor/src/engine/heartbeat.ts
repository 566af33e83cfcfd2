// Reports that this worker is alive while it holds runs, and finds out which of them it has lost.
import type { Clock } from "../core/ports/clock.ts";
import type { Delivery, Dispatcher } from "../core/ports/dispatcher.ts";

export interface Heartbeat {
  /** To be called when the first run is held. */
  start(): void;
  stop(): void;
}

export function createHeartbeat(options: {
  dispatcher: Dispatcher;
  clock: Clock;
  held: () => readonly Delivery[];
  /** Called when the run belongs to another worker. */
  onLost: (delivery: Delivery) => void;
  report: (problem: unknown, runId: string) => void;
}): Heartbeat {
  const { dispatcher, clock, held } = options;
  let callOff: (() => void) | undefined;
  let nextAt = 0;

  async function beat(): Promise<void> {
    try {
      for (const lost of await dispatcher.beat(held())) options.onLost(lost);
    } catch (problem) {
      // Nothing is known of the runs: they continue, and the store refuses their writes if they were given away.
      options.report(problem, "");
    }
  }

  function plan(): void {
    callOff = clock.after(Math.max(1, nextAt - clock.now()), () => {
      if (held().length === 0) return stop();
      nextAt = clock.now() + dispatcher.beatEveryMs;
      // One at a time: a slow database is not asked again before it answered.
      void beat().then(() => {
        if (callOff !== undefined) plan();
      });
    });
  }

  function stop(): void {
    callOff?.();
    callOff = undefined;
  }

  return {
    start() {
      if (callOff !== undefined) return;
      if (nextAt <= clock.now()) {
        nextAt = clock.now() + dispatcher.beatEveryMs;
        void beat();
      }
      plan();
    },
    stop,
  };
}
