// The order of a list of cases, by one of its columns. Pure.
import type { CaseCell } from "./evaluation-state.ts";

export const COLUMNS = ["outcome", "name", "agent", "rate", "p50", "p95", "tokens", "cost", "score"] as const;
export type Column = (typeof COLUMNS)[number];

/** Columns whose largest value is of interest first. */
export const DESCENDING: ReadonlySet<Column> = new Set<Column>(["p50", "p95", "tokens", "cost"]);

const OUTCOMES = ["fail", "unevaluated", "not_run", "pass"];

/** Functions that return the value of a case in a column; undefined where the case has none. */
export const VALUES: Record<Column, (cell: CaseCell) => string | number | undefined> = {
  outcome: ({ verdict }) => OUTCOMES.indexOf(verdict),
  name: ({ name }) => name,
  agent: ({ agent }) => agent,
  rate: ({ pass_rate }) => pass_rate?.value,
  p50: ({ more }) => more?.p50,
  p95: ({ more }) => more?.p95,
  tokens: ({ more }) => more?.tokens,
  cost: ({ more }) => more?.cost,
  score: ({ more }) => more?.score,
};

/** Returns the column that an order asks for (`by-cost`, `by--cost` for descending); undefined when it asks for none. */
export function columnOf(order: string): { column: Column; descending: boolean } | undefined {
  const [, sign, name] = /^by-(-?)(\w+)$/.exec(order) ?? [];
  const column = COLUMNS.find((one) => one === name);
  return column === undefined ? undefined : { column, descending: sign === "-" };
}

/** Returns the cases in this order. Cases without a value come last in either direction, and equal ones stay as they were. */
export function orderCells(cells: readonly CaseCell[], order: string): readonly CaseCell[] {
  const wanted = columnOf(order);
  if (wanted === undefined) return cells;
  const sign = wanted.descending ? -1 : 1;
  const keyed = cells.map((cell) => ({ cell, key: VALUES[wanted.column](cell) }));
  keyed.sort((a, b) => {
    if (a.key === undefined || b.key === undefined)
      return Number(a.key === undefined) - Number(b.key === undefined);
    if (typeof a.key === "string") return sign * a.key.localeCompare(String(b.key), "en", { numeric: true });
    return sign * (a.key - Number(b.key));
  });
  return keyed.map(({ cell }) => cell);
}
