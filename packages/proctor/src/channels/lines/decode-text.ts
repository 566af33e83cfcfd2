// Bytes to text. What is not UTF-8 shows as U+FFFD instead of failing.
import { isUtf8 } from "node:buffer";

export function decodeText(bytes: Buffer): { text: string; invalidUtf8: boolean } {
  return { text: bytes.toString("utf8"), invalidUtf8: !isUtf8(bytes) };
}

/** The length of the bytes without a character that was cut off at their end. */
export function wholeCharacters(bytes: Buffer): number {
  // A character has at most four bytes: one that leads, and up to three of the form 10xxxxxx.
  for (let back = 1; back <= Math.min(4, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if ((byte & 0xc0) === 0x80) continue;
    const wanted = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return wanted > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

/** The same memory as a Buffer, which can search and decode. */
export function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
