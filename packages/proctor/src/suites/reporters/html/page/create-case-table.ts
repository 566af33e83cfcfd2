// The table of cases: sorted by its heads, a page at a time. On a phone each row is a card (see the style).
import type { CaseRow, ReportData } from "../report-data.ts";
import type { PageElement } from "./browser.ts";
import type { Child, Dom } from "./create-dom.ts";
import type { Format } from "./create-format.ts";
import type { Pager } from "./create-pager.ts";
import type { View, ViewState } from "./create-view.ts";

export type CaseTable = ReturnType<typeof createCaseTable>;

export function createCaseTable(data: ReportData, dom: Dom, format: Format, view: ViewState, pager: Pager) {
  const { h } = dom;
  const { rows, agents, suites, tags } = data;

  interface Column {
    key: string;
    label: string;
    title: string;
    cell: (row: CaseRow, at: number) => Child;
    number?: boolean;
    /** Whether the first click sorts in descending order. */
    down?: boolean;
    isThere?: boolean;
  }

  const has = (pick: (row: CaseRow) => unknown): boolean => rows.some((row) => pick(row) !== undefined);
  const everything: Column[] = [
    {
      key: "outcome",
      label: "Outcome",
      title: "What became of it",
      cell: ({ outcome }) => dom.badge(outcome),
    },
    { key: "name", label: "Case", title: "Name of the test", cell: nameCell },
    {
      key: "agent",
      label: "Agent",
      title: "Who was tested",
      cell: ({ agent }) => h("span", { class: "agent" }, agents[agent]),
    },
    {
      key: "rate",
      label: "Pass rate",
      title: "Share of runs that passed, with its 95% interval",
      cell: rateCell,
    },
    {
      key: "p50",
      label: "p50",
      title: "Half of the runs were faster",
      cell: ({ latency }) => format.duration(latency?.[0]),
      number: true,
      down: true,
      isThere: has((row) => row.latency),
    },
    // Of one run it is the same once more.
    {
      key: "p95",
      label: "p95",
      title: "95% of the runs were faster",
      cell: ({ latency }) => format.duration(latency?.[1]),
      number: true,
      down: true,
      isThere: rows.some(({ latency, runs }) => latency !== undefined && runs > 1),
    },
    {
      key: "tokens",
      label: "Tokens",
      title: "Mean of the runs",
      cell: (row) => format.tokens(row.tokens),
      number: true,
      down: true,
      isThere: has((row) => row.tokens),
    },
    {
      key: "cost",
      label: "Cost",
      title: "Mean of the runs",
      cell: (row) => format.money(row.cost),
      number: true,
      down: true,
      isThere: has((row) => row.cost),
    },
    {
      key: "score",
      label: "Score",
      title: "Mean of the runs, 0 to 100",
      cell: (row) => format.score(row.score),
      number: true,
      isThere: has((row) => row.score),
    },
  ];
  const columns = everything.filter(({ isThere }) => isThere !== false);

  function nameCell(row: CaseRow, at: number): Child {
    const notes = [
      row.id !== row.name && row.id,
      suites.length > 1 && suites[row.suite],
      row.gate === "inconclusive" && "gate inconclusive",
      row.change !== undefined && row.change !== "unchanged" && row.change,
      ...row.tags.map((tag) => `#${tags[tag]}`),
    ].filter((note) => typeof note === "string" && note !== "");
    return [
      h(
        "a",
        { class: "case-link", href: view.link({ case: at + 1, run: 1, against: 0 }) },
        row.name.trim() || row.id.trim() || "(no name)",
      ),
      notes.length > 0 && h("span", { class: "notes" }, notes.join(" · ")),
      row.reason !== undefined && h("span", { class: "why" }, row.reason),
    ];
  }

  function rateCell({ rate, passed, runs }: CaseRow): Child {
    if (rate === undefined) return format.none;
    return h(
      "span",
      { class: "rate-line" },
      dom.rateBar(rate),
      h(
        "span",
        { class: "rate-text" },
        h("b", {}, format.percent(rate[0])),
        h("small", {}, `${passed}/${runs}`),
      ),
    );
  }

  function head(column: Column, sort: string): PageElement {
    const { key, label, title, number, down } = column;
    const isSorted = sort.replace(/^-/, "") === key;
    const isDown = sort.startsWith("-");
    const first = down ? `-${key}` : key;
    const second = down ? key : `-${key}`;
    const next = sort === first ? second : sort === second ? "" : first;
    const order = !isSorted ? "none" : isDown ? "descending" : "ascending";
    const arrow = h("span", { class: "arrow" }, isSorted && dom.icon(isDown ? "down" : "up"));
    return h(
      "th",
      { scope: "col", class: number ? "number" : "", "aria-sort": order },
      dom.button([label, arrow], () => view.change({ sort: next, page: 1 }), {
        class: "sort",
        "data-tip": title,
        "data-focus": `sort-${key}`,
      }),
    );
  }

  function line(at: number): PageElement | null {
    const row = rows[at];
    if (row === undefined) return null;
    const cells = columns.map(({ key, label, number, cell }) =>
      h("td", { class: `${key}${number ? " number" : ""}`, "data-label": label }, cell(row, at)),
    );
    const open = (event: { target: PageElement | null; preventDefault(): void }): void => {
      if (event.target?.closest("a") == null) view.go({ case: at + 1, run: 1, against: 0 });
    };
    return h("tr", { class: row.outcome, onclick: open }, cells);
  }

  /** Phones have no heads to press. */
  function sortChoice(sort: string): PageElement {
    const options = columns.flatMap(({ key, label, down }) => {
      const value = down ? `-${key}` : key;
      return h(
        "option",
        { value, ...(value === sort && { selected: true }) },
        `Sort by ${label.toLowerCase()}`,
      );
    });
    const select: PageElement = h(
      "select",
      {
        class: "sort-choice",
        "aria-label": "Sort",
        onchange: () => view.change({ sort: select.value, page: 1 }),
      },
      h("option", { value: "" }, "Sort by plan"),
      options,
    );
    return select;
  }

  function render(shown: readonly number[], current: View): Child[] {
    if (shown.length === 0) return [h("p", { class: "empty" }, "No case matches. Loosen the filters.")];
    const page = pager.page(shown, current.page);
    return [
      sortChoice(current.sort),
      h(
        "table",
        { class: "cases" },
        h("caption", { class: "hidden" }, "Cases"),
        h(
          "thead",
          {},
          h(
            "tr",
            {},
            columns.map((column) => head(column, current.sort)),
          ),
        ),
        h("tbody", {}, page.items.map(line)),
      ),
      pager.controls(page, (to) => view.change({ page: to })),
    ];
  }

  return { render };
}
