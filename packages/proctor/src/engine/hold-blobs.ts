// Keeps what an attempt has stored from being removed until its records are on disk, which they are at its end. Then whatever has no
// record is removed, even what is stored after that.
import type { BlobRef, BlobStore } from "../core/ports/blob-store.ts";

interface HeldBlobs {
  blobs: BlobStore;
  /** Call it when the attempt's records are on disk. Resolves when bytes without a record are gone. */
  release(): Promise<void>;
}

/** `drop` removes those of the bytes that nothing refers to. */
export function holdBlobs(blobs: BlobStore, drop: (hashes: readonly string[]) => Promise<void>): HeldBlobs {
  const held: BlobRef[] = [];
  let released = false;

  async function release(): Promise<void> {
    released = true;
    const refs = held.splice(0);
    for (const ref of refs) blobs.release(ref);
    await drop(refs.map(({ sha256 }) => sha256));
  }

  return {
    blobs: {
      ...blobs,
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
