// Pages of runs; and how many there are in each status.
import { sql } from "kysely";
import type { ClaimedRun, RunQuery } from "../../core/ports/store.ts";
import { CLIENT_AGENT, RUN_STATUSES, type Run, type RunStatus } from "../../core/run.ts";
import type { Page } from "../../core/page.ts";
import { cursorKind, pageLimit } from "./cursor.ts";
import { selectRuns, type RunLoader } from "./load-run.ts";
import type { Connection, SqlDialect } from "./sql-backend.ts";
import { createRunsPage, isPlace, placeAfter, placeOf, runFilters } from "./runs-page.ts";
import { compile, template } from "./template.ts";

type ListRuns = (connection: Connection, query: RunQuery) => Promise<Page<Run>>;

export function createListRuns(dialect: SqlDialect, loader: RunLoader): ListRuns {
  const pageOf = createRunsPage(dialect);
  return async (connection, { status = [], order = "newest", cursor, limit, ...query }) => {
    const filters = runFilters({ ...query, status, order });
    const kind = cursorKind("runs", filters, isPlace);
    const size = pageLimit(limit);
    const place = cursor === undefined ? {} : placeAfter(kind.decode(cursor));
    const rows = await connection.all(pageOf({ ...filters, ...place, limit: size + 1 }));
    const last = rows.length > size ? rows[size - 1] : undefined;
    const items: Run[] = [];
    for (const row of rows.slice(0, size)) items.push((await loader.complete(connection, row)).state.run);
    return { items, next_cursor: last ? kind.encode(placeOf(last)) : null };
  };
}

type ExpiredRuns = (connection: Connection, now: number, limit: number) => Promise<ClaimedRun[]>;

export function createExpiredRuns(dialect: SqlDialect, loader: RunLoader): ExpiredRuns {
  const { builder } = dialect;
  // On both sides of the clients' runs, of which there may be very many, through the index.
  const ordinals = (status: RunStatus, side: "<" | ">", now: number, limit: number) =>
    builder
      .selectFrom(
        builder
          .selectFrom("runs")
          .select("ordinal")
          .where("status", "=", status)
          .where("agent", side, CLIENT_AGENT)
          .where("worker", "is not", null)
          .where((eb) =>
            eb.not(
              eb.exists(
                eb
                  .selectFrom("workers")
                  .select("workers.id")
                  .whereRef("workers.id", "=", "runs.worker")
                  .where("alive_until", ">", now),
              ),
            ),
          )
          .orderBy("agent")
          .limit(limit)
          .as("page"),
      )
      .select("ordinal");
  const query = (now: number, limit: number) =>
    selectRuns(dialect)
      .select(["runs.sealed", "runs.continuation"])
      .where(
        "runs.ordinal",
        "in",
        IN_FLIGHT.flatMap((status) => [
          ordinals(status, "<", now, limit),
          ordinals(status, ">", now, limit),
        ]).reduce((all, one) => all.unionAll(one)),
      )
      .orderBy("runs.ordinal")
      .limit(limit);
  return async (connection, now, limit) => {
    const found: ClaimedRun[] = [];
    const moment = Math.min(now, Number.MAX_SAFE_INTEGER);
    for (const row of await connection.all(compile(query(moment, pageLimit(limit))))) {
      const { state, spec, fence, nextSequence } = await loader.complete(connection, row);
      const { run, talk } = state;
      const sequence = nextSequence - 1;
      const { sealed, continuation } = row;
      found.push({ run, spec, sealed, fence, continuation, sequence, ...(talk && { talk }) });
    }
    return found;
  };
}

const IN_FLIGHT = ["running", "waiting", "paused"] as const;

type CountRuns = (connection: Connection) => Promise<Record<RunStatus, number>>;

export function createCountRuns({ builder }: SqlDialect): CountRuns {
  const count = compile(
    builder
      .selectFrom("runs")
      .select((eb) => ["status", eb.fn.countAll().as("total")])
      .groupBy("status"),
  );
  return async (connection) => {
    const rows = await connection.all(count);
    const totals = new Map(rows.map(({ status, total }) => [status, Number(total)]));
    // Has every key: it is made from the list of statuses.
    return Object.fromEntries(RUN_STATUSES.map((status) => [status, totals.get(status) ?? 0])) as Record<
      RunStatus,
      number
    >;
  };
}

/** Resolves with the time since when the run that was due first has waited. */
export function createDueSince({
  builder,
}: SqlDialect): (connection: Connection, now: number) => Promise<number | null> {
  const oldest = template(({ now }: { now: number }) =>
    builder
      .selectFrom("runs")
      .select((eb) => eb.fn.min("not_before").as("since"))
      // Written out, not bound: only then does the index of waiting runs apply.
      .where(sql<boolean>`status = 'queued'`)
      .where("not_before", "<=", now),
  );
  return async (connection, now) => (await connection.first(oldest({ now })))?.since ?? null;
}
