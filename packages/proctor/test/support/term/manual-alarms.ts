// Alarms whose time passes only when a test says so.
import type { Alarm, CreateAlarm } from "../../../src/protocols/term/alarm.ts";

export interface ManualAlarms {
  createAlarm: CreateAlarm;
  /** Lets time pass for every alarm that is running. */
  pass(ms: number): void;
}

export function createManualAlarms(): ManualAlarms {
  const ticks = new Set<(ms: number) => void>();
  return {
    pass: (ms) => ticks.forEach((tick) => tick(ms)),
    createAlarm(_name, limitMs, ring): Alarm {
      let leftMs: number | undefined;
      const tick = (ms: number): void => {
        leftMs = (leftMs ?? 0) - ms;
        if (leftMs > 0) return;
        stop();
        ring();
      };
      const stop = (): void => {
        leftMs = undefined;
        ticks.delete(tick);
      };
      return {
        start() {
          leftMs = limitMs;
          ticks.add(tick);
        },
        stop,
        hold: () => void ticks.delete(tick),
        release() {
          if (leftMs !== undefined) ticks.add(tick);
        },
        close: stop,
      };
    },
  };
}
