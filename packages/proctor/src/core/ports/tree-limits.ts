// Holds all runs of a tree together to the limits of the run at its top.
import type { Failure } from "../failure.ts";
import type { Run } from "../run.ts";

export interface TreeLimits {
  /**
   * A run has used something; nothing happens for one that belongs to no tree. `written` resolves when what reports it is on
   * disk, where the sum is taken.
   */
  spent(run: Pick<Run, "id" | "root_id">, written: () => Promise<void>): void;
  /** A run was started: from then on its root is known to have others below it. */
  joined(run: Pick<Run, "id" | "root_id">): void;
  /** Why the run may not spend anything more, though it is within its own limits; undefined where the tree has something left. */
  usedUp(run: Pick<Run, "id" | "root_id">): Promise<Failure | undefined>;
  close(): void;
}
