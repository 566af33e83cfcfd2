// Pages of runs by their number, newest first. Page 1,000 costs what page 1 does: the blocks say where it begins.
import type { RunPageQuery } from "../../core/ports/store.ts";
import type { Run } from "../../core/run.ts";
import { pageLimit } from "./cursor.ts";
import { selectRuns, type RunLoader } from "./load-run.ts";
import { ORDINALS_PER_BLOCK, type RunBlocks } from "./run-blocks.ts";
import type { RunBlocksTable } from "./schema.ts";
import type { Connection, SqlDialect } from "./sql-backend.ts";
import { compile, template } from "./template.ts";

type ListPage = (connection: Connection, page: RunPageQuery) => Promise<{ items: Run[]; total: number }>;

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

  async function load(connection: Connection, query: ReturnType<typeof page>): Promise<Run[]> {
    const items: Run[] = [];
    for (const row of await connection.all(query)) {
      items.push((await loader.complete(connection, row)).state.run);
    }
    return items;
  }

  /** Uses the index of the filters, because the blocks count all runs. */
  async function filtered(
    connection: Connection,
    { status, agent }: Pick<RunPageQuery, "status" | "agent">,
    skip: number,
    limit: number,
  ): Promise<{ items: Run[]; total: number }> {
    let matching = builder.selectFrom("runs");
    if (status !== undefined) matching = matching.where("status", "in", status);
    if (agent !== undefined) matching = matching.where("agent", "=", agent);
    const [counted] = await connection.all(compile(matching.select((eb) => eb.fn.countAll().as("total"))));
    const ordinals = matching.select("ordinal").orderBy("ordinal", "desc").limit(limit).offset(skip);
    const rows = selectRuns(dialect)
      .where("runs.ordinal", "in", builder.selectFrom(ordinals.as("page")).select("ordinal"))
      .orderBy("runs.ordinal", "desc");
    return { items: await load(connection, compile(rows)), total: Number(counted?.total ?? 0) };
  }

  return async (connection, { page: number, size, status, agent }) => {
    const limit = pageLimit(size);
    const skip = (Math.max(1, Math.trunc(number) || 1) - 1) * limit;
    if (status !== undefined || agent !== undefined)
      return filtered(
        connection,
        { ...(status && { status }), ...(agent !== undefined && { agent }) },
        skip,
        limit,
      );
    const { blocks, total } = await runBlocks.read();
    const start = findStart(blocks, skip);
    return { items: start === undefined ? [] : await load(connection, page({ ...start, limit })), total };
  };
}

/** Finds the run that has `newer` runs before it: the ordinal to start below, and the number of runs to skip from there. */
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
