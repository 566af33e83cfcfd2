// Reads protobuf's wire format. Everything that is not well-formed is a ProtoFormatError; nothing is read beyond the end of
// the message it belongs to.
import { Buffer } from "node:buffer";
import { WIRE } from "./proto-writer.ts";

export class ProtoFormatError extends Error {}

const MAX_GROUP_DEPTH = 100;
/** The most bytes of a varint that fit into the 53 bits of a JSON number. */
const SAFE_VARINT_BYTES = 7;
const MAX_VARINT_BYTES = 10;
const SHORT_BYTES = 24;
const ASCII = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code));

const strictText = new TextDecoder("utf-8", { fatal: true });

/** Every `end` is where the message that is being read ends. */
export class ProtoReader {
  readonly #buffer: Buffer;
  #position = 0;

  constructor(message: Uint8Array) {
    this.#buffer = Buffer.from(message.buffer, message.byteOffset, message.byteLength);
  }

  /** The position at which the whole message ends. */
  get end(): number {
    return this.#buffer.length;
  }

  get position(): number {
    return this.#position;
  }

  /** Reads a tag: field number × 8 + wire type. */
  tag(end: number): number {
    const tag = this.#varint(end);
    if (tag < 8) throw new ProtoFormatError("field number 0");
    return tag;
  }

  string(end: number): string {
    const sizeBytes = this.#varint(end);
    const start = this.#advance(sizeBytes, end);
    if (sizeBytes <= SHORT_BYTES) {
      const short = this.#shortAscii(start);
      if (short !== undefined) return short;
    }
    const text = this.#buffer.toString("utf8", start, this.#position);
    // Bytes that are not UTF-8 were replaced; but the replacement character may also have been sent.
    if (text.includes("\uFFFD") && !isText(this.#buffer.subarray(start, this.#position))) {
      throw new ProtoFormatError("a text is not valid UTF-8");
    }
    return text;
  }

  /** Reads a whole number; as text when a JSON number cannot hold it. */
  integer(end: number): number | string {
    let last = this.#position;
    while (last < end && (this.#buffer[last] ?? 0) >= 128) last++;
    const sizeBytes = last + 1 - this.#position;
    if (sizeBytes <= SAFE_VARINT_BYTES) return this.#varint(end);
    if (last >= end) throw truncated();
    if (sizeBytes > MAX_VARINT_BYTES) throw new ProtoFormatError("a number is too long");
    let value = 0n;
    for (let index = last; index >= this.#position; index--) {
      value = (value << 7n) | BigInt((this.#buffer[index] ?? 0) & 127);
    }
    this.#position = last + 1;
    const signed = BigInt.asIntN(64, value);
    const number = Number(signed);
    return Number.isSafeInteger(number) ? number : String(signed);
  }

  double(end: number): number {
    return this.#buffer.readDoubleLE(this.#advance(8, end));
  }

  bytes(end: number): Buffer {
    const start = this.#advance(this.#varint(end), end);
    return this.#buffer.subarray(start, this.#position);
  }

  /** Reads a length; returns where the embedded message ends. */
  enter(end: number): number {
    const inner = this.#varint(end) + this.#position;
    if (inner > end) throw truncated();
    return inner;
  }

  skip(tag: number, end: number, depth: number = MAX_GROUP_DEPTH): void {
    switch (tag & 7) {
      case WIRE.varint:
        this.integer(end);
        break;
      case WIRE.bit64:
        this.#advance(8, end);
        break;
      case WIRE.lengthDelimited:
        this.#advance(this.#varint(end), end);
        break;
      case WIRE.startGroup:
        if (depth === 0) throw new ProtoFormatError("groups are nested too deep");
        // The end of a group has the same number, and the next wire type.
        for (let inner = this.tag(end); inner !== tag + 1; inner = this.tag(end)) {
          this.skip(inner, end, depth - 1);
        }
        break;
      case WIRE.bit32:
        this.#advance(4, end);
        break;
      default:
        throw new ProtoFormatError(`wire type ${tag & 7} has no place here`);
    }
  }

  #varint(end: number): number {
    let value = 0;
    let factor = 1;
    for (let count = 0; count < SAFE_VARINT_BYTES; count++) {
      if (this.#position >= end) throw truncated();
      const byte = this.#buffer[this.#position++] ?? 0;
      value += (byte & 127) * factor;
      if (byte < 128) return value;
      factor *= 128;
    }
    throw new ProtoFormatError("a number is too large");
  }

  #advance(sizeBytes: number, end: number): number {
    const start = this.#position;
    if (start + sizeBytes > end) throw truncated();
    this.#position = start + sizeBytes;
    return start;
  }

  /** The text from `start` to here. Most are short and plain, and a call into the system for each costs more. */
  #shortAscii(start: number): string | undefined {
    let text = "";
    for (let index = start; index < this.#position; index++) {
      const byte = this.#buffer[index] ?? 0;
      if (byte >= 128) return undefined;
      text += ASCII[byte];
    }
    return text;
  }
}

function isText(bytes: Uint8Array): boolean {
  try {
    strictText.decode(bytes);
    return true;
  } catch {
    return false;
  }
}

function truncated(): ProtoFormatError {
  return new ProtoFormatError("the message ends in the middle of a field");
}
