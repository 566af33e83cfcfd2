// The table of cases at the end, as wide as the terminal: columns that nothing fills are left out, those that little fills
// and those that matter least give way to the names, and of a name that is still too long the agent stays readable.
import { padEnd, padStart, textWidth, truncate } from "../columns.ts";
import { formatCost, formatCount, formatPercent, formatRate, formatTime } from "../amounts.ts";
import type { CaseRow, CaseRows } from "./case-rows.ts";
import type { Colors } from "./progress-lines.ts";

interface Column {
  title: string;
  cell: (row: CaseRow) => string;
  align?: "right";
  /** Those with a higher number give way first; 0 never does. */
  rank: number;
}

const COLUMNS: readonly Column[] = [
  { title: "case", cell: ({ test, agent }) => `${test} [${agent}]`, rank: 0 },
  { title: "passed", cell: ({ runs, passed }) => `${passed}/${runs}`, align: "right", rank: 0 },
  { title: "rate", cell: ({ runs, rate }) => (rate === null || runs < 2 ? "" : formatRate(rate)), rank: 1 },
  {
    title: "pass^k",
    cell: ({ passHat }) => (passHat ? `${formatPercent(passHat.value)} (k=${passHat.k})` : ""),
    rank: 6,
  },
  {
    title: "score",
    cell: ({ score }) => (score === undefined ? "" : score.toFixed(0)),
    align: "right",
    rank: 5,
  },
  {
    title: "time",
    cell: ({ runs, latency }) => (latency && runs < 2 ? formatTime(latency.p50) : ""),
    align: "right",
    rank: 3,
  },
  {
    title: "p50",
    cell: ({ runs, latency }) => (latency && runs > 1 ? formatTime(latency.p50) : ""),
    align: "right",
    rank: 3,
  },
  {
    title: "p95",
    cell: ({ runs, latency }) => (latency && runs > 1 ? formatTime(latency.p95) : ""),
    align: "right",
    rank: 4,
  },
  {
    title: "cost",
    cell: ({ costUsd }) => (costUsd === undefined || costUsd === 0 ? "" : formatCost(costUsd)),
    align: "right",
    rank: 5,
  },
  { title: "gate", cell: gateCell, rank: 2 },
];

const GAP = "  ";
const MIN_NAME = 16;
/** Columns that are left of a test's id next to the agent's name. */
const MIN_TEST = 10;
/** Columns that most rows fill give way to names until these have this share of the width. */
const NAME_SHARE = 0.6;
/** A column with less than this share of its cells filled gives way until names are whole. */
const SPARSE = 0.5;

/** Lines without an end; `columns` undefined in a pipe, where nothing is cut. */
export function caseTable(rows: CaseRows, colors: Colors, columns: number | undefined): string[] {
  const list = rows.list();
  if (list.length === 0) return [];
  const filled = COLUMNS.filter(({ cell }) => list.some((row) => cell(row) !== ""));
  const shown = columns === undefined ? filled : giveWay(filled, list, columns - 1);
  const widths = shown.map((column) => widthOf(column, list));
  if (columns !== undefined) {
    const others = widths.slice(1).reduce((sum, width) => sum + width + GAP.length, 0);
    widths[0] = Math.max(1, Math.min(widths[0] ?? 0, Math.max(MIN_NAME, columns - 1 - others)));
  }
  const nameColumns = widths[0] ?? 0;
  const line = (cells: readonly string[]): string =>
    shown
      .map((column, index) => place(column, cells[index] ?? "", widths[index] ?? 0))
      .join(GAP)
      .trimEnd();
  const body = list.map((row) => {
    const paint = { pass: (text: string) => text, fail: colors.red, unevaluated: colors.yellow }[row.outcome];
    return paint(line([cutName(row, nameColumns), ...shown.slice(1).map(({ cell }) => cell(row))]));
  });
  return [colors.dim(line(shown.map(({ title }) => title))), ...body, ...moreLine(rows, colors)];
}

function gateCell({ gate }: CaseRow): string {
  if (gate === undefined) return "";
  if (gate.decision !== "inconclusive") return `${gate.decision} ≥ ${formatPercent(gate.at_least)}`;
  return gate.more_runs == null ? "inconclusive" : `inconclusive, about ${formatCount(gate.more_runs)} more`;
}

function giveWay(columns: readonly Column[], rows: readonly CaseRow[], room: number): Column[] {
  const [name, ...others] = columns;
  if (name === undefined) return [];
  const whole = widthOf(name, rows);
  const enough = Math.min(whole, Math.max(MIN_NAME, Math.floor(room * NAME_SHARE)));
  const kept = [...others];
  const leaving = others
    .filter(({ rank }) => rank > 0)
    .map((column) => ({ column, sparse: share(column, rows) < SPARSE }))
    .sort((a, b) => Number(b.sparse) - Number(a.sparse) || b.column.rank - a.column.rank);
  for (const { column, sparse } of leaving) {
    const rest = kept.reduce((sum, one) => sum + widthOf(one, rows) + GAP.length, 0);
    if (rest + (sparse ? whole : enough) <= room) continue;
    kept.splice(kept.indexOf(column), 1);
  }
  return [name, ...kept];
}

function share({ cell }: Column, rows: readonly CaseRow[]): number {
  return rows.filter((row) => cell(row) !== "").length / rows.length;
}

/** Who did it is what tells the rows of one test apart: the test's id is cut first. */
function cutName({ test, agent }: CaseRow, columns: number): string {
  const whole = `${test} [${agent}]`;
  if (textWidth(whole) <= columns) return whole;
  const forAgent = Math.max(columns - MIN_TEST, Math.ceil(columns / 2), columns - textWidth(test) - 1);
  const who = `[${truncate(agent, Math.max(1, forAgent - 2))}]`;
  return `${truncate(test, Math.max(1, columns - textWidth(who) - 1))} ${who}`;
}

function widthOf({ title, cell }: Column, rows: readonly CaseRow[]): number {
  return rows.reduce((widest, row) => Math.max(widest, textWidth(cell(row))), textWidth(title));
}

function place({ align }: Column, text: string, width: number): string {
  const cut = truncate(text, width);
  return align === "right" ? padStart(cut, width) : padEnd(cut, width);
}

function moreLine(rows: CaseRows, colors: Colors): string[] {
  const left = Object.entries(rows.leftOut()).filter(([, count]) => count > 0);
  const total = left.reduce((sum, [, count]) => sum + count, 0);
  const [only] = left;
  if (only === undefined) return [];
  const kinds = left.map(([kind, count]) => `${formatCount(count)} ${kind}`).join(", ");
  return [
    colors.dim(`… and ${formatCount(total)} more${left.length === 1 ? `, all ${only[0]}` : `: ${kinds}`}`),
  ];
}
