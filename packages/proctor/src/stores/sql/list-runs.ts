// Pages of runs, by creation; and how many there are in each status.
import type { ClaimedRun, RunQuery } from "../../core/ports/store.ts";
import { CLIENT_AGENT, RUN_STATUSES, type Run, type RunStatus } from "../../core/run.ts";
import type { Page } from "../../core/page.ts";
import { cursorKind, pageLimit } from "./cursor.ts";
import { selectRuns, type RunLoader } from "./load-run.ts";
import type { Connection, SqlDialect } from "./sql-backend.ts";
import { compile, template } from "./template.ts";

const isOrdinal = (value: unknown): value is number => Number.isSafeInteger(value);

type ListRuns = (connection: Connection, query: RunQuery) => Promise<Page<Run>>;

export function createListRuns(dialect: SqlDialect, loader: RunLoader): ListRuns {
  const pageOf = createPageQuery(dialect);
  return async (
    connection,
    {
      status = [],
      agent,
      alias,
      prefix,
      conversation,
      evaluation,
      parent,
      root,
      order = "newest",
      cursor,
      limit,
    },
  ) => {
    const statuses = RUN_STATUSES.filter((known) => status.includes(known));
    const filters = { statuses, agent, alias, prefix, conversation, evaluation, parent, root, order };
    const kind = cursorKind("runs", filters, isOrdinal);
    const size = pageLimit(limit);
    const after = cursor === undefined ? undefined : kind.decode(cursor);
    const rows = await connection.all(pageOf({ ...filters, after, limit: size + 1 }));
    const last = rows.length > size ? rows[size - 1] : undefined;
    const items: Run[] = [];
    for (const row of rows.slice(0, size)) items.push((await loader.complete(connection, row)).state.run);
    return { items, next_cursor: last ? kind.encode(last.ordinal) : null };
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

interface PageQuery {
  /** The statuses to list; an empty list means any. */
  statuses: readonly RunStatus[];
  agent: string | undefined;
  alias: string | undefined;
  prefix: string | undefined;
  /** A text behind all that begin with the prefix. */
  prefixEnd?: string | undefined;
  conversation: string | undefined;
  evaluation: string | undefined;
  parent: string | undefined;
  root: string | undefined;
  order: "newest" | "oldest";
  after: number | undefined;
  limit: number;
}

/** How many shapes of the query are remembered: statuses, order, and which filters there are. */
const MAX_SHAPES = 100;

/** The query of a page, compiled once for each shape: building one costs more than running it. */
function createPageQuery(dialect: SqlDialect) {
  const build = (shape: PageQuery) =>
    template((values: PageValues) => selectPage(dialect, { ...shape, ...slotsOf(shape, values) }));
  const known = new Map<string, ReturnType<typeof build>>();
  return (page: PageQuery) => {
    const { statuses, order, prefix } = page;
    const given = FILTERS.filter((name) => page[name] !== undefined);
    const shape = `${order} ${statuses.join(" ")} ${given.join(" ")}`;
    const query = known.get(shape) ?? build(page);
    if (known.size < MAX_SHAPES) known.set(shape, query);
    return query({ ...page, ...(prefix !== undefined && { prefixEnd: `${prefix}\uffff` }) });
  };
}

const FILTERS = [
  "agent",
  "alias",
  "prefix",
  "conversation",
  "evaluation",
  "parent",
  "root",
  "after",
] as const;

type PageValues = Omit<PageQuery, "statuses" | "order">;

/** Slots for what the page has, and nothing where it has nothing. */
function slotsOf(shape: PageQuery, values: PageValues): PageValues {
  const slots: Partial<Record<(typeof FILTERS)[number], unknown>> = {};
  for (const name of FILTERS) if (shape[name] !== undefined) slots[name] = values[name];
  // Slots stand for values of the same types.
  const filters = slots as Pick<PageValues, (typeof FILTERS)[number]>;
  return {
    ...filters,
    limit: values.limit,
    ...(shape.prefix !== undefined && { prefixEnd: values.prefixEnd }),
  };
}

/** Walks an index a little for each status and each way to belong to a conversation or a tree, then takes the first `limit` of all of them. */
function selectPage(dialect: SqlDialect, page: PageQuery) {
  const { statuses, agent, alias, prefix, prefixEnd = "", evaluation, parent, order, after, limit } = page;
  const { builder } = dialect;
  const direction = order === "newest" ? "desc" : "asc";
  const ordinals = (status: RunStatus | undefined, conversation: Membership, root: Membership) => {
    let query = builder.selectFrom("runs").select("ordinal").orderBy("ordinal", direction).limit(limit);
    if (status !== undefined) query = query.where("status", "=", status);
    if (agent !== undefined) query = query.where("agent", "=", agent);
    if (alias !== undefined) query = query.where("alias", "=", alias);
    if (prefix !== undefined) query = query.where("id", ">=", prefix).where("id", "<", prefixEnd);
    if (evaluation !== undefined) query = query.where("evaluation", "=", evaluation);
    if (parent !== undefined) query = query.where("parent", "=", parent);
    if (conversation) query = query.where(conversation.column, "=", conversation.value);
    if (root) query = query.where(root.column, "=", root.value);
    if (after !== undefined) query = query.where("ordinal", order === "newest" ? "<" : ">", after);
    return builder.selectFrom(query.as("page")).select("ordinal");
  };
  const parts = (statuses.length > 0 ? statuses : [undefined]).flatMap((status) =>
    memberships("conversation", page.conversation).flatMap((conversation) =>
      memberships("root", page.root).map((root) => ordinals(status, conversation, root)),
    ),
  );
  return selectRuns(dialect)
    .select("runs.ordinal")
    .where(
      "runs.ordinal",
      "in",
      parts.reduce((all, one) => all.unionAll(one)),
    )
    .orderBy("runs.ordinal", direction)
    .limit(limit);
}

type Membership = { column: "conversation" | "root" | "id"; value: string } | undefined;

/** The run that began a conversation or a tree has its name, and nothing in the column. */
function memberships(column: "conversation" | "root", value: string | undefined): Membership[] {
  return value === undefined
    ? [undefined]
    : [
        { column, value },
        { column: "id", value },
      ];
}

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
