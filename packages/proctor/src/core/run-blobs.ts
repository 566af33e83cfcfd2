// The bytes of runs in a process that has the store: bytes that an attempt leaves without a record are removed at its end.
import { dropBlobs } from "./drop-blobs.ts";
import type { BlobStore } from "./ports/blob-store.ts";
import type { RunBlobs } from "./ports/run-store.ts";
import type { Store } from "./ports/store.ts";

export function runBlobs(blobs: BlobStore, store: Pick<Store, "unreferenced">): RunBlobs {
  return {
    put: (source, signal) => blobs.put(source, signal),
    read: (sha256, range) => blobs.read(sha256, range),
    async settle(refs) {
      for (const ref of refs) blobs.release(ref);
      await dropBlobs(
        { store, blobs },
        refs.map(({ sha256 }) => sha256),
      );
    },
  };
}
