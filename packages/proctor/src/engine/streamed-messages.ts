// Messages that an agent says piece by piece. Pieces are joined before they are written, so that a token costs no event, and no text
// is written twice: the end of a message holds only its length and hash.
import { createHash, type Hash } from "node:crypto";
import type { EventDraft } from "../core/event.ts";
import { MAX_MESSAGE_CHARS } from "../core/message.ts";
import type { Clock } from "../core/ports/clock.ts";
import type { Redactor } from "../core/redact.ts";
import type { Canary } from "./canary.ts";
import { LONGEST_SPELLING } from "./canary.ts";

export interface StreamedMessages {
  /** Returns a promise to wait for when the log is behind. */
  add(piece: { messageId: string; part: number; text: string; last: boolean }): Promise<void> | undefined;
  /** Writes pieces that wait for more, so that a later event comes after them in the log. */
  flush(): Promise<void> | undefined;
  /** Closes messages that the agent left open. */
  end(): Promise<void>;
}

interface Spoken {
  hash: Hash;
  chars: number;
  tooLong: boolean;
  /** One redaction for each part: a secret may be cut into pieces. */
  redactions: Map<number, ReturnType<Redactor["stream"]>>;
  part: number;
  waiting: string;
  /** The end of the text said last, in which a canary may begin. */
  tail: string;
}

/** Milliseconds that pieces wait for more while a reader follows the run, and while none does. */
const FOLLOWED_MS = 25;
const UNFOLLOWED_MS = 250;
/** Matches the first half of a character that takes two. */
const HALF = /[\uD800-\uDBFF]$/;
/** Characters that one event holds. */
const PIECE_CHARS = 16 * 1024;

export function createStreamedMessages(options: {
  record: (draft: EventDraft) => Promise<void> | undefined;
  redactor: Redactor;
  canary: Canary | undefined;
  clock: Clock;
  /** Returns whether a reader follows the run's log as it grows. */
  isFollowed: () => boolean;
}): StreamedMessages {
  const { record, redactor, canary, clock, isFollowed } = options;
  const open = new Map<string, Spoken>();
  const closed = new Set<string>();
  let callOff: (() => void) | undefined;

  function begin(id: string): Spoken {
    const spoken: Spoken = {
      hash: createHash("sha256"),
      chars: 0,
      tooLong: false,
      redactions: new Map(),
      part: 0,
      waiting: "",
      tail: "",
    };
    open.set(id, spoken);
    void record({ type: "message.opened", payload: { id, role: "agent" } });
    return spoken;
  }

  /** Writes the text, but holds back half a character for its other half: it has no bytes of its own. */
  function write(id: string, spoken: Spoken, isLast = false): Promise<void> | undefined {
    const { part, waiting } = spoken;
    const held = isLast ? "" : (HALF.exec(waiting)?.[0] ?? "");
    const text = isLast ? waiting.toWellFormed() : waiting.slice(0, waiting.length - held.length);
    if (text === "") return undefined;
    spoken.waiting = held;
    spoken.hash.update(text);
    return record({ type: "message.extended", payload: { id, part, text } });
  }

  function flush(): Promise<void> | undefined {
    callOff?.();
    callOff = undefined;
    let full: Promise<void> | undefined;
    for (const [id, spoken] of open) full = write(id, spoken) ?? full;
    return full;
  }

  function flushSoon(): void {
    callOff ??= clock.after(isFollowed() ? FOLLOWED_MS : UNFOLLOWED_MS, () => {
      callOff = undefined;
      void flush();
    });
  }

  /** Takes what fits: a message has its limit, and the rest is left out and recorded as missing. */
  function take(id: string, spoken: Spoken, text: string): void {
    const room = MAX_MESSAGE_CHARS - spoken.chars;
    const kept = text.length <= room ? text : text.slice(0, room);
    spoken.chars += kept.length;
    spoken.waiting += kept;
    if (kept.length === text.length || spoken.tooLong) return;
    spoken.tooLong = true;
    const message = `message ${id} has more than ${MAX_MESSAGE_CHARS} characters; the rest is left out`;
    void record({ type: "violation", payload: { rule: "message.too_large", message } });
  }

  function search(spoken: Spoken, text: string): void {
    if (canary === undefined) return;
    canary.look(spoken.tail + text, "a message");
    spoken.tail = (spoken.tail + text).slice(-LONGEST_SPELLING);
  }

  function close(id: string, spoken: Spoken): Promise<void> | undefined {
    for (const redaction of spoken.redactions.values()) take(id, spoken, redaction.end());
    void write(id, spoken, true);
    open.delete(id);
    closed.add(id);
    const { chars, hash } = spoken;
    return record({
      type: "message.closed",
      payload: { id, chars, sha256: hash.digest("hex"), parts: [] },
    });
  }

  return {
    add({ messageId: id, part, text, last }) {
      if (closed.has(id)) return repeated(id);
      const spoken = open.get(id) ?? begin(id);
      search(spoken, text);
      let full: Promise<void> | undefined;
      if (part !== spoken.part) {
        take(id, spoken, spoken.redactions.get(spoken.part)?.end() ?? "");
        spoken.redactions.delete(spoken.part);
        full = write(id, spoken, true);
        spoken.part = part;
      }
      const redaction = spoken.redactions.get(part) ?? redactor.stream();
      spoken.redactions.set(part, redaction);
      take(id, spoken, redaction.push(text));
      if (last) return close(id, spoken) ?? full;
      if (spoken.waiting.length >= PIECE_CHARS) return write(id, spoken) ?? full;
      flushSoon();
      return full;
    },
    flush,
    async end() {
      callOff?.();
      callOff = undefined;
      for (const [id, spoken] of open) await close(id, spoken);
    },
  };

  function repeated(id: string): Promise<void> | undefined {
    const message = `message ${id} was ended, and more of it came; it is left out`;
    return record({ type: "violation", payload: { rule: "message.ended", message } });
  }
}
