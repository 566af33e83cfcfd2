// Counts runs where several processes create them: a row of a count that all of them raise would make them wait for one another. Each
// change is a row of its own, and now and then the changes are added up.
import type { RunBlocksTable } from "../sql/schema.ts";
import type { RunCounter } from "../sql/run-blocks.ts";
import type { Operation } from "../sql/sql-backend.ts";

export const CREATE_CHANGES =
  "create table if not exists run_block_changes (block bigint not null, change bigint not null)";

/** Most changes that are read along before they are added up. */
const MOST_CHANGES = 2000;

const ADD =
  "insert into run_block_changes select ordinal / 1024, count(*) from runs where id = any($1) group by 1";
const REMOVE = "insert into run_block_changes values ($1, -1)";
const READ =
  "select block, sum(total) as total, sum(changes) as changes from (" +
  "select block, total, 0 as changes from run_blocks where block >= $1 union all " +
  "select block, change, 1 from run_block_changes where block >= $1) as all_blocks group by block order by block";
const FOLD =
  "with gone as (delete from run_block_changes returning block, change) " +
  "insert into run_blocks select block, sum(change) from gone group by block order by block " +
  "on conflict (block) do update set total = run_blocks.total + excluded.total";

/** Creates the counter; `write` carries out the adding up, independently of the request. */
export function createRunCounter(write: (operation: Operation<unknown>) => Promise<unknown>): RunCounter {
  let folding: Promise<unknown> | undefined;

  function fold(): void {
    // What fails now is tried again with the next page.
    folding ??= write(async (tx) => tx.run({ sql: FOLD, parameters: [] }))
      .catch(() => undefined)
      .finally(() => (folding = undefined));
  }

  return {
    async added(tx, ids) {
      await tx.run({ sql: ADD, parameters: [ids] });
    },
    async removed(tx, block) {
      await tx.run({ sql: REMOVE, parameters: [block] });
    },
    async from(connection, block) {
      const rows = await connection.all<RunBlocksTable & { changes: number }>({
        sql: READ,
        parameters: [block],
      });
      if (rows.reduce((sum, { changes }) => sum + changes, 0) > MOST_CHANGES) fold();
      return rows.map(({ block: number, total }) => ({ block: number, total }));
    },
  };
}
