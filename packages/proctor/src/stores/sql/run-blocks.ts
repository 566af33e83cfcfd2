// How many runs there are in each stretch of 1,024 ordinals, counted in the commits that add and remove runs. So a page by its number is
// found by walking a short list, and all runs never have to be counted.
import { sql } from "kysely";
import { inPieces } from "./commit-batches.ts";
import type { RunBlocksTable } from "./schema.ts";
import type { Connection, SqlDialect } from "./sql-backend.ts";
import { template } from "./template.ts";

export const ORDINALS_PER_BLOCK = 1024;

export interface RunCounter {
  /** Counts runs that this transaction has inserted. */
  added(tx: Connection, ids: readonly string[]): Promise<void>;
  /** Discounts a run that this transaction removes. */
  removed(tx: Connection, block: number): Promise<void>;
  /** Lists the blocks from this number on, in order. */
  from(connection: Connection, block: number): Promise<RunBlocksTable[]>;
}

export function createRunCounter({ builder }: SqlDialect): RunCounter {
  const block = sql<number>`ordinal / 1024`;
  const count = (ids: readonly string[]) =>
    builder
      .insertInto("run_blocks")
      .columns(["block", "total"])
      .expression(
        builder
          .selectFrom("runs")
          .select((eb) => [block.as("block"), eb.fn.countAll<number>().as("total")])
          .where("id", "in", ids)
          .groupBy(block),
      )
      .onConflict((conflict) =>
        conflict.column("block").doUpdateSet({ total: sql<number>`run_blocks.total + excluded.total` }),
      );
  /** Statements that count, by the number of ids. */
  const counts = new Map<number, string>();
  const discount = template(({ block }: { block: number }) =>
    builder
      .updateTable("run_blocks")
      .set({ total: sql<number>`total - 1` })
      .where("block", "=", block),
  );
  const from = template(({ block }: { block: number }) =>
    builder.selectFrom("run_blocks").select(["block", "total"]).where("block", ">=", block).orderBy("block"),
  );
  return {
    async added(tx, ids) {
      for (const piece of inPieces(ids)) {
        const text = counts.get(piece.length) ?? count(piece).compile().sql;
        counts.set(piece.length, text);
        await tx.run({ sql: text, parameters: piece });
      }
    },
    async removed(tx, block) {
      await tx.run(discount({ block }));
    },
    from: async (connection, block) => connection.all(from({ block })),
  };
}

export interface RunBlocks {
  /** Resolves with the blocks by number, and the sum of their totals. */
  read(): Promise<{ blocks: readonly RunBlocksTable[]; total: number }>;
  /** To be called after a commit that added runs, which are the newest. */
  grown(): void;
  /** To be called after a commit that removed the run of this ordinal. */
  shrunk(ordinal: number): void;
  clear(): void;
}

/** Keeps the blocks that cannot have changed in memory, if this process is the only writer. */
export function createRunBlocks(counter: RunCounter, read: Connection, soleWriter: boolean): RunBlocks {
  let known: readonly RunBlocksTable[] = [];
  /** Number of the block from which on all are read again. */
  let changedFrom = 0;
  let changes = 0;

  function forget(block: number): void {
    changes++;
    changedFrom = Math.min(changedFrom, block);
  }

  async function load(): Promise<readonly RunBlocksTable[]> {
    if (soleWriter && changedFrom === Infinity) return known;
    const first = soleWriter ? changedFrom : 0;
    const kept = known.filter(({ block }) => block < first);
    const before = changes;
    const rows = await counter.from(read, first);
    const blocks = [...kept, ...rows];
    // A commit while they were being read may have made them old.
    if (changes === before) {
      known = blocks;
      changedFrom = Infinity;
    }
    return blocks;
  }

  return {
    async read() {
      const blocks = await load();
      return { blocks, total: blocks.reduce((sum, block) => sum + block.total, 0) };
    },
    grown: () => forget(known.findLast((block) => block.total > 0)?.block ?? 0),
    shrunk: (ordinal) => forget(Math.floor(ordinal / ORDINALS_PER_BLOCK)),
    clear: () => forget(0),
  };
}
