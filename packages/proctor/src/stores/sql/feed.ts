// The order in which the events of all runs were committed. The last event of each append has a position, greater than every position
// before it; the other events of the append have those right below. So nothing is written for it besides the events themselves.
import { sql } from "kysely";
import type { FeedEntry, FeedPage } from "../../core/ports/store.ts";
import { eventPayload } from "./long-payloads.ts";
import type { Connection, FeedEnd, SqlBackend, SqlDialect } from "./sql-backend.ts";
import { compile, template } from "./template.ts";

/** Most events that are read at once, however many are requested. */
const MAX_FEED_READ = 1000;

/** Number of positions that one value of `nextPosition` stands for. Longer appends take several values. */
export const FEED_STRIDE = 1024;

/** Gives positions to the events of one writer, which may leave some out and never gives one twice. */
export interface Positions {
  /** Takes as many positions and returns the last of them. */
  take(tx: Connection, count: number): number | Promise<number>;
  /** Records which positions have been taken, because runs that hold them are about to be removed. */
  keep(tx: Connection): Promise<void>;
  /** Takes positions for changes that are not events, at most `FEED_STRIDE`, and returns the first of them. */
  reserve(tx: Connection, count: number): Promise<number>;
}

export function createPositions(dialect: SqlDialect): Positions {
  const { builder } = dialect;
  const end = createFeedEnd(dialect);
  const save = template(({ position }: { position: number }) =>
    builder
      .insertInto("feed_floor")
      .values({ id: 1, position })
      .onConflict((conflict) => conflict.column("id").doUpdateSet({ position })),
  );
  // In memory, because a statement for each append costs too much. After a rollback it is ahead, which harms nobody.
  let last: number | undefined;
  // The database counts, and what it has given it never gives again.
  if (dialect.nextPosition) {
    const next = compile(builder.selectNoFrom(dialect.nextPosition.as("last")));
    return {
      take: () => 0,
      keep: () => Promise.resolve(),
      reserve: async (tx, count) => ((await tx.first(next))?.last ?? 0) - count + 1,
    };
  }

  async function load(tx: Connection): Promise<number> {
    last ??= (await end(tx)).end;
    return last;
  }

  async function keep(tx: Connection): Promise<void> {
    await tx.run(save({ position: await load(tx) }));
  }

  return {
    take(tx, count) {
      if (last !== undefined) return (last += count);
      return load(tx).then((known) => (last = known + count));
    },
    keep,
    async reserve(tx, count) {
      const first = (await load(tx)) + 1;
      last = first + count - 1;
      await keep(tx);
      return first;
    },
  };
}

/** Returns the last position that was committed; 0 when there is none. */
function createFeedEnd({ builder }: SqlDialect): (connection: Connection) => Promise<FeedEnd> {
  const query = compile(
    builder.selectNoFrom([
      builder
        .selectFrom("events")
        .where("position", "is not", null)
        .select((eb) => eb.fn.max("position").as("at"))
        .as("last"),
      builder.selectFrom("feed_floor").select("position").where("id", "=", 1).as("floor"),
    ]),
  );
  return async (connection) => {
    const row = await connection.first(query);
    return { end: Math.max(row?.last ?? 0, row?.floor ?? 0), isSettled: true };
  };
}

type ReadFeed = (connection: Connection, after: number, limit: number) => Promise<FeedPage>;

/** Creates the reader; `settledEnd` is the backend's. */
export function createReadFeed(dialect: SqlDialect, settledEnd?: SqlBackend["settledEnd"]): ReadFeed {
  const { builder } = dialect;
  const feedEnd = createFeedEnd(dialect);
  // The last event of the append before, in the same run.
  const before = builder
    .selectFrom("events as earlier")
    .select("earlier.sequence")
    .where("earlier.run_id", "=", sql.ref<string>("tail.run_id"))
    .where("earlier.sequence", "<", sql.ref<number>("tail.sequence"))
    .where(sql<boolean>`earlier.position + 0 is not null`)
    .orderBy("earlier.sequence", "desc")
    .limit(1);
  const appends = template(({ after, end, limit }: { after: number; end: number; limit: number }) =>
    builder
      .selectFrom("events as tail")
      // Those of a removed run may not all be erased yet.
      .innerJoin("runs", "runs.id", "tail.run_id")
      .select([
        sql<number>`tail.position`.as("position"),
        "tail.run_id",
        "tail.sequence as last",
        sql<number>`coalesce(${before}, -1)`.as("before"),
        "runs.agent",
        sql<string>`coalesce(runs.conversation, runs.id)`.as("conversation_id"),
      ])
      .where("tail.position", ">", after)
      .where("tail.position", "<=", end)
      .orderBy("tail.position")
      .limit(limit),
  );
  const events = template((range: { run_id: string; after: number; last: number; limit: number }) =>
    builder
      .selectFrom("events")
      .select(["run_id", "sequence", "timestamp", "type", eventPayload().as("payload"), "origin"])
      .where("run_id", "=", range.run_id)
      .where("sequence", ">", range.after)
      .where("sequence", "<=", range.last)
      .orderBy("sequence")
      .limit(range.limit),
  );

  return async (connection, after, limit) => {
    const place = Math.min(Math.max(Math.trunc(after), 0), Number.MAX_SAFE_INTEGER);
    const most = Math.min(Math.max(Math.trunc(limit) || 1, 1), MAX_FEED_READ);
    // Before the events, so that none can be committed between what was read and the end.
    const { end, isSettled } = await (settledEnd?.() ?? feedEnd(connection));
    if (!isSettled) return { items: [], last: after === Infinity ? end : place };
    if (place >= end) return { items: [], last: end };
    const items: FeedEntry[] = [];
    const found = await connection.all(appends({ after: place, end, limit: most }));
    for (const { position, run_id, last, before: previous, agent, conversation_id } of found) {
      // A reader may have seen the first events of an append.
      const seen = Math.max(previous, last - (position - place));
      const range = { run_id, after: seen, last, limit: most - items.length };
      for (const record of await connection.all(events(range))) {
        items.push({ position: position - last + record.sequence, agent, conversation_id, record });
      }
      const read = items.at(-1);
      if (items.length === most && read !== undefined) return { items, last: read.position };
    }
    const read = Math.max(items.at(-1)?.position ?? 0, found.at(-1)?.position ?? 0);
    return { items, last: found.length === most ? read : Math.max(read, end) };
  };
}
