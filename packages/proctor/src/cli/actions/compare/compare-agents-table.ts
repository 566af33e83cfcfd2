// Two agents side by side: what each of them did over all tests, and how sure a difference is.
import type { Comparison, Measure, SideOfCase } from "../../../suites/compare/comparison.ts";
import { formatP } from "../../../suites/compare/findings.ts";
import { formatRate } from "../../../suites/reporters/amounts.ts";
import { wilson } from "../../../suites/statistics/wilson.ts";
import { formatCost, formatCount, formatDuration } from "../../terminal/amounts.ts";
import type { Screen } from "../../terminal/screen.ts";
import { renderTable, type Column } from "../../terminal/table.ts";

interface Row {
  label: string;
  before: string;
  after: string;
  p: string;
}

const MEASURES: Record<Measure["name"], { label: string; format: (value: number) => string }> = {
  score: { label: "score", format: (value) => value.toFixed(1) },
  latency_ms: { label: "p50 latency", format: formatDuration },
  cost_usd: { label: "cost of a run", format: formatCost },
};

export function agentTable(comparison: Comparison, { paint, width }: Screen): string[] {
  const { before, after } = comparison;
  const columns: Column<Row>[] = [
    { title: "", cell: ({ label }) => label, paint: (text) => paint.dim(text) },
    { title: `A  ${before.name}`, cell: (row) => row.before, minWidth: 16 },
    { title: `B  ${after.name}`, cell: (row) => row.after, minWidth: 16 },
    { title: "P", cell: ({ p }) => p, align: "right" },
  ];
  return renderTable(columns, rowsOf(comparison), { width, paintTitle: paint.bold });
}

function rowsOf({ cases, overall, measures = [] }: Comparison): Row[] {
  const before = cases.flatMap((one) => one.before ?? []);
  const after = cases.flatMap((one) => one.after ?? []);
  const { p_worse_adjusted: worse = 1, p_better_adjusted: better = 1 } = overall;
  // With so few tests no difference could be significant.
  const p = overall.detectable_flips > overall.cases ? "" : pText(Math.min(worse, better));
  return [
    { label: "tests passed", before: tests(before), after: tests(after), p },
    { label: "runs passed", before: runs(before), after: runs(after), p: "" },
    ...measures.map(({ name, before, after, p_adjusted }) => {
      const { label, format } = MEASURES[name];
      return { label, before: format(before), after: format(after), p: pText(p_adjusted) };
    }),
  ];
}

function tests(sides: readonly SideOfCase[]): string {
  const passed = sides.filter(({ outcome }) => outcome === "pass").length;
  return `${formatCount(passed)} of ${formatCount(sides.length)}`;
}

/** Pools the runs of all cases, which makes the interval too wide rather than too narrow. */
function runs(sides: readonly SideOfCase[]): string {
  const passed = sides.reduce((sum, side) => sum + side.passed, 0);
  const total = sides.reduce((sum, side) => sum + side.runs, 0);
  if (total === 0) return "none evaluated";
  return `${formatRate({ value: passed / total, ...wilson(passed, total) })} of ${formatCount(total)}`;
}

function pText(p: number): string {
  return formatP(p).replace("= ", "");
}
