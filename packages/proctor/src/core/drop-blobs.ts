// Removes bytes that no record refers to. Bytes are shared by their sha256: what another run has recorded, or is about to, stays.
import type { BlobStore } from "./ports/blob-store.ts";
import type { Store } from "./ports/store.ts";

/** Throws what the store or the disk throws; bytes that remain then are removed at the next start. */
export async function dropBlobs(
  { store, blobs }: { store: Pick<Store, "unreferenced">; blobs: Pick<BlobStore, "remove"> },
  hashes: readonly string[],
): Promise<void> {
  if (hashes.length === 0) return;
  const isReferenced = async (sha256: string): Promise<boolean> =>
    (await store.unreferenced({ hashes: [sha256], names: [] })).hashes.length === 0;
  const { hashes: orphans } = await store.unreferenced({ hashes, names: [] });
  for (const sha256 of orphans) await blobs.remove(sha256, isReferenced);
}
