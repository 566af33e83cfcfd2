// Which cases are shown, and in which order. Pure: rows and a view in, places of rows out.
import type { CaseRow, ReportData } from "../report-data.ts";
import type { View } from "./create-view.ts";

export type Query = ReturnType<typeof createQuery>;

export function createQuery(data: Pick<ReportData, "rows" | "suites" | "agents" | "tags">) {
  const { rows, suites, agents, tags } = data;
  const outcomeOrder = ["fail", "unevaluated", "not_run", "pass"];
  const haystacks: string[] = [];

  const columns: Record<string, (row: CaseRow) => string | number | undefined> = {
    outcome: ({ outcome }) => outcomeOrder.indexOf(outcome),
    name: ({ name }) => name,
    agent: ({ agent }) => agents[agent],
    rate: ({ rate }) => rate?.[0],
    p50: ({ latency }) => latency?.[0],
    p95: ({ latency }) => latency?.[1],
    tokens: (row) => row.tokens,
    cost: (row) => row.cost,
    score: (row) => row.score,
  };

  function haystack(at: number, row: CaseRow): string {
    const words = [
      row.id,
      row.name,
      suites[row.suite],
      agents[row.agent],
      ...row.tags.map((tag) => tags[tag]),
    ];
    return (haystacks[at] ??= words.join("\n").toLowerCase());
  }

  /** Some of its runs passed and some failed. */
  function isFlaky({ passed, failed }: CaseRow): boolean {
    return passed > 0 && failed > 0;
  }

  function hasOutcome(row: CaseRow, wanted: string): boolean {
    if (wanted === "" || row.outcome === wanted) return true;
    return wanted === "flaky" && isFlaky(row);
  }

  type Filters = Pick<View, "q" | "outcome" | "agent" | "suite" | "tag" | "change">;

  function filter(view: Filters): number[] {
    const needles = view.q.toLowerCase().split(/\s+/).filter(Boolean);
    const tag = tags.indexOf(view.tag);
    const found: number[] = [];
    for (const [at, row] of rows.entries()) {
      if (!hasOutcome(row, view.outcome)) continue;
      if (view.agent !== "" && agents[row.agent] !== view.agent) continue;
      if (view.suite !== "" && suites[row.suite] !== view.suite) continue;
      if (view.tag !== "" && !row.tags.includes(tag)) continue;
      if (view.change !== "" && row.change !== view.change) continue;
      if (needles.length > 0 && !needles.every((needle) => haystack(at, row).includes(needle))) continue;
      found.push(at);
    }
    return found;
  }

  /** What has no value comes last, whichever way it is sorted. Equals stay in the order of the plan. */
  function sort(places: readonly number[], by: string): number[] {
    const column = columns[by.replace(/^-/, "")];
    if (column === undefined) return [...places];
    const sign = by.startsWith("-") ? -1 : 1;
    const keyed = places.map((at) => {
      const row = rows[at];
      return { at, key: row && column(row) };
    });
    keyed.sort((a, b) => {
      if (a.key === undefined || b.key === undefined)
        return Number(a.key === undefined) - Number(b.key === undefined);
      if (typeof a.key === "string")
        return sign * a.key.localeCompare(String(b.key), "en", { numeric: true });
      return sign * (a.key - Number(b.key));
    });
    return keyed.map(({ at }) => at);
  }

  function isFiltered(view: Filters): boolean {
    return [view.q, view.outcome, view.agent, view.suite, view.tag, view.change].some(
      (value) => value !== "",
    );
  }

  return {
    filter,
    isFiltered,
    isFlaky,
    /** Filtered, then sorted. */
    run: (view: Filters & Pick<View, "sort">): number[] => sort(filter(view), view.sort),
  };
}
