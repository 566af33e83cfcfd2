// The head of the report: what was tested, what came out, and what it took.
import type { ReportData } from "../report-data.ts";
import type { Dom } from "./create-dom.ts";
import type { Format } from "./create-format.ts";
import type { PageElement } from "./browser.ts";

export function createHeader(data: ReportData, dom: Dom, format: Format) {
  const { h } = dom;
  const { counts, totals, pass_rate, suites, agents } = data;
  const reasons: Record<string, string> = {
    interrupted: "It was interrupted",
    "fail-fast": "It stopped at the first failure",
    "max-cost": "It stopped at the limit of its cost",
  };

  function title(): string {
    if (suites.length === 0) return "Report";
    const named = suites.slice(0, 3).map((name) => format.shorten(name, 60));
    return suites.length > 3 ? `${named.join(", ")} and ${suites.length - 3} more` : named.join(", ");
  }

  function outcome(): "pass" | "fail" | "unevaluated" {
    if (counts.failed > 0) return "fail";
    return counts.passed === counts.total && counts.total > 0 ? "pass" : "unevaluated";
  }

  function verdict(): string {
    const { total, passed, failed, unevaluated, not_run } = counts;
    if (total === 0) return "Nothing was run";
    if (passed === total) return total === 1 ? "The case passed" : `All ${format.count(total)} cases passed`;
    const parts = [
      failed > 0 && `${format.count(failed)} failed`,
      unevaluated > 0 && `${format.count(unevaluated)} could not be evaluated`,
      not_run > 0 && `${format.count(not_run)} ${not_run === 1 ? "was" : "were"} not run`,
    ].filter((part) => part !== false);
    return `${parts.join(", ")} of ${format.plural(total, "case")}`;
  }

  /** What was not done now is said so. */
  function provenance(): string | undefined {
    const kinds = (["resumed", "cached", "rescored", "replayed"] as const).filter((kind) => totals[kind] > 0);
    if (kinds.length === 0) return undefined;
    const sum = kinds.reduce((all, kind) => all + totals[kind], 0);
    const parts = kinds.map((kind) => `${format.count(totals[kind])} ${kind}`);
    return `${format.count(sum)} of ${format.plural(totals.total, "run")} were not made now: ${parts.join(", ")}.`;
  }

  function notices(): PageElement[] {
    const { stopped, skipped, comparison, differential } = data;
    const left = counts.not_run > 0 ? `; ${format.plural(counts.not_run, "case")} not run` : "";
    const lines = [
      stopped !== null && `${reasons[stopped] ?? stopped}${left}.`,
      skipped !== null && `${skipped}. They cannot be run here.`,
      differential && "The agents are one agent over several transports: their results must agree.",
      comparison?.outcome === "fail" &&
        `Compared with ${comparison.before.name}, something got significantly worse.`,
      comparison?.outcome === "unevaluated" &&
        `Compared with ${comparison.before.name}, not everything could be evaluated.`,
    ];
    return lines.filter((line) => typeof line === "string").map((line) => h("p", { class: "notice" }, line));
  }

  function figures(): PageElement {
    const rate = pass_rate && [
      h("strong", {}, format.percent(pass_rate.value)),
      dom.rateBar([pass_rate.value, pass_rate.low, pass_rate.high]),
      h(
        "small",
        {},
        `${format.interval(pass_rate.low, pass_rate.high)}, Wilson ${format.percent(pass_rate.confidence)}`,
      ),
    ];
    const big = (text: string, note?: string | false) => [
      h("strong", {}, text),
      note && h("small", {}, note),
    ];
    const now = totals.total - totals.resumed - totals.cached - totals.rescored - totals.replayed;
    return dom.facts(
      [
        ["Cases passed", big(`${format.count(counts.passed)} / ${format.count(counts.total)}`, countsNote())],
        ["Runs passed", rate],
        ["Runs", big(format.count(totals.total), now !== totals.total && `${format.count(now)} of them now`)],
        [
          "Cost",
          totals.cost_usd > 0 &&
            big(format.money(totals.cost_usd), perRun(format.money(totals.cost_usd / now))),
        ],
        [
          "Tokens",
          totals.total_tokens > 0 &&
            big(format.tokens(totals.total_tokens), perRun(format.tokens(totals.total_tokens / now))),
        ],
        ["Time", big(format.duration(data.duration_ms))],
      ],
      "figures",
    );

    function perRun(text: string): string | false {
      return now > 0 && `${text} per run`;
    }
  }

  function countsNote(): string {
    return `${format.count(counts.failed)} failed, ${format.count(counts.unevaluated)} unevaluated`;
  }

  function render(tools: PageElement): PageElement {
    const kind = outcome();
    const about = [
      format.time(data.started_at),
      format.plural(suites.length, "suite"),
      agents.length === 1
        ? `agent ${format.shorten(agents[0] ?? "", 80)}`
        : format.plural(agents.length, "agent"),
    ];
    return h(
      "header",
      { class: "head" },
      h("div", { class: "topline" }, h("p", { class: "brand" }, "Proctor report"), tools),
      h("h1", {}, title()),
      h("p", { class: `verdict ${kind}` }, dom.icon(kind), h("span", {}, verdict())),
      h("p", { class: "about" }, about.join(" · ")),
      provenance() !== undefined && h("p", { class: "about" }, provenance()),
      notices(),
      figures(),
    );
  }

  return { render, title, verdict };
}
