// Removes what a crash left without an owner: blobs that were written and never recorded, and names and blobs whose records are gone.
import { opendir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { errnoOf } from "../disk-error.ts";
import { isStoredName } from "./named-files.ts";
import type { FindOrphans } from "./swept-blobs.ts";

interface OrphanSweep {
  directory: string;
  /** The owner whose records `findOrphans` knows. */
  owner: string;
  remove: (sha256: string, isReferenced: (sha256: string) => Promise<boolean>) => Promise<boolean>;
  unlink: (name: string) => Promise<void>;
  isFresh: (name: string) => boolean;
  findOrphans: FindOrphans;
  signal: AbortSignal | undefined;
}

const SHARD = /^[0-9a-f]{2}$/;
const REST = /^[0-9a-f]{62}$/;
const OWNER_FILE = ".proctor-owner";
/** Files that `findOrphans` is asked about at once. */
const BATCH = 200;

export async function sweepOrphans(sweep: OrphanSweep): Promise<number> {
  const { directory, findOrphans, signal } = sweep;
  if (!(await belongsTo(sweep))) return 0;
  // What this process has written is recorded, or removed, by the code that wrote it.
  const startedAt = Date.now() - process.uptime() * 1000;
  let removed = 0;
  for await (const names of batches(directory, isStoredName, signal)) {
    const { names: orphans } = await findOrphans({ hashes: [], names });
    for (const name of orphans) {
      // A file has the time of its bytes, which may be older than its name.
      if (sweep.isFresh(name)) continue;
      await sweep.unlink(name);
      removed++;
    }
  }
  for await (const shards of batches(directory, (name) => SHARD.test(name), signal)) {
    for (const shard of shards) removed += await sweepShard(sweep, shard, startedAt);
  }
  return removed;
}

/**
 * Two databases may share a directory. The first to open it owns it; a directory from before there were owners is taken only when all of
 * the first blobs in it belong to this owner.
 */
async function belongsTo({ directory, owner, findOrphans }: OrphanSweep): Promise<boolean> {
  const mark = join(directory, OWNER_FILE);
  const present = await readFile(mark, "utf8").catch(() => undefined);
  if (present !== undefined) return present.trim() === owner;
  const { hashes } = await findOrphans({ hashes: await someBlobs(directory), names: [] });
  if (hashes.length > 0) return false;
  await writeFile(mark, `${owner}\n`, { flag: "wx", mode: 0o600 });
  return true;
}

async function someBlobs(directory: string): Promise<string[]> {
  const found: string[] = [];
  for await (const shard of namesIn(directory)) {
    if (!SHARD.test(shard)) continue;
    for await (const name of namesIn(join(directory, shard))) if (REST.test(name)) found.push(shard + name);
    if (found.length >= BATCH) break;
  }
  return found.slice(0, BATCH);
}

async function sweepShard(sweep: OrphanSweep, shard: string, startedAt: number): Promise<number> {
  const { directory, findOrphans, signal } = sweep;
  const isReferenced = async (sha256: string): Promise<boolean> =>
    (await findOrphans({ hashes: [sha256], names: [] })).hashes.length === 0;
  let removed = 0;
  for await (const names of batches(join(directory, shard), (name) => REST.test(name), signal)) {
    const { hashes } = await findOrphans({ hashes: names.map((name) => shard + name), names: [] });
    for (const sha256 of hashes) {
      if (!(await isOld(join(directory, shard, sha256.slice(2)), startedAt))) continue;
      if (await sweep.remove(sha256, isReferenced)) removed++;
    }
  }
  return removed;
}

async function isOld(path: string, startedAt: number): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found !== undefined && found.isFile() && found.mtimeMs < startedAt;
}

async function* batches(
  folder: string,
  isWanted: (name: string) => boolean,
  signal: AbortSignal | undefined,
): AsyncGenerator<string[]> {
  let batch: string[] = [];
  for await (const name of namesIn(folder)) {
    if (signal?.aborted) return;
    if (!isWanted(name)) continue;
    batch.push(name);
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/** Yields nothing for a folder that does not exist. */
async function* namesIn(folder: string): AsyncGenerator<string> {
  try {
    for await (const { name } of await opendir(folder)) yield name;
  } catch (error) {
    const code = errnoOf(error);
    if (code !== "ENOENT" && code !== "ENOTDIR") throw error;
  }
}
