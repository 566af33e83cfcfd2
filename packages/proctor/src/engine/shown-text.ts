// The text of an artifact that grows, as far as it can be shown before it is whole: the same that is stored in the end, whole characters
// only, and without secrets, wherever the agent cuts it into pieces.
import type { Redactor } from "../core/redact.ts";

export interface ShownText {
  /** Returns the part of the text that can be shown now; empty where there is none. */
  push(content: Uint8Array): string;
  /** Returns the part that was held back. */
  end(): string;
}

/** Characters of the artifacts of one run that may still be shown before they are whole. */
export interface Room {
  chars: number;
}

/** Characters of the longest text that is shown before it is whole: a shown text is stored twice, in the log and as the artifact. */
const MAX_CHARS = 1024 * 1024;

/** Creates the shown part of a text. Nothing more is shown once the content is not text, or too long. */
export function createShownText(redactor: Redactor, room: Room): ShownText {
  const redaction = redactor.stream();
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  let left = MAX_CHARS;
  let isOver = false;

  function show(redacted: string, isLast: boolean): string {
    if (isOver) return "";
    const text = decode(Buffer.from(redacted, "latin1"), isLast);
    // No text contains NUL.
    isOver = text === undefined || text.includes("\0") || text.length > Math.min(left, room.chars);
    if (isOver || text === undefined) return "";
    left -= text.length;
    room.chars -= text.length;
    return text;
  }

  function decode(bytes: Uint8Array, isLast: boolean): string | undefined {
    try {
      return decoder.decode(bytes, { stream: !isLast });
    } catch {
      return undefined;
    }
  }

  return {
    // Artifacts are redacted as bytes, one character for each: so this comes to the same.
    push: (content) => show(redaction.push(Buffer.from(content).toString("latin1")), false),
    end: () => show(redaction.end(), true),
  };
}
