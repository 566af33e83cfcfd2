// Bytes as objects of a bucket, named by their sha256. What is longer than one part is first an object `tmp-<uuid>`, because its name is known
// only at its end. Holds and second names are rows of the store, so that several processes can share the bucket.
import { createHash, randomUUID } from "node:crypto";
import type { BlobMarks } from "../../core/ports/blob-marks.ts";
import type { BlobRef, BlobStore, ByteRange } from "../../core/ports/blob-store.ts";
import { untilAborted } from "../../core/unless-aborted.ts";
import { claimBucket } from "./claim-bucket.ts";
import { clampRange, noSuchBytes } from "./byte-range.ts";
import { nameTaken, requireStoredName, isStoredName } from "./named-files.ts";
import { createBucket, type Bucket, type BucketOptions, type Part } from "./s3-bucket.ts";
import { isPassing, s3Error } from "./s3-errors.ts";
import { PART_BYTES, piecesOf, refOf, uploadParts } from "./s3-upload.ts";
import { createSharedHolds } from "./shared-holds.ts";
import { isSha256 } from "./shards.ts";
import { sweepBucket, TEMPORARY } from "./sweep-bucket.ts";
import type { SweptBlobs } from "./swept-blobs.ts";

export interface S3BlobsOptions extends BucketOptions {
  marks: BlobMarks;
  /** Id of the database whose bytes the bucket is to hold; any may use it when absent. */
  databaseId?: string;
  /** Whether to open without a look at the bucket, for processes that only read records. */
  readOnly?: boolean;
  /** Bytes of the largest object that is copied with one request. */
  maxCopyBytes?: number;
}

/** Bytes that S3 allows in one copy: five gigabytes. */
const MAX_COPY_BYTES = 5 * 1024 ** 3;
const COPY_PART_BYTES = 512 * 1024 ** 2;
/** Times that a read continues after its connection was cut. */
const MAX_CUTS = 5;

/** Throws CONFIG_INVALID when the bucket does not exist or does not accept the keys, STORE_UNAVAILABLE when it cannot be reached. */
export async function openS3Blobs(options: S3BlobsOptions): Promise<SweptBlobs> {
  const { marks, clock, maxCopyBytes = MAX_COPY_BYTES } = options;
  const bucket = createBucket(options);
  const holds = createSharedHolds(marks, clock);
  if (!options.readOnly) {
    await bucket.check();
    if (options.databaseId !== undefined) await claimBucket(bucket, options.databaseId, options.bucket);
  }

  /** Stores bytes of a known hash with `store`, unless they are there. */
  async function keep(own: Bucket, ref: BlobRef, store: () => Promise<void>): Promise<BlobRef> {
    const holding = holds.hold(ref);
    try {
      await own.unlessAborted(holding);
      if ((await own.sizeOf(ref.sha256)) !== ref.sizeBytes) await store();
      return ref;
    } catch (error) {
      void holding.catch(() => undefined).then(() => holds.release(ref));
      throw error;
    }
  }

  async function put(source: Uint8Array | AsyncIterable<Uint8Array>, signal?: AbortSignal): Promise<BlobRef> {
    signal?.throwIfAborted();
    const own = createBucket(options, signal);
    if (source instanceof Uint8Array) return putWhole(own, source);
    const hash = createHash("sha256");
    const pieces = piecesOf(signal ? untilAborted(source, signal) : source, hash);
    try {
      const { value: first = new Uint8Array() } = await pieces.next();
      if (first.byteLength < PART_BYTES) return await putWhole(own, first);
      return await putLong(own, before(first, pieces), () => hash.digest("hex"));
    } finally {
      await pieces.return(undefined);
    }
  }

  function putWhole(own: Bucket, bytes: Uint8Array): Promise<BlobRef> {
    const ref = refOf(bytes);
    return keep(own, ref, async () => {
      if (bytes.byteLength <= PART_BYTES) await own.put(ref.sha256, bytes);
      else await uploadParts(own, ref.sha256, slices(bytes));
    });
  }

  async function putLong(
    own: Bucket,
    pieces: AsyncIterable<Uint8Array>,
    digest: () => string,
  ): Promise<BlobRef> {
    const temporary = TEMPORARY + randomUUID();
    try {
      const sizeBytes = await uploadParts(own, temporary, pieces);
      const ref = { sha256: digest(), sizeBytes };
      return await keep(own, ref, () => copy(own, temporary, ref));
    } finally {
      // Without the signal; what stays nevertheless is swept later.
      await bucket.remove(temporary).catch(() => undefined);
    }
  }

  async function copy(own: Bucket, from: string, { sha256, sizeBytes }: BlobRef): Promise<void> {
    if (sizeBytes <= maxCopyBytes) return own.copy(from, sha256);
    const upload = await own.beginParts(sha256);
    try {
      const parts: Part[] = [];
      const step = Math.min(maxCopyBytes, COPY_PART_BYTES);
      for (let start = 0; start < sizeBytes; start += step) {
        const range = { start, end: Math.min(start + step, sizeBytes) - 1 };
        parts.push(await own.copyPart(from, range, sha256, upload, parts.length + 1));
      }
      await own.endParts(sha256, upload, parts);
    } catch (error) {
      await bucket.dropParts(sha256, upload);
      throw error;
    }
  }

  const sizeOf = async (sha256: string): Promise<number | undefined> =>
    isSha256(sha256) ? bucket.sizeOf(sha256) : undefined;

  /** Continues where it was when the connection is cut. */
  async function* read(sha256: string, asked?: ByteRange): AsyncGenerator<Uint8Array> {
    const size = await sizeOf(sha256);
    if (size === undefined) throw noSuchBytes(sha256);
    const { start, end } = asked === undefined ? { start: 0, end: size - 1 } : clampRange(asked, size);
    const stop = new AbortController();
    const own = createBucket(options, stop.signal);
    try {
      for (let at = start, cuts = 0; at <= end;) {
        const body = await own.get(sha256, { start: at, end });
        if (body === undefined) throw noSuchBytes(sha256);
        try {
          for await (const chunk of body) {
            // Some servers send more than they are asked for.
            const wanted = chunk.subarray(0, end + 1 - at);
            if (wanted.byteLength > 0) yield wanted;
            at += wanted.byteLength;
          }
          if (at <= end) throw new Error("the answer ended early");
        } catch (error) {
          if (++cuts > MAX_CUTS || !isPassing(error)) throw s3Error(error, options);
        }
      }
    } finally {
      stop.abort();
    }
  }

  async function remove(
    sha256: string,
    isReferenced: (sha256: string) => Promise<boolean>,
  ): Promise<boolean> {
    if (!isSha256(sha256)) return false;
    return holds.exclude(sha256, async () => {
      if (await isReferenced(sha256)) return false;
      await bucket.remove(sha256);
      return true;
    });
  }

  async function link(sha256: string, name: string): Promise<void> {
    requireStoredName(name);
    if ((await sizeOf(sha256)) === undefined) throw noSuchBytes(sha256);
    if (!(await marks.link(name, sha256, clock.now()))) throw nameTaken(name);
  }

  const blobs: BlobStore = {
    put,
    read,
    remove,
    link,
    stat: sizeOf,
    release: (ref) => holds.release(ref),
    unlink: async (name) => (isStoredName(name) ? marks.unlink(name) : undefined),
  };
  return { ...blobs, ...sweepBucket({ bucket, marks, blobs, clock }) };
}

async function* before(first: Uint8Array, rest: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield first;
  yield* rest;
}

async function* slices(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.byteLength; at += PART_BYTES) yield bytes.subarray(at, at + PART_BYTES);
}
