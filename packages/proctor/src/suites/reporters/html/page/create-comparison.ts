// What changed against the baseline, and how sure that is.
import type { SideOfCase } from "../../../compare/comparison.ts";
import type { ComparedCase, ReportData } from "../report-data.ts";
import type { Child, Dom } from "./create-dom.ts";
import type { Details } from "./create-details.ts";
import type { Format } from "./create-format.ts";
import type { Pager } from "./create-pager.ts";
import type { ViewState } from "./create-view.ts";

export type ComparisonPart = ReturnType<typeof createComparison>;

export function createComparison(
  data: ReportData,
  dom: Dom,
  format: Format,
  view: ViewState,
  pager: Pager,
  details: Details,
) {
  const { h } = dom;
  const { comparison } = data;
  const kinds = ["regressed", "improved", "undecided", "new", "missing", "unchanged"] as const;
  let page = 1;

  async function load(): Promise<ComparedCase[]> {
    return comparison === null ? [] : details.loadComparison(comparison.cases);
  }

  /** Undefined when there is no baseline, or the case is not in it. */
  async function ofRow(at: number): Promise<ComparedCase | undefined> {
    return (await load()).find(({ row }) => row === at);
  }

  function side(value: SideOfCase | null, kind: string): Child {
    if (value === null) return h("span", { class: "side quiet" }, "not there");
    const bar = value.rate === null ? null : dom.rateBar([value.rate, value.low, value.high], kind);
    return h(
      "span",
      { class: "side" },
      bar,
      h(
        "span",
        { class: "side-text" },
        `${format.percent(value.rate)} `,
        h("small", {}, `${value.passed}/${value.runs}`),
      ),
    );
  }

  function difference({ before, after }: ComparedCase): string {
    if (before?.rate == null || after?.rate == null) return format.none;
    const points = Math.round((after.rate - before.rate) * 100);
    return points === 0 ? "0 pp" : `${points > 0 ? "+" : "−"}${Math.abs(points)} pp`;
  }

  function changeWord(change: string): Child {
    const shapes: Record<string, string> = {
      regressed: "down",
      improved: "up",
      new: "plus",
      missing: "not_run",
      undecided: "unevaluated",
    };
    return h("span", { class: `change ${change}` }, dom.icon(shapes[change] ?? "equal"), change);
  }

  function line(one: ComparedCase): Child[] {
    const href = view.link({ case: (one.row ?? 0) + 1, run: 1, against: 0 });
    const name = one.row === null ? one.test_id : h("a", { href }, one.test_id);
    return [
      [name, h("span", { class: "notes" }, `${one.agent}${one.edited ? " · the case was edited" : ""}`)],
      changeWord(one.change),
      side(one.before, "before"),
      side(one.after, ""),
      difference(one),
      format.probability(one.change === "improved" ? one.p_better_adjusted : one.p_worse_adjusted),
      format.probability(one.p_score),
      one.detectable_drop === null ? "none" : `${Math.round(one.detectable_drop * 100)} pp`,
    ];
  }

  function summary(): Child {
    if (comparison === null) return null;
    const { overall, before, after, alpha } = comparison;
    const difference = overall.score_difference;
    const words = {
      fail: "Something got significantly worse",
      unevaluated: "Not everything could be compared",
      pass: "Nothing got significantly worse",
    };
    return [
      h(
        "p",
        { class: `verdict ${comparison.outcome}` },
        dom.icon(comparison.outcome),
        h("span", {}, words[comparison.outcome]),
      ),
      h(
        "p",
        { class: "about" },
        `${after.name} (${format.time(after.created_at)}) against ${before.name} (${format.time(before.created_at)})`,
      ),
      comparison.findings.length > 0 &&
        h(
          "ul",
          { class: "findings" },
          comparison.findings.map((text) => h("li", {}, text)),
        ),
      dom.facts([
        ["Cases in both", format.count(overall.cases)],
        ["Passed only before", format.count(overall.only_before)],
        ["Pass only now", format.count(overall.only_after)],
        ["p of a loss (McNemar)", format.probability(overall.p_worse)],
        ["p of a gain (McNemar)", format.probability(overall.p_better)],
        [
          "Mean score",
          difference === null
            ? null
            : `${difference > 0 ? "+" : "−"}${format.digits(Math.abs(difference), 3)} (p ${format.probability(overall.p_score)})`,
        ],
        ["Detectable", `${format.plural(overall.detectable_flips, "flip")} one way`],
        ["Significance", `p < ${alpha}`],
      ]),
    ];
  }

  /** The worst first; what is as it was last. */
  function render(all: readonly ComparedCase[], wanted: string, redraw: () => void): Child {
    if (comparison === null) return null;
    const shown = all
      .filter(({ change }) => wanted === "" || change === wanted)
      .sort((a, b) => kinds.indexOf(a.change) - kinds.indexOf(b.change));
    const chips = ["", ...kinds.filter((kind) => comparison.changes[kind] > 0)].map((kind) => {
      const count = kinds.find((one) => one === kind);
      const text = [
        kind === "" ? "All" : kind,
        " ",
        h("span", { class: "quiet" }, format.count(count ? comparison.changes[count] : all.length)),
      ];
      const choose = (): void => {
        page = 1;
        view.change({ change: kind });
      };
      return dom.button(text, choose, {
        class: "chip",
        "aria-pressed": String(kind === wanted),
        "data-focus": `change-${kind}`,
      });
    });
    const part = pager.page(shown, page);
    const heads = [
      "Case",
      "Change",
      "Before",
      "Now",
      "Difference",
      "p adjusted",
      "p of score",
      "Detectable drop",
    ];
    return [
      h("h2", { class: "hidden" }, "Comparison"),
      summary(),
      h("div", { class: "chips", role: "group", "aria-label": "Change" }, chips),
      dom.table("Cases compared", heads, part.items.map(line), 4, "stacked"),
      pager.controls(part, (to) => {
        page = to;
        redraw();
      }),
    ];
  }

  /** For the view of one case. */
  function ofCase(one: ComparedCase): Child {
    const figures = (value: SideOfCase | null): Child[] =>
      value === null
        ? ["not there", "", "", "", ""]
        : [
            dom.badge(value.outcome),
            `${format.percent(value.rate)} (${value.passed}/${value.runs}, ${format.interval(value.low, value.high)})`,
            format.score(value.score),
            format.duration(value.latency_ms),
            format.money(value.cost_usd),
          ];
    return [
      h("p", {}, changeWord(one.change), one.edited && " The case itself was edited in between."),
      dom.table(
        "Before and now",
        ["", "Outcome", "Pass rate", "Score", "Latency", "Cost"],
        [
          ["Before", ...figures(one.before)],
          ["Now", ...figures(one.after)],
        ],
        2,
      ),
      dom.facts([
        ["Difference", difference(one)],
        ["p worse (Fisher)", format.probability(one.p_worse)],
        ["p worse, adjusted", format.probability(one.p_worse_adjusted)],
        ["p better, adjusted", format.probability(one.p_better_adjusted)],
        ["p of score", format.probability(one.p_score)],
        [
          "Detectable drop",
          one.detectable_drop === null ? "none" : `${Math.round(one.detectable_drop * 100)} pp`,
        ],
      ]),
    ];
  }

  return { load, ofRow, render, ofCase };
}
