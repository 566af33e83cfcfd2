// Comparisons on a screen: the cases that are worth a line, what was found, and the last word.
import type {
  CaseChange,
  CaseComparison,
  Comparison,
  SideOfCase,
} from "../../../suites/compare/comparison.ts";
import { formatP, fraction, namesOf } from "../../../suites/compare/findings.ts";
import type { Outcome } from "../../../suites/verdict.ts";
import { comparisonWords } from "../../../suites/reporters/comparison-words.ts";
import { formatCost, formatDuration, plural } from "../../terminal/amounts.ts";
import type { Paint } from "../../terminal/paint.ts";
import type { Screen } from "../../terminal/screen.ts";
import { renderTable, type Column } from "../../terminal/table.ts";
import { oneLine, wrap } from "../../terminal/text.ts";

/** Number of cases up to which all are shown. Of more, only those that changed are. */
const FEW = 20;
const MAX_ROWS = 50;
/** Columns of a terminal that has room for intervals. */
const WIDE = 120;
const MAX_FINDINGS = 40;
const ORDER: readonly CaseChange[] = ["regressed", "undecided", "missing", "improved", "new", "unchanged"];

/** Names of the two sides, and words for how a case changed from the first to the second. */
export interface SideWords {
  before: string;
  after: string;
  changes: Record<CaseChange, string>;
}

/** Words for what happened to a case between two times. */
export const CHANGES_OVER_TIME: SideWords["changes"] = {
  regressed: "regressed",
  improved: "improved",
  undecided: "undecided",
  missing: "missing",
  new: "new",
  unchanged: "unchanged",
};

export function caseTable({ cases }: Comparison, { paint, width }: Screen, words: SideWords): string[] {
  const sorted = cases.toSorted((a, b) => ORDER.indexOf(a.change) - ORDER.indexOf(b.change));
  const chosen = cases.length <= FEW ? sorted : sorted.filter(({ change }) => change !== "unchanged");
  const rows = chosen.slice(0, MAX_ROWS);
  const more = cases.length - rows.length;
  if (rows.length === 0)
    return cases.length === 0 ? [] : [paint.dim(`${plural(cases.length, "case")}, none changed`)];
  const columns = caseColumns(cases, rows, words, { paint, isWide: (width ?? Infinity) >= WIDE });
  return [
    ...renderTable(columns, rows, { width, paintTitle: paint.dim }),
    ...(more > 0
      ? [
          paint.dim(
            `… and ${plural(more, "case")} more, ${more === cases.length - chosen.length ? "unchanged" : "see --json"}`,
          ),
        ]
      : []),
  ];
}

function caseColumns(
  cases: readonly CaseComparison[],
  rows: readonly CaseComparison[],
  words: SideWords,
  { paint, isWide }: { paint: Paint; isWide: boolean },
): Column<CaseComparison>[] {
  const name = namesOf(cases);
  const measured = (key: "score" | "latency_ms" | "cost_usd"): boolean =>
    rows.some(({ before, after }) => (before?.[key] ?? after?.[key] ?? null) !== null);
  const both = (title: string, key: "score" | "latency_ms" | "cost_usd", format: (value: number) => string) =>
    measured(key)
      ? [
          {
            title,
            cell: ({ before, after }: CaseComparison) => turn(before, after, key, format),
            align: "right" as const,
          },
        ]
      : [];
  return [
    { title: "CASE", cell: name, minWidth: 12 },
    { title: words.before, cell: ({ before }) => rateOf(before, isWide) },
    { title: words.after, cell: ({ after }) => rateOf(after, isWide) },
    ...both("SCORE", "score", (value) => value.toFixed(0)),
    ...both("P50", "latency_ms", formatDuration),
    ...both("COST", "cost_usd", formatCost),
    { title: "P", cell: pOf, align: "right" },
    {
      title: "CHANGE",
      cell: ({ change, edited }) => `${words.changes[change]}${edited ? ", edited" : ""}`,
      paint: (text, { change }) => paintChange(paint, change)(text),
    },
  ];
}

/** `9/10 [60–98 %]`: the interval only where there is room, and where it says something. */
function rateOf(side: SideOfCase | null, isWide: boolean): string {
  if (side?.runs === 1) return side.outcome;
  if (side === null || side.runs === 0 || !isWide) return fraction(side);
  return `${fraction(side)} [${Math.round(side.low * 100)}–${Math.round(side.high * 100)} %]`;
}

function turn(
  before: SideOfCase | null,
  after: SideOfCase | null,
  key: "score" | "latency_ms" | "cost_usd",
  format: (value: number) => string,
): string {
  const [first, second] = [before, after].map((side) => {
    const value = side?.[key] ?? null;
    return value === null ? "–" : format(value);
  });
  return first === second ? `${first}` : `${first} → ${second}`;
}

function pOf({ p_worse_adjusted: worse, p_better_adjusted: better }: CaseComparison): string {
  return worse === null || better === null ? "" : formatP(Math.min(worse, better)).replace("= ", "");
}

function paintChange(paint: Paint, change: CaseChange): (text: string) => string {
  switch (change) {
    case "regressed":
      return paint.red;
    case "improved":
      return paint.green;
    case "undecided":
    case "missing":
      return paint.yellow;
    case "new":
      return paint.cyan;
    case "unchanged":
      return paint.dim;
    default:
      return change satisfies never;
  }
}

export function findingLines({ findings, cases }: Comparison, { paint, width }: Screen): string[] {
  const name = namesOf(cases);
  const begins = (change: CaseChange): string[] =>
    cases.filter((one) => one.change === change).map((one) => `${name(one)}: `);
  const [worse, better] = [begins("regressed"), begins("improved")];
  const shown = findings.slice(0, MAX_FINDINGS).flatMap((text) => {
    const isAbout = (beginning: string): boolean => text.startsWith(beginning);
    const mark = worse.some(isAbout)
      ? paint.red("↓")
      : better.some(isAbout)
        ? paint.green("↑")
        : paint.dim("·");
    const [first = "", ...rest] = width === undefined ? [oneLine(text)] : wrap(oneLine(text), width - 2);
    return [`${mark} ${first}`, ...rest.map((line) => `  ${line}`)];
  });
  const more = findings.length - MAX_FINDINGS;
  return more > 0 ? [...shown, paint.dim(`… and ${plural(more, "finding")} more`)] : shown;
}

const MARKS: Record<Outcome, (paint: Paint, title: string) => string> = {
  fail: (paint, title) => paint.red(`✗ ${title}`),
  unevaluated: (paint, title) => paint.yellow(`? ${title}`),
  pass: (paint, title) => paint.green(`✓ ${title}`),
};

export function verdictLines(comparison: Comparison, paint: Paint): string[] {
  const { title, counts } = comparisonWords(comparison, 0);
  return [...(counts === "" ? [] : [counts]), MARKS[comparison.outcome](paint, oneLine(title))];
}
