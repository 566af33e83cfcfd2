// The table of cases at the end, as wide as the terminal: columns that nothing fills are left out, names are cut, and what
// matters least gives way when that is not enough.
import { padEnd, padStart, textWidth, truncate } from "../../../core/columns.ts";
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
  { title: "case", cell: ({ name }) => name, rank: 0 },
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
  const line = (cells: readonly string[]): string =>
    shown
      .map((column, index) => place(column, cells[index] ?? "", widths[index] ?? 0))
      .join(GAP)
      .trimEnd();
  const body = list.map((row) => {
    const paint = { pass: (text: string) => text, fail: colors.red, unevaluated: colors.yellow }[row.outcome];
    return paint(line(shown.map(({ cell }) => cell(row))));
  });
  return [colors.dim(line(shown.map(({ title }) => title))), ...body, ...moreLine(rows, colors)];
}

function gateCell({ gate }: CaseRow): string {
  if (gate === undefined) return "";
  if (gate.decision !== "inconclusive") return `${gate.decision} ≥ ${formatPercent(gate.at_least)}`;
  return gate.more_runs == null ? "inconclusive" : `inconclusive, about ${formatCount(gate.more_runs)} more`;
}

function giveWay(columns: readonly Column[], rows: readonly CaseRow[], room: number): Column[] {
  const kept = [...columns];
  const width = (): number =>
    kept.reduce((sum, column, index) => {
      const own = widthOf(column, rows);
      return sum + (index === 0 ? Math.min(own, MIN_NAME) : own + GAP.length);
    }, 0);
  while (width() > room) {
    const last = Math.max(...kept.map(({ rank }) => rank));
    if (last === 0) break;
    kept.splice(
      kept.findLastIndex(({ rank }) => rank === last),
      1,
    );
  }
  return kept;
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
