// What the desk of a hub needs of the hub.
import type { ArtifactLimits } from "../../core/artifact.ts";
import type { BlobStore } from "../../core/ports/blob-store.ts";
import type { Clock } from "../../core/ports/clock.ts";
import type { LentRuns } from "../../core/ports/lent-runs.ts";
import type { Sealer } from "../../core/ports/sealer.ts";
import type { NewEvent, NewRun, RunSecrets, Store } from "../../core/ports/store.ts";
import type { TreeLimits } from "../../core/ports/tree-limits.ts";
import type { Run } from "../../core/run.ts";

export interface DeskDeps {
  store: Store;
  lent: LentRuns;
  blobs: BlobStore;
  sealer: Sealer;
  clock: Clock;
  trees: Pick<TreeLimits, "joined" | "spent" | "usedUp">;
  /** Resolves with the key of the hub from which that of tickets is derived. */
  runKey: () => Promise<Buffer>;
  /** Runs of one agent that may be in flight at once, where its spec does not say. */
  agentConcurrency: number;
  artifactLimits: ArtifactLimits;
  /** Returns the next attempt after a run that ended so; undefined where its retry policy allows none. */
  nextAttempt: (failed: RunSecrets, ended: NewEvent, notBefore: number) => NewRun | undefined;
  /** Called when a worker wrote these events to the run, for the first time. */
  onWritten: (run: Run, events: readonly NewEvent[]) => void;
}
