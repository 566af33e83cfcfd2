// Writes protobuf's wire format into one growing buffer. The generic way, over descriptors and one object per value, costs
// several times as much for the free-form parts that most messages are made of (struct.ts).
import { Buffer } from "node:buffer";

export const WIRE = {
  varint: 0,
  bit64: 1,
  lengthDelimited: 2,
  startGroup: 3,
  endGroup: 4,
  bit32: 5,
} as const;

/** The number that precedes a field: its field number and how it is encoded. */
export function tagOf(field: number, wireType: number): number {
  return field * 8 + wireType;
}

const FIRST_BYTES = 512;
/** A tag, and a number or a length behind it. */
const HEAD_BYTES = 15;
/** Characters of a short text: less than 128, so that the length is one byte. */
const SHORT_CHARS = 40;

export class ProtoWriter {
  #buffer = Buffer.allocUnsafe(FIRST_BYTES);
  #position = 0;
  #isExact = true;

  /** False when a text held half a character, which UTF-8 cannot: it was replaced. */
  get isExact(): boolean {
    return this.#isExact;
  }

  string(field: number, value: string): void {
    this.#tag(field, WIRE.lengthDelimited);
    if (value.length <= SHORT_CHARS && this.#shortAscii(value)) return;
    this.#isExact &&= value.isWellFormed();
    const sizeBytes = Buffer.byteLength(value);
    this.#varint(sizeBytes);
    this.#reserve(sizeBytes);
    this.#position += this.#buffer.write(value, this.#position, sizeBytes, "utf8");
  }

  /** Writes an integer, which must be a safe one. */
  integer(field: number, value: number): void {
    this.#tag(field, WIRE.varint);
    if (value < 0) this.#negative(value);
    else this.#varint(value);
  }

  double(field: number, value: number): void {
    this.#tag(field, WIRE.bit64);
    this.#position = this.#buffer.writeDoubleLE(value, this.#position);
  }

  bytes(field: number, value: Uint8Array): void {
    this.#tag(field, WIRE.lengthDelimited);
    this.#varint(value.byteLength);
    this.#reserve(value.byteLength);
    this.#buffer.set(value, this.#position);
    this.#position += value.byteLength;
  }

  /** Writes the bytes behind a base64 text, of either alphabet. False, and nothing written, when it is none. */
  base64(field: number, text: string): boolean {
    const start = this.#position;
    this.#tag(field, WIRE.lengthDelimited);
    const sizeBytes = Buffer.byteLength(text, "base64");
    this.#varint(sizeBytes);
    this.#reserve(sizeBytes);
    const written = this.#buffer.write(text, this.#position, sizeBytes, "base64");
    // Characters of other alphabets are skipped, and then fewer bytes come out than the length promised.
    const isBase64 = written === sizeBytes && isWholeBase64(text);
    this.#position = isBase64 ? this.#position + sizeBytes : start;
    return isBase64;
  }

  /** Begins an embedded message; what is returned goes to `close`. */
  open(field: number): number {
    this.#tag(field, WIRE.lengthDelimited);
    // Most lengths are one byte long; `close` makes room for the others.
    return ++this.#position;
  }

  close(start: number): void {
    const sizeBytes = this.#position - start;
    if (sizeBytes < 128) {
      this.#buffer[start - 1] = sizeBytes;
      return;
    }
    const lengthBytes = Math.floor(Math.log2(sizeBytes) / 7) + 1;
    this.#reserve(lengthBytes);
    this.#buffer.copyWithin(start - 1 + lengthBytes, start, this.#position);
    this.#position = start - 1;
    this.#varint(sizeBytes);
    this.#position += sizeBytes;
  }

  finish(): Uint8Array {
    return this.#buffer.subarray(0, this.#position);
  }

  #tag(field: number, wireType: number): void {
    this.#reserve(HEAD_BYTES);
    this.#varint(tagOf(field, wireType));
  }

  /** At most 2^53: not by shifting, which ends at 32 bits. */
  #varint(value: number): void {
    let rest = value;
    while (rest >= 128) {
      this.#buffer[this.#position++] = (rest % 128) | 128;
      rest = Math.floor(rest / 128);
    }
    this.#buffer[this.#position++] = rest;
  }

  /** Writes a negative number in ten bytes: two's complement of 64 bits. */
  #negative(value: number): void {
    let rest = BigInt.asUintN(64, BigInt(value));
    while (rest >= 128n) {
      this.#buffer[this.#position++] = Number(rest & 127n) | 128;
      rest >>= 7n;
    }
    this.#buffer[this.#position++] = Number(rest);
  }

  /** Most texts are short and plain, and a call into the system for each costs more than writing them. */
  #shortAscii(value: string): boolean {
    const { length } = value;
    this.#reserve(length + 1);
    const start = this.#position + 1;
    for (let index = 0; index < length; index++) {
      const code = value.charCodeAt(index);
      if (code >= 128) return false;
      this.#buffer[start + index] = code;
    }
    this.#buffer[start - 1] = length;
    this.#position = start + length;
    return true;
  }

  #reserve(sizeBytes: number): void {
    if (this.#position + sizeBytes <= this.#buffer.length) return;
    const larger = Buffer.allocUnsafe(Math.max(this.#buffer.length * 2, this.#position + sizeBytes));
    this.#buffer.copy(larger, 0, 0, this.#position);
    this.#buffer = larger;
  }
}

/** A last group of one character stands for no byte; padding fills a group of four, where there is any. */
function isWholeBase64(text: string): boolean {
  const padding = text.endsWith("==") ? 2 : text.endsWith("=") ? 1 : 0;
  return padding === 0 ? text.length % 4 !== 1 : text.length % 4 === 0;
}
