// Pass rates of cases with their intervals, the lowest first: what is certainly bad, and what is only uncertain.
import type { ReportData } from "../report-data.ts";
import type { PageElement } from "./browser.ts";
import type { Dom } from "./create-dom.ts";
import type { Format } from "./create-format.ts";
import type { ViewState } from "./create-view.ts";

export type Forest = ReturnType<typeof createForest>;

export function createForest(data: ReportData, dom: Dom, format: Format, view: ViewState) {
  const { h, svg } = dom;
  const { rows, agents } = data;
  const step = 30;

  function line(at: number): PageElement | null {
    const row = rows[at];
    if (row?.rate === undefined) return null;
    const [value, low, high] = row.rate;
    return h(
      "li",
      {},
      h(
        "a",
        { class: "forest-name", href: view.link({ case: at + 1, run: 1, against: 0 }) },
        row.name.trim() || row.id,
        agents.length > 1 && h("span", { class: "quiet" }, ` ${agents[row.agent]}`),
      ),
      dom.rateBar(row.rate, row.outcome),
      h(
        "span",
        { class: "forest-text" },
        h("b", {}, format.percent(value)),
        ` ${format.interval(low, high)}`,
      ),
      h("span", { class: "forest-runs quiet" }, `${row.passed}/${row.runs}`),
    );
  }

  function axis(): PageElement {
    const at = [0, 25, 50, 75, 100];
    const texts = at.map((share) => {
      const anchor = share === 0 ? "start" : share === 100 ? "end" : "middle";
      return svg("text", { x: `${share}%`, y: 11, "text-anchor": anchor }, `${share}%`);
    });
    return h(
      "div",
      { class: "forest-axis", "aria-hidden": "true" },
      h("span", {}, "Case"),
      svg("svg", { class: "plot" }, svg("g", { class: "axis" }, texts)),
      h("span", { class: "forest-text" }, "Rate and interval"),
      h("span", { class: "forest-runs" }, "Runs"),
    );
  }

  function render(shown: readonly number[]): PageElement | null {
    const rated = shown.filter((at) => rows[at]?.rate !== undefined);
    if (rated.length === 0) return null;
    const key = (at: number): number => (rows[at]?.rate?.[0] ?? 1) + (rows[at]?.rate?.[1] ?? 1) / 1000;
    rated.sort((a, b) => key(a) - key(b));
    const items = rated.map((at) => () => line(at));
    const list = dom.growing(h("ol", { class: "forest" }), items, step);
    return h("section", { class: "panel" }, h("h3", {}, "Pass rates, lowest first"), axis(), list);
  }

  return { render };
}
