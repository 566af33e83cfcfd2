// What carrying out a run needs of a store and of its bytes. A process that has the database gives both; a worker without it gets them
// from a hub, for the runs that it holds.
import type { BlobRef, BlobStore } from "./blob-store.ts";
import type { AppendOptions, NewEvent, RunSecrets, Store } from "./store.ts";

/** What the owner of a run writes in addition to its events. */
export type OwnerOptions = Required<Pick<AppendOptions, "fence">> &
  Pick<AppendOptions, "continuation" | "successor">;

export interface RunStore extends Pick<Store, "readRun" | "readEvents"> {
  /** Resolves with what is kept encrypted with the run, or with the one that it follows. */
  readSecrets(id: string): Promise<Pick<RunSecrets, "sealed" | "continuation"> | undefined>;
  /** As `Store.append`, by the owner of the run. */
  append(runId: string, events: readonly NewEvent[], options: OwnerOptions): Promise<unknown>;
}

export interface RunBlobs extends Pick<BlobStore, "put" | "read"> {
  /** Ends the hold on these bytes: their records are on disk, or never will be. Resolves when unreferenced bytes are removed. */
  settle(refs: readonly BlobRef[]): Promise<void>;
}
