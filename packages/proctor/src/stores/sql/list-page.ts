// Pages of runs by their number, newest first. Page 1,000 costs what page 1 does: the blocks say where it begins.
import type { NumberedPage } from "../../core/page.ts";
import type { Run } from "../../core/run.ts";
import { pageLimit } from "./cursor.ts";
import { selectRuns, type RunLoader } from "./load-run.ts";
import { ORDINALS_PER_BLOCK, type RunBlocks } from "./run-blocks.ts";
import type { RunBlocksTable } from "./schema.ts";
import type { Connection, SqlDialect } from "./sql-backend.ts";
import { template } from "./template.ts";

export type ListPage = (
  connection: Connection,
  page: NumberedPage,
) => Promise<{ items: Run[]; total: number }>;

export function createListPage(dialect: SqlDialect, loader: RunLoader, runBlocks: RunBlocks): ListPage {
  const { builder } = dialect;
  const page = template(({ below, skip, limit }: { below: number; skip: number; limit: number }) =>
    selectRuns(dialect)
      .where(
        "runs.ordinal",
        "in",
        builder
          .selectFrom(
            builder
              .selectFrom("runs")
              .select("ordinal")
              .where("ordinal", "<", below)
              .orderBy("ordinal", "desc")
              .limit(limit)
              .offset(skip)
              .as("page"),
          )
          .select("ordinal"),
      )
      .orderBy("runs.ordinal", "desc"),
  );

  return async (connection, { page: number, size }) => {
    const { blocks, total } = await runBlocks.read();
    const limit = pageLimit(size);
    const start = findStart(blocks, (Math.max(1, Math.trunc(number) || 1) - 1) * limit);
    const items: Run[] = [];
    if (start === undefined) return { items, total };
    for (const row of await connection.all(page({ ...start, limit }))) {
      items.push((await loader.complete(connection, row)).state.run);
    }
    return { items, total };
  };
}

/** Where the run is before which there are `newer`: so many of those below this ordinal are to be skipped. */
function findStart(
  blocks: readonly RunBlocksTable[],
  newer: number,
): { below: number; skip: number } | undefined {
  let skip = newer;
  for (let index = blocks.length - 1; index >= 0; index--) {
    const { block, total } = blocks[index] ?? { block: 0, total: 0 };
    if (skip < total) return { below: (block + 1) * ORDINALS_PER_BLOCK, skip };
    skip -= total;
  }
  return undefined;
}
