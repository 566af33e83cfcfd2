// A recording in the place of an agent's process: what it said then it says now, each line after as many requests as then.
import type { ProcessChannel, ProcessOutput } from "../../../channels/process/open-process.ts";
import { isRecordedCall, type Recording } from "../../../core/recording.ts";
import { recordedLine, recordedNotStarted } from "../../recorded-output.ts";
import type { AlarmName, CreateAlarm } from "../alarm.ts";

export interface PlayedAgent {
  channel: ProcessChannel;
  /** Creates alarms that ring where they rang in the recording, and never by themselves. */
  createAlarm: CreateAlarm;
  /** True when the platform stopped the recorded run and the replay has got there. */
  readonly stopped: boolean;
  /** True when the recording ended before the process did. */
  readonly unfinished: boolean;
}

export function playAgent({ entries, end }: Recording, onStop: () => void): PlayedAgent {
  const alarms = createAlarms();
  let asked = 0;
  let left = false;
  let stopped = false;
  let unfinished = false;
  let wake = (): void => undefined;

  /** Resolves with false when no further request will come. */
  async function isAsked(times: number): Promise<boolean> {
    for (;;) {
      if (asked >= times || left) return asked >= times;
      await new Promise<void>((resolve) => (wake = resolve));
    }
  }

  async function* outputs(): AsyncGenerator<readonly ProcessOutput[]> {
    let requests = 0;
    for (const entry of entries) {
      if (isRecordedCall(entry)) continue;
      const { direction, channel, name } = entry;
      if (direction === "sent" && channel === "stdin") {
        if (!(await isAsked(++requests))) break;
      } else if (direction === "sent") {
        if (name === "agent_response" || name === "lingered") alarms.ring(name);
        else if (!stopped) {
          stopped = true;
          onStop();
        }
      } else if (channel === "close" && name === "not-started") return yield [recordedNotStarted(entry)];
      else yield [channel === "close" ? { kind: "closed", stream: "stdout" } : recordedLine(entry)];
    }
    yield [exitOf()];
  }

  function exitOf(): ProcessOutput {
    const { exit_code: code = null, signal = null, leftover = 0 } = end ?? {};
    if (code !== null || signal !== null) return { kind: "exit", code, signal, leftover };
    unfinished = true;
    return { kind: "exit", code: 0, signal: null, leftover };
  }

  function leave(): void {
    left = true;
    wake();
  }

  return {
    createAlarm: alarms.create,
    channel: {
      pid: undefined,
      write() {
        asked++;
        wake();
        return Promise.resolve(true);
      },
      endInput: leave,
      signal(name) {
        if (name === "SIGTERM") leave();
      },
      pause() {},
      resume() {},
      kill() {
        leave();
        return Promise.resolve();
      },
      [Symbol.asyncIterator]: outputs,
    },
    get stopped() {
      return stopped;
    },
    get unfinished() {
      return unfinished;
    },
  };
}

/** Creates alarms; one that rang before it was started here rings when it is. */
function createAlarms() {
  const known = new Map<AlarmName, { ring: () => void; started: boolean }>();
  const due = new Set<AlarmName>();
  const create: CreateAlarm = (name, _limitMs, ring) => {
    const alarm = { ring, started: false };
    known.set(name, alarm);
    const stop = (): void => {
      alarm.started = false;
    };
    return {
      start() {
        alarm.started = true;
        if (due.delete(name)) ring();
      },
      stop,
      hold: stop,
      release() {
        alarm.started = true;
      },
      close: stop,
    };
  };
  return {
    create,
    ring(name: AlarmName): void {
      const alarm = known.get(name);
      if (alarm?.started === true) alarm.ring();
      else due.add(name);
    },
  };
}
