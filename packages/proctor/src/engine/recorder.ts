// Writes one run's events in order, in batches, with a bounded buffer: a caller that pushes too fast waits for the disk, and so
// holds the agent back. Also bounds how much of a flood is kept: logs and messages by bytes, violations by rule.
import type { EventDraft } from "../core/event.ts";
import type { Clock } from "../core/ports/clock.ts";
import type { OwnerOptions, RunStore } from "../core/ports/run-store.ts";
import type { NewEvent } from "../core/ports/store.ts";
import type { Redactor } from "../core/redact.ts";
import { attributed } from "../core/violation-owner.ts";
import { toNewEvent } from "./new-event.ts";

export interface Recorder {
  /** Returns undefined when there is room; otherwise a promise to wait for before pushing more. */
  push(draft: EventDraft): Promise<void> | undefined;
  /** Resolves when everything pushed so far is on disk. */
  flush(): Promise<void>;
  /**
   * Writes what waits to be written, this event, and what belongs to it outside the log, in one commit: the report and the data to continue after it
   * are on disk together, or neither is. Resolves when they are.
   */
  write(draft: EventDraft, beside: Beside): Promise<void>;
  /** Resolves when no write is under way, whether it succeeded or not. */
  idle(): Promise<void>;
  /** Writes nothing more: from now on everything is refused with this error. */
  close(reason: Error): void;
  /** Writes everything pushed and then this last event; resolves when all of it is on disk. */
  finish(last: EventDraft, options?: Omit<OwnerOptions, "fence">): Promise<void>;
}

type Beside = Pick<OwnerOptions, "continuation">;

/**
 * Milliseconds that an event may wait for others before it is written. A commit costs about as much as a hundred events, and
 * no reader needs events sooner.
 */
const BATCH_MS = 25;
const MAX_BUFFERED_EVENTS = 1000;
const MAX_BUFFERED_CHARS = 1024 * 1024;
const MAX_LOG_BYTES = 10 * 1024 * 1024;
/** Characters of its messages that a recorded run keeps: the first ones, without gaps. */
const MAX_WIRE_CHARS = 32 * 1024 * 1024;
/** Characters counted for each message in addition to its text, so that a flood of tiny messages is bounded as well. */
const MESSAGE_COST_CHARS = 128;
const MAX_VIOLATIONS_PER_RULE = 20;

export function createRecorder(options: {
  store: Pick<RunStore, "append">;
  runId: string;
  fence: number;
  redactor: Redactor;
  clock: Clock;
}): Recorder {
  const { store, runId, fence, redactor, clock } = options;
  const violations = new Map<string, number>();
  let buffer: NewEvent[] = [];
  let bufferedChars = 0;
  let writing: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let failed: unknown;
  let logBytes = 0;
  let droppedLogBytes = 0;
  let wireChars = 0;
  let droppedWireBytes = 0;

  function buffered(draft: EventDraft): void {
    const owned: EventDraft =
      draft.type === "violation" ? { ...draft, payload: attributed(draft.payload) } : draft;
    const event = toNewEvent(owned, redactor, clock.now());
    buffer.push(event);
    bufferedChars += event.payload.length;
  }

  function isFull(): boolean {
    return buffer.length >= MAX_BUFFERED_EVENTS || bufferedChars >= MAX_BUFFERED_CHARS;
  }

  function takeBuffer(): NewEvent[] {
    const batch = buffer;
    buffer = [];
    bufferedChars = 0;
    return batch;
  }

  /** Writes one batch at a time; what arrives meanwhile is the next. */
  async function write(beside?: Beside): Promise<void> {
    try {
      if (failed !== undefined) throw failed;
      await store.append(runId, takeBuffer(), { fence, ...beside });
      while (isFull()) await store.append(runId, takeBuffer(), { fence });
    } catch (error) {
      failed = error;
      takeBuffer();
      throw error;
    } finally {
      writing = undefined;
    }
    if (buffer.length > 0) writeSoon();
  }

  function writeNow(beside?: Beside): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    if (writing) return writing;
    writing = write(beside);
    // The next push rejects with what is in `failed`.
    writing.catch(() => undefined);
    return writing;
  }

  function writeSoon(): void {
    if (writing === undefined) timer ??= setTimeout(() => void writeNow(), BATCH_MS);
  }

  function isWorthKeeping(draft: EventDraft): boolean {
    if (draft.type === "log") {
      logBytes += draft.payload.text.length;
      if (logBytes <= MAX_LOG_BYTES) return true;
      droppedLogBytes += draft.payload.text.length + (draft.payload.dropped_bytes ?? 0);
      return false;
    }
    if (draft.type === "wire.message") {
      wireChars += draft.payload.text.length + MESSAGE_COST_CHARS;
      if (wireChars <= MAX_WIRE_CHARS) return true;
      droppedWireBytes += draft.payload.text.length + (draft.payload.dropped_bytes ?? 0);
      return false;
    }
    if (draft.type === "violation") {
      const count = (violations.get(draft.payload.rule) ?? 0) + 1;
      violations.set(draft.payload.rule, count);
      return count <= MAX_VIOLATIONS_PER_RULE;
    }
    return true;
  }

  /** Records how much was counted instead of kept. */
  function pushRemainders(): void {
    if (droppedLogBytes > 0) {
      buffered({
        type: "log",
        payload: { stream: "platform", text: "more output was not kept", dropped_bytes: droppedLogBytes },
      });
    }
    if (wireChars > MAX_WIRE_CHARS) {
      const direction = "received";
      const payload = { direction, channel: "dropped", text: "", dropped_bytes: droppedWireBytes } as const;
      buffered({ type: "wire.message", payload });
    }
    for (const [rule, count] of violations) {
      const repeated = count - MAX_VIOLATIONS_PER_RULE;
      if (repeated > 0) {
        buffered({ type: "violation", payload: { rule, message: `${repeated} more of the same`, repeated } });
      }
    }
  }

  return {
    push(draft) {
      if (failed !== undefined) return Promise.reject(failed);
      if (!isWorthKeeping(draft)) return undefined;
      buffered(draft);
      if (isFull()) return writeNow();
      writeSoon();
      return undefined;
    },
    async flush() {
      // The batch that is being written may not hold everything yet.
      await writing;
      if (failed !== undefined) throw failed;
      if (buffer.length > 0) await writeNow();
    },
    async idle() {
      await writing?.catch(() => undefined);
    },
    close(reason) {
      clearTimeout(timer);
      failed ??= reason;
      takeBuffer();
    },
    async write(draft, beside) {
      // Checked again each time: another caller may have begun the next batch.
      for (let busy = writing; busy !== undefined; busy = writing) await busy;
      if (failed !== undefined) throw failed;
      buffered(draft);
      await writeNow(beside);
    },
    async finish(last, appendOptions) {
      await writing?.catch(() => undefined);
      clearTimeout(timer);
      if (failed !== undefined) throw failed;
      pushRemainders();
      buffered(last);
      await store.append(runId, takeBuffer(), { fence, ...appendOptions });
    },
  };
}
