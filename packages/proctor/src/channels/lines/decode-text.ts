// Bytes to text. What is not UTF-8 shows as U+FFFD instead of failing.
import { isUtf8 } from "node:buffer";

export function decodeText(bytes: Buffer): { text: string; invalidUtf8: boolean } {
  return { text: bytes.toString("utf8"), invalidUtf8: !isUtf8(bytes) };
}

/** The same memory as a Buffer, which can search and decode. */
export function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
