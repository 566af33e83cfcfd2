// The frame of the page: which part is to be seen, drawn anew whenever the view changes.
import type { ReportData } from "../report-data.ts";
import type { Browser } from "./browser.ts";
import type { CaseTable } from "./create-case-table.ts";
import type { CaseView } from "./create-case-view.ts";
import type { ComparisonPart } from "./create-comparison.ts";
import type { Contests } from "./create-contests.ts";
import type { Child, Dom } from "./create-dom.ts";
import type { Filters } from "./create-filters.ts";
import type { Forest } from "./create-forest.ts";
import type { Format } from "./create-format.ts";
import type { Plots } from "./create-plots.ts";
import type { Query } from "./create-query.ts";
import type { Strip } from "./create-strip.ts";
import type { View, ViewState } from "./create-view.ts";

interface ShellDeps {
  caseTable: CaseTable;
  caseView: CaseView;
  comparison: ComparisonPart;
  contests: Contests;
  filters: Filters;
  forest: Forest;
  plots: Plots;
  query: Query;
  strip: Strip;
}

export function createShell(
  browser: Browser,
  data: ReportData,
  dom: Dom,
  format: Format,
  view: ViewState,
  deps: ShellDeps,
) {
  const { h } = dom;
  const { filters, query, strip } = deps;
  const root = browser.document.documentElement;
  const content = h("div", { id: "content" });
  const matches = h("p", { class: "matches", "aria-live": "polite" });
  const overview = h("div", { class: "overview" }, strip.element, filters.element, matches);
  const tabs = (
    [
      ["cases", "Cases", true],
      ["plots", "Distributions", data.rows.some(({ runs }) => runs > 0)],
      ["comparison", "Comparison", data.comparison !== null],
      ["contests", "Contests", data.contests.length > 0],
    ] as const
  ).filter(([, , isThere]) => isThere);
  const links = tabs.map(([name, label]) => ({ name, link: h("a", {}, label) }));
  const nav = h(
    "nav",
    { class: "tabs", "aria-label": "Parts of the report" },
    links.map(({ link }) => link),
  );
  const main = h("main", {}, nav, overview, content);
  /** Draws overtake each other: unpacking takes time. */
  let drawing = 0;
  let listScroll = 0;
  let last: View | undefined;

  function updateTabs(current: View): void {
    for (const { name, link } of links) {
      link.setAttribute("href", view.link({ tab: name, case: 0, page: 1, run: 1, against: 0 }));
      if (name === current.tab) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    }
  }

  async function part(current: View, shown: readonly number[]): Promise<Child> {
    if (current.case > 0) return deps.caseView.render(current, shown);
    switch (current.tab) {
      case "plots":
        return [
          h("h2", { class: "hidden" }, "Distributions"),
          deps.plots.render(shown, Math.max(240, main.clientWidth - 2)),
          deps.forest.render(shown),
        ];
      case "comparison":
        return deps.comparison.render(await deps.comparison.load(), current.change, () => void draw());
      case "contests":
        return deps.contests.render();
      default:
        return [h("h2", { class: "hidden" }, "Cases"), deps.caseTable.render(shown, current)];
    }
  }

  function failed(error: unknown): Child {
    return h("p", { class: "notice" }, error instanceof Error ? error.message : String(error));
  }

  async function draw(): Promise<void> {
    const mine = ++drawing;
    const current = view.get();
    const shown = query.run(current);
    const isList =
      current.case === 0 &&
      (current.tab === "plots" || !tabs.some(([name]) => name === current.tab) || current.tab === "cases");
    updateTabs(current);
    nav.hidden = current.case > 0 || tabs.length < 2;
    overview.hidden = !isList;
    root.setAttribute("data-view", current.case > 0 ? "case" : current.tab);
    if (isList) {
      filters.update(current);
      strip.draw(overview.clientWidth, shown);
      dom.replace(
        matches,
        query.isFiltered(current) &&
          `${format.plural(shown.length, "case")} of ${format.count(data.rows.length)}`,
      );
    }
    const drawn = await part(current, shown).catch(failed);
    if (mine !== drawing) return;
    const focused = browser.document.activeElement?.getAttribute("data-focus");
    dom.replace(content, drawn);
    root.setAttribute("data-drawn", current.case > 0 ? `case-${current.case}` : current.tab);
    settle(current, focused ?? undefined);
  }

  /** Where the reader was, or at the beginning of what is new. */
  function settle(current: View, focused: string | undefined): void {
    const before = last;
    last = { ...current };
    const back =
      focused === undefined
        ? null
        : [...content.querySelectorAll("[data-focus]")].find(
            (one) => one.getAttribute("data-focus") === focused,
          );
    back?.focus({ preventScroll: true });
    if (before === undefined || before.case === current.case) return;
    if (current.case === 0) {
      browser.scrollTo(0, listScroll);
      const link = content.querySelector(`a[href="${view.link({ case: before.case, run: 1, against: 0 })}"]`);
      link?.focus({ preventScroll: true });
      return;
    }
    if (back == null) content.querySelector("#case-title")?.focus({ preventScroll: true });
    browser.scrollTo(0, 0);
  }

  function step(by: number): void {
    const at = view.get().case - 1;
    const { before, after } = deps.caseView.neighbours(at, query.run(view.get()));
    const to = by < 0 ? before : after;
    if (to !== undefined) view.go({ case: to + 1, run: 1, against: 0 });
  }

  browser.addEventListener("scroll", () => {
    if (last?.case === 0 && view.get().case === 0) listScroll = browser.scrollY;
  });

  return { main, draw, step };
}
