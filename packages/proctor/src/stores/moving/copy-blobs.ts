// Copies the bytes that a database refers to from one place to another. They are hashed on the way, so what arrives is what was recorded.
import { ProctorError } from "../../core/errors.ts";
import { isJsonObject } from "../../core/json.ts";
import { parseObject } from "../../core/parse-object.ts";
import type { BlobStore } from "../../core/ports/blob-store.ts";
import { readTable, type MovingDatabase, type Row } from "./moving-database.ts";

export interface CopiedBlobs {
  /** Number of blobs that were copied now, and of those that were there already. */
  copied: number;
  present: number;
  bytes: number;
  /** Number of blobs that are not where they should be, and the first of them by its sha256. */
  missing: number;
  firstMissing?: string;
}

export async function copyBlobs(
  database: MovingDatabase,
  from: Pick<BlobStore, "read" | "stat">,
  to: BlobStore,
  { onCopied, signal }: { onCopied?: (count: number) => void; signal?: AbortSignal } = {},
): Promise<CopiedBlobs> {
  const total: CopiedBlobs = { copied: 0, present: 0, bytes: 0, missing: 0 };
  for (const [table, key] of [
    ["artifacts", ["run_id", "sequence"]],
    ["saved_artifacts", ["app", "user_id", "session", "name", "version"]],
  ] as const) {
    for await (const rows of readTable(database, table, key)) {
      for (const row of rows) {
        signal?.throwIfAborted();
        const { sha256, stored_as: name } = row;
        if (typeof sha256 !== "string") continue;
        const isThere = await copyBlob(sha256, from, to, total, signal);
        if (isThere && typeof name === "string") await to.link(sha256, name).catch(ignoreTaken);
        if (!isThere && !(table === "artifacts" && (await isInside(database, row)))) {
          total.missing++;
          total.firstMissing ??= sha256;
        }
        onCopied?.(total.copied + total.present);
      }
    }
  }
  return total;
}

/** Resolves with false where neither side has the bytes. */
async function copyBlob(
  sha256: string,
  from: Pick<BlobStore, "read" | "stat">,
  to: BlobStore,
  total: CopiedBlobs,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const [size, there] = [await from.stat(sha256), await to.stat(sha256)];
  if (there !== undefined && (size === undefined || size === there)) {
    total.present++;
    return true;
  }
  if (size === undefined) return false;
  const ref = await to.put(from.read(sha256), signal);
  to.release(ref);
  if (ref.sha256 !== sha256) {
    await to.remove(ref.sha256, () => Promise.resolve(false));
    throw new ProctorError(
      "DATABASE_CORRUPT",
      `the bytes that are kept as ${sha256} have the hash ${ref.sha256}\nRestore them from a backup, then go on.`,
    );
  }
  total.copied++;
  total.bytes += ref.sizeBytes;
  return true;
}

/** Resolves with whether the artifact is small data, which is in its record and has no bytes of its own. */
async function isInside(database: MovingDatabase, { run_id: runId, sequence }: Row): Promise<boolean> {
  for (const table of ["events", "long_payloads"]) {
    const [row] = await database.all(
      `select payload from ${table} where run_id = ? and sequence = ?`,
      runId,
      sequence,
    );
    const added = row && parseObject(String(row["payload"]));
    if (isJsonObject(added?.["artifact"])) return added["artifact"]["data"] !== undefined;
  }
  return false;
}

function ignoreTaken(error: unknown): void {
  if (!ProctorError.is(error) || error.code !== "NAME_TAKEN") throw error;
}
