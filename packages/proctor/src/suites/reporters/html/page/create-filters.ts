// What the reader can narrow the report down by. Built once: a render must not take the cursor out of the search.
import type { ReportData } from "../report-data.ts";
import type { PageElement } from "./browser.ts";
import type { Dom } from "./create-dom.ts";
import type { Format } from "./create-format.ts";
import type { Query } from "./create-query.ts";
import type { View, ViewState } from "./create-view.ts";

export type Filters = ReturnType<typeof createFilters>;

export function createFilters(data: ReportData, dom: Dom, format: Format, view: ViewState, query: Query) {
  const { h } = dom;
  const { rows, agents, suites, tags } = data;

  const search = h("input", {
    type: "search",
    id: "search",
    placeholder: "Search cases",
    "aria-label": "Search cases by name, agent, suite or tag",
    autocomplete: "off",
    spellcheck: "false",
    oninput: () => view.change({ q: search.value, page: 1 }),
  });

  const outcomes = (
    [
      ["", "All", rows.length],
      ["fail", "Failed", countOf("fail")],
      ["unevaluated", "Unevaluated", countOf("unevaluated")],
      ["not_run", "Not run", countOf("not_run")],
      ["flaky", "Flaky", rows.filter(query.isFlaky).length],
      ["pass", "Passed", countOf("pass")],
    ] as const
  ).filter(([value, , count]) => value === "" || count > 0);

  const chips = outcomes.map(([value, label, count]) => {
    const text = [label, " ", h("span", { class: "quiet" }, format.count(count))];
    return dom.button(text, () => view.change({ outcome: value, page: 1 }), {
      class: "chip",
      "data-outcome": value,
    });
  });

  const selects = [
    choice("agent", "Agent", "All agents", agents),
    choice("suite", "Suite", "All suites", suites),
    choice("tag", "Tag", "All tags", tags),
    choice(
      "change",
      "Change",
      "Any change",
      Object.entries(data.comparison?.changes ?? {})
        .filter(([name, count]) => count > 0 && name !== "missing")
        .map(([name]) => name),
    ),
  ].filter((entry) => entry !== undefined);

  const reset = dom.button(
    "Reset",
    () => view.change({ q: "", outcome: "", agent: "", suite: "", tag: "", change: "", page: 1 }),
    { class: "button plain" },
  );

  function countOf(outcome: string): number {
    return rows.filter((row) => row.outcome === outcome).length;
  }

  /** A choice of one is none. */
  function choice(
    name: "agent" | "suite" | "tag" | "change",
    label: string,
    all: string,
    values: readonly string[],
  ) {
    if (values.length < 2) return undefined;
    const options = values.map((value) => h("option", { value }, format.shorten(value, 60)));
    const select: PageElement = h(
      "select",
      { "aria-label": label, onchange: () => view.change({ [name]: select.value, page: 1 }) },
      h("option", { value: "" }, all),
      options,
    );
    return { name, select };
  }

  function update(current: View): void {
    if (search.value !== current.q) search.value = current.q;
    for (const chip of chips) {
      chip.setAttribute("aria-pressed", String(chip.getAttribute("data-outcome") === current.outcome));
    }
    for (const { name, select } of selects) select.value = current[name];
    reset.hidden = !query.isFiltered(current);
  }

  const element = h(
    "div",
    { class: "filters", role: "search" },
    search,
    h("div", { class: "chips", role: "group", "aria-label": "Outcome" }, chips),
    selects.map(({ select }) => select),
    reset,
  );

  return { element, update, focus: () => search.select() };
}
