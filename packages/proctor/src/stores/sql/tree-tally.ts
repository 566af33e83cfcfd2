// What a run and everything below it have used. A goal asks before each of its runs and each of its model calls, so what has ended in a
// large tree is remembered, and only live and new runs are read again. The database says whether that still holds: other processes add
// runs, too, and their ordinals may become visible late.
import { sql } from "kysely";
import type { TreeTally } from "../../core/ports/store.ts";
import { isTerminal, type RunStatus } from "../../core/run.ts";
import { decodeMetrics } from "./run-record.ts";
import type { Connection, SqlDialect } from "./sql-backend.ts";
import { compile, template } from "./template.ts";

export type TallyTree = (connection: Connection, id: string) => Promise<TreeTally>;

interface Row {
  id: string;
  ordinal: number;
  status: RunStatus;
  progress: string;
}

/** A tree up to the ordinal `seen`, without the run at its top. */
interface Known {
  seen: number;
  /** Count and sum of the ordinals up to `seen`: they differ once a run came late, or was removed. */
  count: number;
  sum: number;
  ended: TreeTally;
  live: string[];
}

/** Runs from which a tree counts as large; a smaller one is read as a whole. */
const LARGE = 200;
/** Most live runs that are read one by one: with more, reading the whole tree costs less. */
const MAX_LIVE = 500;
const MAX_TREES = 100;
const COLUMNS = ["id", "ordinal", "status", "progress"] as const;
const NOTHING: TreeTally = { runs: 0, live: 0, total_tokens: 0, cost_usd: 0, total_steps: 0 };
const NEW: Known = { seen: 0, count: 0, sum: 0, ended: NOTHING, live: [] };

export function createTreeTally({ builder }: SqlDialect): TallyTree {
  /** Trees by the run at the top, the least recently used first. */
  const trees = new Map<string, Known>();
  const self = template(({ id }: { id: string }) =>
    builder
      .selectFrom("runs")
      .select([...COLUMNS, "root"])
      .where("id", "=", id),
  );
  const added = template(({ root, seen }: { root: string; seen: number }) =>
    builder.selectFrom("runs").select(COLUMNS).where("root", "=", root).where("ordinal", ">", seen),
  );
  const summed = template(({ root, seen }: { root: string; seen: number }) =>
    builder
      .selectFrom("runs")
      .select([sql<number>`count(*)`.as("count"), sql<number>`coalesce(sum(ordinal), 0)`.as("sum")])
      .where("root", "=", root)
      .where("ordinal", "<=", seen),
  );
  const below = template(({ id }: { id: string }) =>
    builder
      .withRecursive("below", (db) =>
        db
          .selectFrom("runs")
          .select(COLUMNS)
          .where("parent", "=", id)
          .unionAll(
            db
              .selectFrom("runs")
              .innerJoin("below", "below.id", "runs.parent")
              .select(["runs.id", "runs.ordinal", "runs.status", "runs.progress"]),
          ),
      )
      .selectFrom("below")
      .select(COLUMNS),
  );

  async function known(connection: Connection, root: string): Promise<Known> {
    const found = trees.get(root);
    if (found === undefined) return NEW;
    const now = await connection.first(summed({ root, seen: found.seen }));
    // A sum of whole numbers may come as a text.
    return Number(now?.count) === found.count && Number(now?.sum) === found.sum ? found : NEW;
  }

  function remember(root: string, tree: Known): void {
    trees.delete(root);
    if (tree.count < LARGE || tree.live.length > MAX_LIVE) return;
    trees.set(root, tree);
    const [oldest] = trees.keys();
    if (trees.size > MAX_TREES && oldest !== undefined) trees.delete(oldest);
  }

  async function membersOf(connection: Connection, root: string): Promise<TreeTally> {
    const before = await known(connection, root);
    const fresh = await connection.all(added({ root, seen: before.seen }));
    const again =
      before.live.length === 0
        ? []
        : await connection.all(
            compile(builder.selectFrom("runs").select(COLUMNS).where("id", "in", before.live)),
          );
    const rows = [...again, ...fresh];
    const ended = rows.filter(({ status }) => isTerminal(status));
    const live = rows.filter(({ status }) => !isTerminal(status));
    const tree: Known = {
      seen: fresh.reduce((most, { ordinal }) => Math.max(most, ordinal), before.seen),
      count: before.count + fresh.length,
      sum: fresh.reduce((sum, { ordinal }) => sum + ordinal, before.sum),
      ended: ended.reduce(add, before.ended),
      live: live.map(({ id }) => id),
    };
    remember(root, tree);
    return live.reduce(add, tree.ended);
  }

  return async (connection, id) => {
    const top = await connection.first(self({ id }));
    if (top === undefined) return NOTHING;
    if (top.root === null) return add(await membersOf(connection, id), top);
    return (await connection.all(below({ id }))).reduce(add, add(NOTHING, top));
  };
}

function add(tally: TreeTally, { status, progress }: Pick<Row, "status" | "progress">): TreeTally {
  const { total_tokens = 0, cost_usd = 0, total_steps = 0 } = decodeMetrics(progress);
  return {
    runs: tally.runs + 1,
    live: tally.live + (isTerminal(status) ? 0 : 1),
    total_tokens: tally.total_tokens + total_tokens,
    cost_usd: tally.cost_usd + cost_usd,
    total_steps: tally.total_steps + total_steps,
  };
}
