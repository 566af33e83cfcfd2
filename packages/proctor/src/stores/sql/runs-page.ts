// The query of a page of runs: which filters there are decides its shape, and each shape is compiled once. Pages are in the order of creation (by
// ordinal, or by time where a filter is about time or cost), of cost or of duration, so that an index answers each.
import { sql, type RawBuilder } from "kysely";
import type { RunQuery } from "../../core/ports/store.ts";
import { RUN_STATUSES, type RunOrder, type RunStatus } from "../../core/run.ts";
import { selectRuns } from "./load-run.ts";
import { searchPattern } from "./run-texts.ts";
import type { SqlDialect } from "./sql-backend.ts";
import { template } from "./template.ts";

export interface RunFilters {
  /** The statuses to list; an empty list means any. */
  statuses: readonly RunStatus[];
  agent: string | undefined;
  alias: string | undefined;
  prefix: string | undefined;
  conversation: string | undefined;
  evaluation: string | undefined;
  parent: string | undefined;
  root: string | undefined;
  protocol: string | undefined;
  /** Text as a pattern of LIKE. */
  text: string | undefined;
  createdFrom: number | undefined;
  createdBefore: number | undefined;
  cost: number | undefined;
  violated: number | undefined;
  order: RunOrder;
}

interface RunsPage extends RunFilters {
  /** Where the page before ended: its last ordinal, and the value of the sort key where there is one. */
  after?: number | undefined;
  afterKey?: number | undefined;
  /** A text that sorts after all texts with the prefix. */
  prefixEnd?: string | undefined;
  limit: number;
}

/** Shapes of the query that are remembered: statuses, order, and which filters there are. */
const MAX_SHAPES = 100;

const FILTERS = [
  "agent",
  "alias",
  "prefix",
  "prefixEnd",
  "conversation",
  "evaluation",
  "parent",
  "root",
  "protocol",
  "text",
  "createdFrom",
  "createdBefore",
  "cost",
  "violated",
  "after",
  "afterKey",
] as const;

export function runFilters(query: Omit<RunQuery, "cursor" | "limit">): RunFilters {
  const { status = [], agent, alias, prefix, conversation, evaluation, parent, root, protocol } = query;
  const { text, created_after, created_before, cost_at_least, violations, order = "newest" } = query;
  return {
    statuses: RUN_STATUSES.filter((known) => status.includes(known)),
    agent,
    alias,
    prefix,
    conversation,
    evaluation,
    parent,
    root,
    protocol,
    text: text === undefined ? undefined : searchPattern(text),
    createdFrom: created_after === undefined ? undefined : Date.parse(created_after),
    createdBefore: created_before === undefined ? undefined : Date.parse(created_before),
    cost: cost_at_least,
    violated: violations === true ? 1 : undefined,
    order,
  };
}

const DURATION = sql<number | null>`(runs.ended_at - runs.started_at)`;
/** The status as a value of its own: by the column, its index would be taken, and all that it finds sorted. */
const NO_INDEX = sql<RunStatus>`(runs.status || '')`;
const NO_KEY = sql<number | null>`null`;

type SortKey = RawBuilder<number | null>;

/** Returns what is compared before the ordinal is; undefined where the ordinal alone decides. */
function sortKey({ order, createdFrom, createdBefore, cost }: RunFilters): SortKey | undefined {
  if (order === "costliest") return sql.ref<number | null>("runs.cost_usd");
  if (order === "slowest") return DURATION;
  const isByTime = createdFrom !== undefined || createdBefore !== undefined || cost !== undefined;
  return isByTime ? sql.ref<number | null>("runs.created_at") : undefined;
}

export const isPlace = (value: unknown): value is number | string =>
  Number.isSafeInteger(value) || (typeof value === "string" && /^-?\d[\d.e+-]{0,30}:\d{1,15}$/.test(value));

/** Returns where the next page continues. */
export function placeOf({
  ordinal,
  sort_key,
}: {
  ordinal: number;
  sort_key: number | null;
}): number | string {
  return sort_key === null ? ordinal : `${sort_key}:${ordinal}`;
}

export function placeAfter(place: number | string): Pick<RunsPage, "after" | "afterKey"> {
  if (typeof place === "number") return { after: place };
  const [key = 0, ordinal = 0] = place.split(":").map(Number);
  return { after: ordinal, afterKey: key };
}

/** Creates the queries of pages, compiled once for each shape: building one costs more than running it. */
export function createRunsPage(dialect: SqlDialect) {
  const build = (shape: RunsPage) =>
    template((values: RunsPage) => selectPage(dialect, { ...shape, ...slotsOf(shape, values) }));
  const known = new Map<string, ReturnType<typeof build>>();
  return (asked: RunsPage) => {
    const { statuses, order, prefix } = asked;
    const page = { ...asked, ...(prefix !== undefined && { prefixEnd: `${prefix}\uffff` }) };
    const given = FILTERS.filter((name) => page[name] !== undefined);
    const shape = `${order} ${statuses.join(" ")} ${given.join(" ")}`;
    const query = known.get(shape) ?? build(page);
    if (known.size < MAX_SHAPES) known.set(shape, query);
    return query(page);
  };
}

