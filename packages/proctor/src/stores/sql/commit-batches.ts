// What the operations of one commit have to write alike: it is gathered while they run, and written with few statements before the commit.
import type { BatchStep, Connection } from "./sql-backend.ts";

export interface CommitBatches extends Required<Pick<Connection, "later" | "settle">> {
  /** Forgets items that wait, because the operations that left them were undone. */
  clear(): void;
}

/** Creates the batches; `tx` is the transaction that the steps write in. */
export function createCommitBatches(tx: Connection): CommitBatches {
  // What a step is given has the type of its items: `later` is the only one that adds.
  const waiting = new Map<BatchStep<never>, unknown[]>();
  return {
    later<Item>(step: BatchStep<Item>, item: Item) {
      const items = waiting.get(step);
      if (items === undefined) waiting.set(step, [item]);
      else items.push(item);
    },
    async settle() {
      for (const [step, items] of waiting) {
        waiting.delete(step);
        await step(tx, items as never[]);
      }
    },
    clear: () => waiting.clear(),
  };
}

/** Leaves an item to a step of the commit, or carries the step out at once where no other operation shares the commit. */
export async function withCommit<Item>(tx: Connection, step: BatchStep<Item>, item: Item): Promise<void> {
  if (tx.later) tx.later(step, item);
  else await step(tx, [item]);
}

/** Numbers of rows that the statements of a batch have: a few fixed sizes, so that each is prepared once. */
const SIZES = [64, 16, 4, 1] as const;

/** Yields the items in pieces of those sizes. */
export function* inPieces<Item>(items: readonly Item[]): Generator<readonly Item[]> {
  let next = 0;
  for (const size of SIZES)
    for (; items.length - next >= size; next += size) yield items.slice(next, next + size);
}
