// The table as the address asks for it: which cases, in which order. The same order leads from one case to the next.
import type { CaseChange } from "../../api/gen/schema.ts";
import type { Verdict } from "../../components/status.tsx";
import type { QueryState } from "../../state/use-query.ts";
import { columnOf, orderCells } from "./order-cells.ts";
import type { CaseCell } from "./evaluation-state.ts";

export const VERDICTS = ["fail", "unevaluated", "not_run", "pass"] as const satisfies readonly Verdict[];
export const CHANGES = ["regressed", "improved", "undecided", "new"] as const satisfies readonly CaseChange[];
export const ORDERS = ["failing", "plan", "flaky", "cost", "slow"] as const;
type Order = (typeof ORDERS)[number];

/** What the address says about the table; links to cases carry it along. */
export const VIEW_NAMES = ["verdict", "change", "flaky", "agent", "suite", "tag", "q", "order"] as const;

export interface TestRow {
  key: string;
  suite: string;
  test_id: string;
  name: string;
  /** Cases of the row by agent; only those that the filter lets through. */
  cells: ReadonlyMap<string, CaseCell>;
}

export interface CaseView {
  agents: readonly string[];
  rows: readonly TestRow[];
  /** The cases as a list has them: in the order that a column's head asks for, else row by row. */
  cells: readonly CaseCell[];
  /** Ids of the cases, as they are read: down the list, or from left to right and from top to bottom of the table. */
  sequence: readonly string[];
}

export function viewOf(cells: Iterable<CaseCell>, planned: readonly string[], query: QueryState): CaseView {
  const fits = filterOf(query);
  const rows = new Map<string, TestRow & { cells: Map<string, CaseCell> }>();
  const agents = new Set<string>();
  for (const cell of cells) {
    if (!fits(cell)) continue;
    agents.add(cell.agent);
    const { suite, test_id, name } = cell;
    const key = JSON.stringify([suite, test_id]);
    const row = rows.get(key) ?? { key, suite, test_id, name, cells: new Map<string, CaseCell>() };
    rows.set(key, row);
    row.cells.set(cell.agent, cell);
  }
  const order = ORDERS.find((name) => name === query.get("order")) ?? "failing";
  const rank = RANKS[order];
  const ranked = [...rows.values()].map((row) => ({ row, ranks: [...rank(row), firstNumber(row)] }));
  const sorted = ranked.toSorted((a, b) => compareRanks(a.ranks, b.ranks)).map(({ row }) => row);
  const columns = [
    ...planned.filter((name) => agents.has(name)),
    ...[...agents].filter((name) => !planned.includes(name)),
  ];
  const inRows = sorted.flatMap(({ cells: own }) => columns.flatMap((agent) => own.get(agent) ?? []));
  const isList = query.get("tab") === "cases" || query.get("from") === "cases";
  const isColumn = columnOf(query.get("order")) !== undefined;
  // A row of the table is as bad as its worst case; in a list each case stands for itself.
  const wanted = isList && order === "failing" && !isColumn ? "by-outcome" : query.get("order");
  const listed = orderCells(inRows, wanted);
  return { agents: columns, rows: sorted, cells: listed, sequence: listed.map(({ id }) => id) };
}

function filterOf({ get }: QueryState): (cell: CaseCell) => boolean {
  const verdicts = get("verdict").split(",").filter(Boolean);
  const changes = get("change").split(",").filter(Boolean);
  const [agent, suite, tag] = [get("agent"), get("suite"), get("tag")];
  const words = get("q").toLocaleLowerCase().split(/\s+/).filter(Boolean);
  return (cell) => {
    if (verdicts.length > 0 && !verdicts.includes(cell.verdict)) return false;
    if (changes.length > 0 && !changes.includes(cell.change ?? "")) return false;
    if (get("flaky") !== "" && !isFlaky(cell)) return false;
    if (agent !== "" && cell.agent !== agent) return false;
    if (suite !== "" && cell.suite !== suite) return false;
    if (tag !== "" && !cell.more?.tags.includes(tag)) return false;
    if (words.length === 0) return true;
    const names = [cell.suite, cell.test_id, cell.name, cell.agent, ...(cell.more?.tags ?? [])];
    const text = names.join(" ").toLocaleLowerCase();
    return words.every((word) => text.includes(word));
  };
}

/** Whether some of the case's runs passed and some failed. */
export function isFlaky({ flakiness }: CaseCell): boolean {
  return flakiness !== null && flakiness > 0;
}

const SEVERITY: Record<Verdict, number> = { fail: 0, unevaluated: 1, not_run: 2, pass: 3 };
const over = (row: TestRow, value: (cell: CaseCell) => number): number[] =>
  [...row.cells.values()].map(value);

/** Functions that return what each order sorts by, the smallest first. */
const RANKS: Record<Order, (row: TestRow) => number[]> = {
  plan: () => [],
  failing: (row) => [
    Math.min(...over(row, ({ verdict }) => SEVERITY[verdict])),
    -over(row, ({ verdict }) => (verdict === "fail" ? 1 : 0)).reduce((a, b) => a + b, 0),
    Math.min(...over(row, ({ pass_rate }) => pass_rate?.value ?? 1)),
  ],
  flaky: (row) => [-Math.max(...over(row, ({ flakiness }) => flakiness ?? 0))],
  cost: (row) => [-Math.max(...over(row, ({ cost_usd }) => cost_usd ?? 0))],
  slow: (row) => [-Math.max(...over(row, ({ duration_ms }) => duration_ms))],
};

function firstNumber(row: TestRow): number {
  return Math.min(...over(row, ({ number }) => number));
}

function compareRanks(a: readonly number[], b: readonly number[]): number {
  for (const [index, value] of a.entries()) {
    const difference = value - (b[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