/** Returns slots for the values that the page has, and nothing for the others. */
function slotsOf(shape: RunsPage, values: RunsPage): Partial<RunsPage> {
  const slots: Partial<Record<(typeof FILTERS)[number] | "limit", unknown>> = { limit: values.limit };
  for (const name of FILTERS) if (shape[name] !== undefined) slots[name] = values[name];
  // Each slot stands for a value of its own type.
  return slots as Partial<RunsPage>;
}

/**
 * In the order of creation each status has its own part, so that each is read from its index in order, and all of them only as far as needed.
 * The indexes of cost and duration have no status: there it is looked at run by run.
 */
function selectPage(dialect: SqlDialect, page: RunsPage) {
  const { builder } = dialect;
  const { statuses, order, limit } = page;
  const key = sortKey(page);
  const direction = order === "oldest" ? "asc" : "desc";
  const isByCreation = order === "newest" || order === "oldest";
  const ordinals = (status: RunStatus | undefined, conversation: Membership, root: Membership) => {
    let query = filtered(dialect, page, key).limit(limit);
    if (key !== undefined) query = query.orderBy(key, direction);
    query = query.orderBy("runs.ordinal", direction);
    if (status !== undefined) query = query.where("runs.status", "=", status);
    else if (statuses.length > 0) query = query.where(NO_INDEX, "in", statuses);
    if (conversation) query = query.where(`runs.${conversation.column}`, "=", conversation.value);
    // A run that joined another conversation began none.
    if (conversation?.column === "id") query = query.where("runs.conversation", "is", null);
    if (root) query = query.where(`runs.${root.column}`, "=", root.value);
    return builder.selectFrom(query.as("page")).select("ordinal");
  };
  const parts = (isByCreation && statuses.length > 0 ? statuses : [undefined]).flatMap((status) =>
    memberships("conversation", page.conversation).flatMap((conversation) =>
      memberships("root", page.root).map((root) => ordinals(status, conversation, root)),
    ),
  );
  const all = selectRuns(dialect)
    .select(["runs.ordinal", (key ?? NO_KEY).as("sort_key")])
    .where(
      "runs.ordinal",
      "in",
      parts.reduce((some, one) => some.unionAll(one)),
    );
  const sorted = key === undefined ? all : all.orderBy(key, direction);
  return sorted.orderBy("runs.ordinal", direction).limit(limit);
}

/** Adds the filters that every part has. */
function filtered({ builder }: SqlDialect, page: RunsPage, key: SortKey | undefined) {
  const { agent, alias, prefix, prefixEnd = "", evaluation, parent, protocol, text, order, after } = page;
  const { createdFrom, createdBefore, cost, violated, afterKey } = page;
  const side = sql.raw(order === "oldest" ? ">" : "<");
  let query = builder.selectFrom("runs").select("runs.ordinal");
  if (agent !== undefined) query = query.where("runs.agent", "=", agent);
  if (alias !== undefined) query = query.where("runs.alias", "=", alias);
  if (prefix !== undefined) query = query.where("runs.id", ">=", prefix).where("runs.id", "<", prefixEnd);
  if (evaluation !== undefined) query = query.where("runs.evaluation", "=", evaluation);
  if (parent !== undefined) query = query.where("runs.parent", "=", parent);
  if (protocol !== undefined) query = query.where("runs.protocol", "=", protocol);
  if (violated !== undefined) query = query.where("runs.violated", "=", violated);
  if (createdFrom !== undefined) query = query.where("runs.created_at", ">=", createdFrom);
  if (createdBefore !== undefined) query = query.where("runs.created_at", "<", createdBefore);
  if (cost !== undefined) query = query.where("runs.cost_usd", ">=", cost);
  if (order === "costliest") query = query.where("runs.cost_usd", "is not", null);
  // As the index says it, which has these alone.
  if (order === "slowest") {
    query = query.where("runs.ended_at", "is not", null).where("runs.started_at", "is not", null);
  }
  if (text !== undefined) {
    const found = sql<boolean>`exists (select 1 from run_texts where run_texts.ordinal = runs.ordinal and run_texts.text like ${text} escape ${sql.lit("\\")})`;
    query = query.where(found);
  }
  if (after === undefined) return query;
  return key === undefined || afterKey === undefined
    ? query.where(sql<boolean>`runs.ordinal ${side} ${after}`)
    : query.where(sql<boolean>`(${key}, runs.ordinal) ${side} (${afterKey}, ${after})`);
}

type Membership = { column: "conversation" | "root" | "id"; value: string } | undefined;

/** Selects the members: the run that began a conversation or a tree has its name, and nothing in the column. */
function memberships(column: "conversation" | "root", value: string | undefined): Membership[] {
  return value === undefined
    ? [undefined]
    : [
        { column, value },
        { column: "id", value },
      ];
}
