// Keeps what an attempt has stored from being removed until its records are on disk, which they are at its end. Then whatever has no
// record is removed, even what is stored after that.
import type { BlobRef } from "../core/ports/blob-store.ts";
import type { RunBlobs } from "../core/ports/run-store.ts";

interface HeldBlobs {
  blobs: Pick<RunBlobs, "put">;
  /** To be called when the attempt's records are on disk. Resolves when bytes without a record are removed. */
  release(): Promise<void>;
}

export function holdBlobs(blobs: Pick<RunBlobs, "put" | "settle">): HeldBlobs {
  const held: BlobRef[] = [];
  let released = false;

  async function release(): Promise<void> {
    released = true;
    const refs = held.splice(0);
    if (refs.length > 0) await blobs.settle(refs);
  }

  return {
    blobs: {
      async put(source, signal) {
        const ref = await blobs.put(source, signal);
        held.push(ref);
        if (released) await release();
        return ref;
      },
    },
    release,
  };
}
