// The first and the last bytes of a stream, whatever its length. What is between them is counted and dropped.
import { wholeCharacters } from "../../core/whole-characters.ts";

export interface HeadTail {
  /** Number of bytes of the whole stream. */
  readonly bytes: number;
  readonly truncated: boolean;
  append(chunk: Uint8Array): void;
  /** Returns the bytes that are kept, in order; there is a gap only when the stream was truncated. Valid until the next `append`. */
  pieces(): Buffer[];
  /** Returns the kept bytes as text: cut between characters, with a line in the gap that says how much is missing. */
  text(): string;
}

const SMALLEST = 256;

export function createHeadTail(maxBytes: number): HeadTail {
  const headSize = Math.ceil(maxBytes / 2);
  const tailSize = maxBytes - headSize;
  let head: Buffer = Buffer.alloc(0);
  let tail: Buffer = Buffer.alloc(0);
  let bytes = 0;

  const headLength = (): number => Math.min(bytes, headSize);

  function append(chunk: Uint8Array): void {
    let rest = chunk;
    if (bytes < headSize) {
      const first = rest.subarray(0, headSize - bytes);
      head = withRoom(head, bytes, bytes + first.length, headSize);
      head.set(first, bytes);
      bytes += first.length;
      rest = rest.subarray(first.length);
    }
    if (rest.length > 0) appendTail(rest);
  }

  /** The tail is a ring: the byte number n after the head is at n modulo its size. */
  function appendTail(rest: Uint8Array): void {
    const before = bytes - headSize;
    bytes += rest.length;
    if (tailSize === 0) return;
    const skipped = Math.max(0, rest.length - tailSize);
    const kept = rest.subarray(skipped);
    tail = withRoom(tail, Math.min(before, tailSize), Math.min(before + rest.length, tailSize), tailSize);
    const at = (before + skipped) % tailSize;
    const untilEnd = kept.subarray(0, tailSize - at);
    tail.set(untilEnd, at);
    if (untilEnd.length < kept.length) tail.set(kept.subarray(untilEnd.length), 0);
  }

  function tailPieces(): Buffer[] {
    const after = bytes - headLength();
    if (after <= tailSize) return after === 0 ? [] : [tail.subarray(0, after)];
    const at = tailSize === 0 ? 0 : after % tailSize;
    return [tail.subarray(at, tailSize), tail.subarray(0, at)];
  }

  return {
    get bytes() {
      return bytes;
    },
    get truncated() {
      return bytes > maxBytes;
    },
    append,
    pieces: () => [head.subarray(0, headLength()), ...tailPieces()],
    text() {
      const first = head.subarray(0, headLength());
      if (bytes <= headSize) return first.toString("utf8");
      const last = Buffer.concat(tailPieces());
      if (bytes <= maxBytes) return Buffer.concat([first, last]).toString("utf8");
      const begin = first.subarray(0, wholeCharacters(first));
      const end = last.subarray(brokenStart(last));
      const missing = bytes - begin.length - end.length;
      const before = begin.at(-1) === 0x0a || begin.length === 0 ? "" : "\n";
      return `${begin.toString("utf8")}${before}[... ${missing} bytes left out ...]\n${end.toString("utf8")}`;
    },
  };
}

/** Returns a buffer with at least `size` bytes of room, at most doubled each time and never more than `most`. */
function withRoom(buffer: Buffer, used: number, size: number, most: number): Buffer {
  if (size <= buffer.length) return buffer;
  const larger = Buffer.allocUnsafeSlow(Math.min(most, Math.max(size, buffer.length * 2, SMALLEST)));
  buffer.copy(larger, 0, 0, used);
  return larger;
}

/** Returns the number of bytes at the beginning that belong to a character that began before. */
function brokenStart(bytes: Buffer): number {
  let length = 0;
  while (length < Math.min(3, bytes.length) && ((bytes[length] ?? 0) & 0xc0) === 0x80) length++;
  return length;
}
