// Copies the bytes that a database refers to from one place to another. They are hashed on the way, so what arrives is what was recorded.
import { ProctorError } from "../../core/errors.ts";
import type { BlobStore } from "../../core/ports/blob-store.ts";
import { readTable, type MovingDatabase } from "./moving-database.ts";

export interface CopiedBlobs {
  /** How many were copied now, and how many were there. */
  copied: number;
  present: number;
  bytes: number;
}

export async function copyBlobs(
  database: MovingDatabase,
  from: Pick<BlobStore, "read" | "stat">,
  to: BlobStore,
  { onCopied, signal }: { onCopied?: (count: number) => void; signal?: AbortSignal } = {},
): Promise<CopiedBlobs> {
  const total: CopiedBlobs = { copied: 0, present: 0, bytes: 0 };
  for (const [table, key] of [
    ["artifacts", ["run_id", "sequence"]],
    ["saved_artifacts", ["app", "user_id", "session", "name", "version"]],
  ] as const) {
    for await (const rows of readTable(database, table, key)) {
      for (const { sha256, stored_as: name } of rows) {
        signal?.throwIfAborted();
        if (typeof sha256 !== "string") continue;
        await copyBlob(sha256, from, to, total, signal);
        if (typeof name === "string") await to.link(sha256, name).catch(ignoreTaken);
        onCopied?.(total.copied + total.present);
      }
    }
  }
  return total;
}

async function copyBlob(
  sha256: string,
  from: Pick<BlobStore, "read" | "stat">,
  to: BlobStore,
  total: CopiedBlobs,
  signal: AbortSignal | undefined,
): Promise<void> {
  const size = await from.stat(sha256);
  if (size !== undefined && (await to.stat(sha256)) === size) {
    total.present++;
    return;
  }
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
}

function ignoreTaken(error: unknown): void {
  if (!ProctorError.is(error) || error.code !== "NAME_TAKEN") throw error;
}
