// A time limit that is started and stopped many times a second: one timer serves all of them.

export interface Alarm {
  /** Rings after the limit from now, unless stopped before. */
  start(): void;
  stop(): void;
  /** Stops the time until `release` or `start`. */
  hold(): void;
  release(): void;
  /** Stops the alarm for good. */
  close(): void;
}

export type CreateAlarm = (name: AlarmName, limitMs: number, ring: () => void) => Alarm;

/** What an alarm limits the wait for: an answer, or the exit after the agent's last answer. */
export type AlarmName = "agent_response" | "lingered";

/** The longest delay that Node's timers take. */
const MAX_TIMER_MS = 2 ** 31 - 1;

export const createAlarm: CreateAlarm = (_name, limitMs, ring) => {
  let ringsAt: number | undefined;
  let leftMs: number | undefined;
  let timer: NodeJS.Timeout | undefined;

  function arm(inMs: number): void {
    timer = setTimeout(look, Math.min(Math.max(1, inMs), MAX_TIMER_MS));
  }

  /** Checks the time when the timer fires, which starts and stops leave alone. */
  function look(): void {
    timer = undefined;
    if (ringsAt === undefined) return;
    const left = ringsAt - performance.now();
    if (left > 0) return arm(left);
    ringsAt = undefined;
    ring();
  }

  function startFor(ms: number): void {
    leftMs = undefined;
    ringsAt = performance.now() + ms;
    if (timer === undefined) arm(ms);
  }

  return {
    start: () => startFor(limitMs),
    stop() {
      ringsAt = undefined;
      leftMs = undefined;
    },
    hold() {
      if (ringsAt === undefined) return;
      leftMs = Math.max(0, ringsAt - performance.now());
      ringsAt = undefined;
    },
    release() {
      if (leftMs === undefined) return;
      const left = leftMs;
      clearTimeout(timer);
      timer = undefined;
      startFor(left);
    },
    close() {
      ringsAt = undefined;
      leftMs = undefined;
      clearTimeout(timer);
      timer = undefined;
    },
  };
};
