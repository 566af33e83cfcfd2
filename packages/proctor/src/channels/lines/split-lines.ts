// Cuts a stream of bytes into lines, whatever the boundaries of its chunks. Memory is bounded by the longest line
// allowed; of a longer one the beginning is kept and the rest counted.
import { isUtf8 } from "node:buffer";
import { createByteBuffer } from "./byte-buffer.ts";
import { wholeCharacters } from "../../core/whole-characters.ts";
import { asBuffer, decodeText } from "./decode-text.ts";

export type Line =
  | {
      kind: "line";
      text: string;
      /** False for a last line that the stream ended without finishing. */
      terminated: boolean;
      /** True when bytes were not UTF-8; U+FFFD stands in their place. */
      invalidUtf8: boolean;
    }
  | {
      kind: "overlong";
      /** The first 64 KiB as text. */
      head: string;
      droppedBytes: number;
    };

export interface LineSplitter {
  /** The lines that this chunk finished. */
  push(chunk: Uint8Array): Line[];
  /** The rest when the stream has ended: nothing, or one line. */
  end(): Line[];
}

export const DEFAULT_MAX_LINE_BYTES = 10 * 1024 * 1024;
export const OVERLONG_HEAD_BYTES = 64 * 1024;

const NEWLINE = 10;
const RETURN = 13;

export function createLineSplitter(options: { maxLineBytes?: number } = {}): LineSplitter {
  const maxLineBytes = options.maxLineBytes ?? DEFAULT_MAX_LINE_BYTES;
  const headBytes = Math.min(OVERLONG_HEAD_BYTES, maxLineBytes);
  const partial = createByteBuffer();
  let overlong: { head: string; droppedBytes: number } | undefined;

  /** Takes bytes of a line whose end is not known yet. */
  function hold(bytes: Buffer): void {
    if (overlong) {
      overlong.droppedBytes += bytes.length;
    } else if (partial.length + bytes.length <= maxLineBytes) {
      partial.append(bytes);
    } else {
      const total = partial.length + bytes.length;
      if (partial.length < headBytes) partial.append(bytes.subarray(0, headBytes - partial.length));
      const head = partial.view(headBytes);
      const kept = wholeCharacters(head);
      overlong = { head: head.toString("utf8", 0, kept), droppedBytes: total - kept };
      partial.clear();
    }
  }

  /** The held line, now that its end is known. */
  function release(terminated: boolean): Line {
    if (overlong) {
      const line: Line = { kind: "overlong", ...overlong };
      overlong = undefined;
      return line;
    }
    const line = decodeLine(partial.view(), terminated);
    partial.clear();
    return line;
  }

  function pushOneByOne(bytes: Buffer, lines: Line[]): void {
    let start = 0;
    for (let end = bytes.indexOf(NEWLINE); end !== -1; end = bytes.indexOf(NEWLINE, start)) {
      const line = bytes.subarray(start, end);
      if (line.length <= maxLineBytes) {
        lines.push(decodeLine(line, true));
      } else {
        hold(line);
        lines.push(release(true));
      }
      start = end + 1;
    }
  }

  return {
    push(chunk) {
      const bytes = asBuffer(chunk);
      const lines: Line[] = [];
      const last = bytes.lastIndexOf(NEWLINE);
      if (last === -1) {
        hold(bytes);
        return lines;
      }
      let start = 0;
      if (overlong || partial.length > 0) {
        const first = bytes.indexOf(NEWLINE);
        hold(bytes.subarray(0, first));
        lines.push(release(true));
        start = first + 1;
      }
      const whole = bytes.subarray(start, last + 1);
      if (whole.length <= maxLineBytes && isUtf8(whole)) pushTogether(whole, lines);
      else pushOneByOne(whole, lines);
      hold(bytes.subarray(last + 1));
      return lines;
    },
    end: () => (overlong || partial.length > 0 ? [release(false)] : []),
  };
}

/** Whole lines of valid UTF-8: decoding them at once is several times faster. They share the memory of one text. */
function pushTogether(bytes: Buffer, lines: Line[]): void {
  if (bytes.length === 0) return;
  const texts = bytes.toString("utf8", 0, bytes.length - 1).split("\n");
  const mayReturn = bytes.includes(RETURN);
  for (const text of texts) {
    const trimmed = mayReturn && text.endsWith("\r") ? text.slice(0, -1) : text;
    lines.push({ kind: "line", text: trimmed, terminated: true, invalidUtf8: false });
  }
}

function decodeLine(bytes: Buffer, terminated: boolean): Line {
  const crlf = terminated && bytes.at(-1) === RETURN;
  const { text, invalidUtf8 } = decodeText(crlf ? bytes.subarray(0, -1) : bytes);
  return { kind: "line", text, terminated, invalidUtf8 };
}
