// Holds all runs of a tree together to the limits of the run at its top.
import type { Failure } from "../failure.ts";
import type { Run } from "../run.ts";

export interface TreeLimits {
  /**
   * Reports that a run has used something; a no-op for one that belongs to no tree. `written` resolves when the event that reports it is on
   * disk, where the sum is taken.
   */
  spent(run: Pick<Run, "id" | "root_id">, written: () => Promise<void>): void;
  /** Reports that a run was started: from then on its root is known to have others below it. */
  joined(run: Pick<Run, "id" | "root_id">): void;
  /** Resolves with why the run may spend nothing more, though it is within its own limits; undefined while the tree has something left. */
  usedUp(run: Pick<Run, "id" | "root_id">): Promise<Failure | undefined>;
  close(): void;
}
