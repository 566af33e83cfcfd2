// Blobs whose leftovers can be removed: what a hub opens. All other users see a BlobStore.
import type { BlobStore } from "../../core/ports/blob-store.ts";
import type { StoredFiles } from "../../core/ports/store.ts";

/** Returns those of these files that no artifact refers to. */
export type FindOrphans = (files: StoredFiles) => Promise<StoredFiles>;

export interface SweptBlobs extends BlobStore {
  /** Removes what writers left unfinished when they died; returns how many. */
  sweep(): Promise<number>;
  /**
   * Removes blobs and names that this process has not written and that no record refers to, a few at a time; returns how many. Stops when
   * the signal fires. Does nothing in a place of another owner, whose records `findOrphans` does not know.
   */
  sweepOrphans(owner: string, findOrphans: FindOrphans, signal?: AbortSignal): Promise<number>;
}
