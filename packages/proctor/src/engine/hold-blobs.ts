// Keeps what an attempt has stored from being removed until its records are on disk, which they are at its end.
import type { BlobRef, BlobStore } from "../core/ports/blob-store.ts";

export interface HeldBlobs {
  blobs: BlobStore;
  release(): void;
}

export function holdBlobs(blobs: BlobStore): HeldBlobs {
  const held: BlobRef[] = [];
  return {
    blobs: {
      ...blobs,
      async put(source) {
        const ref = await blobs.put(source);
        held.push(ref);
        return ref;
      },
    },
    release() {
      for (const ref of held.splice(0)) blobs.release(ref);
    },
  };
}
