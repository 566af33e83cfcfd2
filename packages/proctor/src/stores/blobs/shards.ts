// Where blobs are in their directory: `<first 2 hex>/<other 62>`. A blob gets its name in one step, and the name is on disk when
// `publish` resolves. Errors are those of the file system.
import { mkdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { BlobRef } from "../../core/ports/blob-store.ts";
import { errnoOf } from "../disk-error.ts";
import { syncDirectory } from "../sync-directory.ts";

const SHA256 = /^[0-9a-f]{64}$/;
export const PRIVATE_DIRECTORY = 0o700;

interface Shards {
  pathOf(sha256: string): string;
  /** Resolves with the size in bytes of a blob; undefined when there is none. */
  sizeOf(sha256: string): Promise<number | undefined>;
  /** Resolves with whether all bytes of a blob are on disk under its name. Waits for a `publish` of it that is under way. */
  has(ref: BlobRef): Promise<boolean>;
  /** Gives a finished temporary file the name of its blob. */
  publish(path: string, sha256: string): Promise<void>;
  remove(sha256: string): Promise<void>;
}

export function isSha256(text: string): boolean {
  return SHA256.test(text);
}

export function createShards(directory: string): Shards {
  const opened = new Map<string, Promise<void>>();
  const publishing = new Map<string, Promise<void>>();

  function shardOf(sha256: string): string {
    return join(directory, sha256.slice(0, 2));
  }

  function pathOf(sha256: string): string {
    return join(shardOf(sha256), sha256.slice(2));
  }

  /** Makes sure, once in the life of this store, that the shard, and the names a crash may have left in it, are on disk. */
  function open(shard: string): Promise<void> {
    const known = opened.get(shard);
    if (known !== undefined) return known;
    const opening = mkdir(shard, { recursive: true, mode: PRIVATE_DIRECTORY })
      .then(() => syncDirectory(directory))
      .then(() => syncDirectory(shard));
    opened.set(shard, opening);
    opening.catch(() => opened.delete(shard));
    return opening;
  }

  async function sizeOf(sha256: string): Promise<number | undefined> {
    try {
      const found = await stat(pathOf(sha256));
      return found.isFile() ? found.size : undefined;
    } catch (error) {
      if (errnoOf(error) === "ENOENT") return undefined;
      throw error;
    }
  }

  return {
    pathOf,
    sizeOf,
    async has({ sha256, sizeBytes }) {
      await open(shardOf(sha256));
      if ((await sizeOf(sha256)) !== sizeBytes) return false;
      await publishing.get(sha256);
      return true;
    },
    async publish(path, sha256) {
      const shard = shardOf(sha256);
      const work = rename(path, pathOf(sha256)).then(() => syncDirectory(shard));
      publishing.set(sha256, work);
      try {
        await work;
      } catch (error) {
        opened.delete(shard);
        throw error;
      } finally {
        if (publishing.get(sha256) === work) publishing.delete(sha256);
      }
    },
    async remove(sha256) {
      await rm(pathOf(sha256), { force: true });
      await syncDirectory(shardOf(sha256)).catch(ignoreMissing);
    },
  };
}

function ignoreMissing(error: unknown): void {
  if (errnoOf(error) !== "ENOENT") throw error;
}
