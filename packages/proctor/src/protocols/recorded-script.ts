// The recorded run from the driver's side, entry by entry: what the agent sent, where the platform stopped it, and the calls of
// tools, which are made again in their place. Which fields a transport reads is its own business.
import type { StopSignals } from "../core/ports/driver.ts";
import {
  isRecordedCall,
  type RecordedCall,
  type RecordedMessage,
  type Recording,
  type RecordingEnd,
} from "../core/recording.ts";

export interface Script {
  /** Resolves with the agent's next message, or the note that it overstayed; undefined at the end of the recording, or when it is left early. */
  next(): Promise<RecordedMessage | undefined>;
  /** Resolves with the same message without moving on. */
  peek(): Promise<RecordedMessage | undefined>;
  /** True when the replay has reached the point at which the platform stopped the recorded run: only the recording knows how it ended. */
  readonly stopped: boolean;
  /** True when this run was stopped where the recorded one went on. */
  readonly left: boolean;
  /** The recording ended before the connection or the process did. */
  unfinished: boolean;
  readonly end: RecordingEnd | undefined;
}

export interface ScriptOptions {
  signals: StopSignals;
  taskId: string;
  callTool: (call: RecordedCall) => Promise<void>;
  /** Called where the recorded run was stopped. */
  onStop: () => void;
}

export function createScript({ header, entries, end }: Recording, options: ScriptOptions): Script {
  const { signals, taskId, callTool, onStop } = options;
  const rename = renamer(header.run_id, taskId);
  const stopAt = entries.findLastIndex((entry) => !isRecordedCall(entry) && isStop(entry));
  let at = 0;
  let stopped = false;

  /** When the recorded agent was told to stop as well, its reaction is played to its end. */
  const isLeft = (): boolean => signals.kill.aborted || (signals.cancel.aborted && !stopped && stopAt < at);

  async function peek(): Promise<RecordedMessage | undefined> {
    for (; at < entries.length; at++) {
      if (isLeft()) return undefined;
      const entry = entries[at];
      if (entry === undefined) break;
      if (isRecordedCall(entry)) await callTool(entry);
      else if (entry.direction === "received" || entry.name === "lingered") return rename(entry);
      else if (isStop(entry) && !stopped) {
        stopped = true;
        onStop();
      }
    }
    return undefined;
  }

  return {
    async next() {
      const entry = await peek();
      if (entry !== undefined) at++;
      return entry;
    },
    peek,
    get stopped() {
      return stopped;
    },
    get left() {
      return isLeft();
    },
    unfinished: false,
    end,
  };
}

function isStop({ direction, channel, name }: RecordedMessage): boolean {
  return direction === "sent" && channel === "close" && name !== "lingered";
}

/** Replaces the recorded task's id by the new one in `task_id`, and changes nothing else. */
function renamer(recorded: string, now: string): (message: RecordedMessage) => RecordedMessage {
  const named = new RegExp(`("task_id"\\s*:\\s*")${recorded.replaceAll(/[^\w-]/g, "\\$&")}"`, "g");
  return (message) => {
    if (!message.text.includes(recorded)) return message;
    return { ...message, text: message.text.replaceAll(named, (_all, key: string) => `${key}${now}"`) };
  };
}
