// How latency, cost, tokens and scores are spread over the runs: a histogram for each agent, on one axis.
import type { CaseRow, ReportData } from "../report-data.ts";
import type { PageElement } from "./browser.ts";
import type { Child, Dom } from "./create-dom.ts";
import type { Format } from "./create-format.ts";
import type { Scale, Scales } from "./create-scale.ts";

export type Plots = ReturnType<typeof createPlots>;

export function createPlots(data: ReportData, dom: Dom, format: Format, scales: Scales) {
  const { h, svg } = dom;
  const { rows, agents } = data;
  /** More in one picture say less. */
  const maxAgents = 8;
  const lane = 58;

  interface Measure {
    key: keyof CaseRow["values"];
    title: string;
    axis: string;
    text: (value: number) => string;
    tick?: (value: number) => string;
  }

  const measures: Measure[] = [
    { key: "latency", title: "Latency", axis: "time per run", text: format.duration, tick: format.tick },
    { key: "cost", title: "Cost", axis: "US dollars per run", text: format.money },
    { key: "tokens", title: "Tokens", axis: "tokens per run", text: format.tokens },
    {
      key: "score",
      title: "Score",
      axis: "score of a run, 0 to 100",
      text: (value) => format.digits(value, 3),
    },
  ];

  interface Group {
    agent: string;
    values: number[];
  }

  function groupsOf(shown: readonly number[], key: Measure["key"]): Group[] {
    const byAgent = new Map<number, number[]>();
    for (const at of shown) {
      const row = rows[at];
      const values = row?.values[key];
      if (row === undefined || values === undefined) continue;
      const all = byAgent.get(row.agent) ?? [];
      for (const value of values) all.push(value);
      byAgent.set(row.agent, all);
    }
    return [...byAgent]
      .sort(([a], [b]) => a - b)
      .map(([agent, values]) => ({ agent: agents[agent] ?? "", values: values.sort((a, b) => a - b) }));
  }

  function axis(scale: Scale, measure: Measure, width: number, top: number): Child {
    const label = `${measure.axis}${scale.log ? ", logarithmic" : ""}`;
    return svg(
      "g",
      { class: "axis" },
      scale.ticks.map((tick, at) => {
        const x = scale.at(tick) * width;
        const anchor = at === 0 ? "start" : at === scale.ticks.length - 1 ? "end" : "middle";
        return [
          svg("line", { x1: x, x2: x, y1: 0, y2: top + 4 }),
          svg("text", { x, y: top + 17, "text-anchor": anchor }, (measure.tick ?? measure.text)(tick)),
        ];
      }),
      svg("text", { class: "axis-title", x: width / 2, y: top + 34, "text-anchor": "middle" }, label),
    );
  }

  function bars({ agent, values }: Group, scale: Scale, measure: Measure, width: number, top: number): Child {
    const bins = scales.bins(values, scale, Math.max(12, Math.min(48, Math.floor(width / 14))));
    const most = Math.max(...bins.map(({ count }) => count), 1);
    const step = width / bins.length;
    const height = lane - 24;
    const base = top + lane - 4;
    const mark = (share: number, name: string): Child => {
      const value = scales.quantile(values, share);
      const x = Math.min(width - 0.75, Math.max(0.75, scale.at(value) * width));
      const tip = `${name} of ${agent}: ${measure.text(value)}`;
      return svg("line", {
        class: `mark ${name}`,
        x1: x,
        x2: x,
        y1: top + 17,
        y2: base + 2,
        "data-tip": tip,
      });
    };
    return [
      svg(
        "text",
        { class: "lane", x: 0, y: top + 11 },
        format.shorten(agent, Math.max(10, Math.floor(width / 14))),
      ),
      svg(
        "text",
        { class: "lane quiet", x: width, y: top + 11, "text-anchor": "end" },
        `p50 ${measure.text(scales.quantile(values, 0.5))}  p95 ${measure.text(scales.quantile(values, 0.95))}`,
      ),
      bins.map((bin, at) => {
        if (bin.count === 0) return null;
        const size = Math.max(1.5, (bin.count / most) * height);
        const range = `${measure.text(bin.from)} to ${measure.text(bin.to)}`;
        return svg("rect", {
          class: "bar",
          x: (at * step + 0.5).toFixed(2),
          y: (base - size).toFixed(2),
          width: Math.max(1, step - 1).toFixed(2),
          height: size.toFixed(2),
          "data-tip": `${agent}\n${range}: ${format.plural(bin.count, "run")}`,
        });
      }),
      svg("line", { class: "base", x1: 0, x2: width, y1: base, y2: base }),
      mark(0.5, "p50"),
      mark(0.95, "p95"),
    ];
  }

  function figures(groups: readonly Group[], { title, text }: Measure): Child {
    const line = ({ agent, values }: Group): Child[] => {
      const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
      const quantiles = [0, 0.5, 0.95, 1].map((share) => text(scales.quantile(values, share)));
      return [agent, format.count(values.length), ...quantiles, text(mean)];
    };
    const heads = ["Agent", "Runs", "Min", "p50", "p95", "Max", "Mean"];
    return h(
      "details",
      { class: "figures-table" },
      h("summary", {}, "Figures"),
      dom.table(title, heads, groups.map(line)),
    );
  }

  function panel(measure: Measure, shown: readonly number[], width: number): Child {
    const groups = groupsOf(shown, measure.key);
    if (groups.length === 0) return null;
    const drawn = groups.slice(0, maxAgents);
    const all = drawn.flatMap(({ values }) => values).sort((a, b) => a - b);
    const scale = scales.scale(all, Math.max(3, Math.min(8, Math.floor(width / 80))));
    const height = drawn.length * lane;
    const left = groups.length - drawn.length;
    return h(
      "section",
      { class: "panel" },
      h("h3", {}, measure.title),
      svg(
        "svg",
        {
          class: "plot",
          role: "img",
          viewBox: `0 0 ${width} ${height + 40}`,
          width,
          height: height + 40,
          "aria-label": `${measure.title}: histogram for each agent. The figures follow as a table.`,
        },
        axis(scale, measure, width, height),
        drawn.map((group, at) => bars(group, scale, measure, width, at * lane)),
      ),
      left > 0 &&
        h("p", { class: "quiet" }, `${format.plural(left, "more agent")}: see the figures, or filter.`),
      figures(groups, measure),
    );
  }

  /** `width` is that of the whole part. */
  function render(shown: readonly number[], width: number): PageElement {
    const each = width > 900 ? Math.floor((width - 40) / 2) : width;
    const panels = measures.map((measure) => panel(measure, shown, each)).filter((one) => one !== null);
    if (panels.length === 0) return h("p", { class: "empty" }, "There are no figures for these cases.");
    return h("div", { class: "panels" }, panels);
  }

  return { render };
}
