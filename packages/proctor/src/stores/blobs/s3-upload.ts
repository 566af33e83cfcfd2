// Brings a stream into a bucket in parts, hashed on the way, with no more than a few parts in memory.
import { createHash, type Hash } from "node:crypto";
import { ProctorError } from "../../core/errors.ts";
import type { BlobRef } from "../../core/ports/blob-store.ts";
import type { Bucket, Part } from "./s3-bucket.ts";

export const PART_BYTES = 8 * 1024 * 1024;
const MAX_PARTS = 10_000;

/**
 * Yields the bytes in pieces of `PART_BYTES`, the last of which may be shorter; nothing for a source without bytes. A piece may be used until
 * the second one after it is asked for: two buffers serve all but the first, which is usually the only one, and short.
 */
export async function* piecesOf(source: AsyncIterable<Uint8Array>, hash: Hash): AsyncGenerator<Uint8Array> {
  let first: Uint8Array[] | undefined = [];
  const buffers: Buffer[] = [];
  let count = 0;
  let size = 0;
  const current = (): Buffer => (buffers[count % 2] ??= Buffer.allocUnsafeSlow(PART_BYTES));
  const finished = (): Uint8Array => (first ? Buffer.concat(first, size) : current().subarray(0, size));
  for await (const chunk of source) {
    hash.update(chunk);
    for (let rest = chunk; rest.byteLength > 0;) {
      const taken = rest.subarray(0, PART_BYTES - size);
      if (first) first.push(taken);
      else current().set(taken, size);
      size += taken.byteLength;
      rest = rest.subarray(taken.byteLength);
      if (size < PART_BYTES) continue;
      yield finished();
      first = undefined;
      count++;
      size = 0;
    }
  }
  if (size > 0) yield finished();
}

/** Puts an object part by part: while one is sent, the next is filled. Nothing is left when it throws. */
export async function uploadParts(
  bucket: Bucket,
  key: string,
  pieces: AsyncIterable<Uint8Array>,
): Promise<number> {
  const upload = await bucket.beginParts(key);
  try {
    const parts: Promise<Part>[] = [];
    let sizeBytes = 0;
    for await (const piece of pieces) {
      await parts.at(-1);
      const number = parts.length + 1;
      if (number > MAX_PARTS) throw tooLarge();
      sizeBytes += piece.byteLength;
      const part = bucket.putPart(key, upload, number, piece);
      // The caller that awaits it gets the error; until then it must not count as unhandled.
      part.catch(() => undefined);
      parts.push(part);
    }
    await bucket.endParts(key, upload, await Promise.all(parts));
    return sizeBytes;
  } catch (error) {
    await bucket.dropParts(key, upload);
    throw error;
  }
}

export function refOf(bytes: Uint8Array): BlobRef {
  return { sha256: createHash("sha256").update(bytes).digest("hex"), sizeBytes: bytes.byteLength };
}

function tooLarge(): ProctorError {
  const limit = (PART_BYTES * MAX_PARTS) / 1024 ** 3;
  return new ProctorError("PAYLOAD_TOO_LARGE", `a bucket takes files of at most ${Math.floor(limit)} GB`);
}
