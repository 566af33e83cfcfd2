// An answer that is text, as it is spoken: reported piece by piece, and kept as the result.
import { randomUUID } from "node:crypto";
import type { Json } from "../core/json.ts";
import { MAX_MESSAGE_CHARS } from "../core/message.ts";
import type { AgentReport } from "../core/ports/driver.ts";
import { noteReport } from "./reports.ts";

export interface SpokenAnswer {
  /** Takes the next piece of the text. */
  say(text: string): AgentReport[];
  /** Ends the text; reports nothing when nothing was said. */
  close(): AgentReport[];
  /** Everything that was said. */
  readonly text: string;
  /** True once more was said than an answer may hold. The piece that was too much is dropped. */
  readonly overflowed: boolean;
}

/** Characters of the longest answer. */
export const MAX_ANSWER_CHARS = 16 * 1024 * 1024;

export function createSpokenAnswer(maxChars: number = MAX_ANSWER_CHARS): SpokenAnswer {
  const messageId = randomUUID();
  const pieces: string[] = [];
  let chars = 0;
  let overflowed = false;
  let state: "silent" | "open" | "closed" = "silent";

  function report(text: string, last: boolean): AgentReport {
    state = last ? "closed" : "open";
    return { kind: "text", messageId, part: 0, text, last };
  }

  return {
    say(text) {
      if (text === "" || overflowed) return [];
      overflowed = chars + text.length > maxChars;
      if (overflowed) return [];
      pieces.push(text);
      chars += text.length;
      if (state === "closed") return [];
      if (chars <= MAX_MESSAGE_CHARS) return [report(text, false)];
      const note = noteReport(
        `the answer is longer than a message may be; the whole of it is the artifact "result"`,
      );
      return [...(state === "open" ? [report("", true)] : []), note];
    },
    close: () => (state === "open" ? [report("", true)] : []),
    get text() {
      return pieces.join("");
    },
    get overflowed() {
      return overflowed;
    },
  };
}

/** Returns the answer as the artifact by which suites and clients know it. */
export function resultReport(output: Json): AgentReport {
  return { kind: "artifact", artifact: { type: "structured", name: "result", data: { output } } };
}
