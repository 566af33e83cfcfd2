// Bytes as files named by their sha256, below one directory: shards.ts says where. A file appears under its name only when all of it is
// on disk; until then it is in `tmp/`. Some have a second name next to the shards: named-files.ts.
import { createHash, randomUUID } from "node:crypto";
import { mkdir, open, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { BlobRef, ByteRange } from "../../core/ports/blob-store.ts";
import { untilAborted } from "../../core/unless-aborted.ts";
import { diskError } from "../disk-error.ts";
import { clampRange, noSuchBytes } from "./byte-range.ts";
import { createHolds } from "./holds.ts";
import { createNamedFiles } from "./named-files.ts";
import { createShards, isSha256, PRIVATE_DIRECTORY } from "./shards.ts";
import { sweepOrphans } from "./sweep-orphans.ts";
import type { SweptBlobs } from "./swept-blobs.ts";

type Fill = (write: (chunk: Uint8Array) => Promise<void>) => Promise<BlobRef>;

const PRIVATE_FILE = 0o600;
const READ_BYTES = 64 * 1024;

/** Opens the directory. With `readOnly` nothing is made: the directory may even be missing. */
export async function openFileBlobs(
  directory: string,
  options: { readOnly?: boolean } = {},
): Promise<SweptBlobs> {
  const temporary = join(directory, "tmp");
  const unfinished = new Set<string>();
  const shards = createShards(directory);
  const holds = createHolds();
  const named = createNamedFiles(directory, (sha256) => shards.pathOf(sha256));
  if (!options.readOnly) await onDisk(() => mkdir(temporary, { recursive: true, mode: PRIVATE_DIRECTORY }));

  async function onDisk<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw diskError(error, directory);
    }
  }

  /** Resolves with true when the bytes are on disk already. From the call on they are not removed; a removal under way has ended. */
  async function isStored(ref: BlobRef): Promise<boolean> {
    await holds.hold(ref);
    return shards.has(ref);
  }

  /** Keeps the temporary file that `fill` writes; whatever fails, that file is gone afterwards. */
  async function keep(fill: Fill): Promise<BlobRef> {
    const path = join(temporary, randomUUID());
    unfinished.add(path);
    try {
      const ref = await fillFile(path, fill);
      try {
        await onDisk(async () => {
          if (!(await isStored(ref))) await shards.publish(path, ref.sha256);
        });
      } catch (error) {
        holds.release(ref);
        throw error;
      }
      return ref;
    } finally {
      await rm(path, { force: true }).catch(() => {});
      unfinished.delete(path);
    }
  }

  async function fillFile(path: string, fill: Fill): Promise<BlobRef> {
    const handle = await onDisk(() => open(path, "wx", PRIVATE_FILE));
    try {
      const ref = await fill((chunk) => onDisk(() => handle.writeFile(chunk)));
      await onDisk(() => handle.sync());
      return ref;
    } finally {
      await onDisk(() => handle.close());
    }
  }

  async function put(source: Uint8Array | AsyncIterable<Uint8Array>, signal?: AbortSignal): Promise<BlobRef> {
    signal?.throwIfAborted();
    if (!(source instanceof Uint8Array)) {
      return keep(async (write) => {
        const hash = createHash("sha256");
        let sizeBytes = 0;
        for await (const chunk of signal ? untilAborted(source, signal) : source) {
          hash.update(chunk);
          sizeBytes += chunk.byteLength;
          await write(chunk);
        }
        return { sha256: hash.digest("hex"), sizeBytes };
      });
    }
    const ref = { sha256: createHash("sha256").update(source).digest("hex"), sizeBytes: source.byteLength };
    try {
      if (await onDisk(() => isStored(ref))) return ref;
      return await keep(async (write) => {
        await write(source);
        return ref;
      });
    } catch (error) {
      holds.release(ref);
      throw error;
    }
  }

  async function sizeOf(sha256: string): Promise<number | undefined> {
    return isSha256(sha256) ? onDisk(() => shards.sizeOf(sha256)) : undefined;
  }

  async function* read(sha256: string, range?: ByteRange): AsyncGenerator<Uint8Array> {
    const size = await sizeOf(sha256);
    if (size === undefined) throw noSuchBytes(sha256);
    const { start, end } = range === undefined ? { start: 0, end: size - 1 } : clampRange(range, size);
    if (end < start) return;
    const handle = await onDisk(() => open(shards.pathOf(sha256), "r"));
    try {
      // The stream's chunks are Buffers, which are Uint8Arrays.
      const chunks = handle.createReadStream({ start, end, highWaterMark: READ_BYTES, autoClose: false });
      for await (const chunk of chunks as AsyncIterable<Uint8Array>) yield chunk;
    } catch (error) {
      throw diskError(error, directory);
    } finally {
      await handle.close();
    }
  }

  function remove(sha256: string, isReferenced: (sha256: string) => Promise<boolean>): Promise<boolean> {
    if (!isSha256(sha256)) return Promise.resolve(false);
    return holds.exclude(sha256, async () => {
      if (await isReferenced(sha256)) return false;
      await onDisk(() => shards.remove(sha256));
      return true;
    });
  }

  async function sweep(): Promise<number> {
    // A file that is older than this process has a writer that died.
    const startedAt = Date.now() - process.uptime() * 1000;
    let removed = 0;
    for (const name of await onDisk(() => readdir(temporary))) {
      const path = join(temporary, name);
      const found = await stat(path).catch(() => undefined);
      if (found === undefined || unfinished.has(path) || found.mtimeMs >= startedAt) continue;
      await onDisk(() => rm(path, { force: true, recursive: true }));
      removed++;
    }
    return removed;
  }

  return {
    put,
    stat: sizeOf,
    read,
    release: (ref) => holds.release(ref),
    remove,
    link: (sha256, name) => onDisk(() => named.link(sha256, name)),
    unlink: (name) => onDisk(() => named.unlink(name)),
    sweep,
    sweepOrphans: (owner, findOrphans, signal) =>
      onDisk(() => sweepOrphans({ directory, owner, remove, ...named, findOrphans, signal })),
  };
}
