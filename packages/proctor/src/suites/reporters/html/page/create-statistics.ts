// What the runs of one case say together: rate, gate, chances of several runs, and how its figures are spread.
import type { CaseStatistics } from "../../../case-statistics.ts";
import type { CaseDetail } from "../report-data.ts";
import type { Child, Dom } from "./create-dom.ts";
import type { Format } from "./create-format.ts";

export type StatisticsPart = ReturnType<typeof createStatistics>;

export function createStatistics(dom: Dom, format: Format) {
  const { h } = dom;

  function rate({ pass_rate, passed, runs }: CaseStatistics): Child {
    if (pass_rate === null) return null;
    const { value, low, high, confidence } = pass_rate;
    return [
      h("strong", {}, format.percent(value)),
      dom.rateBar([value, low, high]),
      h(
        "small",
        {},
        `${passed} of ${runs}; ${format.interval(low, high)}, Wilson ${format.percent(confidence)}`,
      ),
    ];
  }

  function chances({ pass_at_k, pass_hat_k }: CaseStatistics): Child {
    const ks = [...new Set([...Object.keys(pass_at_k), ...Object.keys(pass_hat_k)])].sort(
      (a, b) => Number(a) - Number(b),
    );
    if (ks.length < 2) return null;
    const line = (name: string, values: Record<string, number>): Child[] => [
      name,
      ...ks.map((k) => format.percent(values[k])),
    ];
    return dom.table(
      "Chances of several runs",
      ["k", ...ks],
      [line("at least one passes (pass@k)", pass_at_k), line("all pass (pass^k)", pass_hat_k)],
    );
  }

  function spread(statistics: CaseStatistics): Child {
    const lines = (
      [
        ["Latency", statistics.latency_ms, format.duration],
        ["Score", statistics.score, format.score],
        ["Tokens", statistics.total_tokens, format.tokens],
        ["Cost", statistics.cost_usd, format.money],
        ["Steps", statistics.total_steps, (value: number) => format.digits(value, 3)],
      ] as const
    ).flatMap(([name, values, text]): Child[][] => {
      if (values === undefined || values.count < 2) return [];
      const { min, p50, p95, max, mean, interval } = values;
      const range = interval === undefined ? "" : ` [${text(interval.low)}–${text(interval.high)}]`;
      return [[name, text(min), text(p50), text(p95), text(max), `${text(mean)}${range}`]];
    });
    if (lines.length === 0) return null;
    return dom.table("Spread over the runs", ["", "Min", "p50", "p95", "Max", "Mean"], lines);
  }

  function gate({ gate: result }: CaseDetail): Child {
    if (result === undefined) return null;
    const { decision, message, at_least, confidence, runs, more_runs } = result;
    const outcome = decision === "inconclusive" ? "unevaluated" : decision;
    const rule = `at least ${format.percent(at_least)} with confidence ${format.percent(confidence)}, after ${format.plural(runs, "run")}`;
    const needed =
      more_runs === undefined || more_runs === null
        ? ""
        : `; about ${format.plural(more_runs, "more run")} needed`;
    return h(
      "p",
      { class: `gate ${outcome}` },
      dom.icon(outcome),
      h("span", {}, h("b", {}, `Gate: ${decision}. `), message, h("small", {}, ` (${rule}${needed})`)),
    );
  }

  function render(detail: CaseDetail): Child {
    const { statistics } = detail;
    const { flakiness } = statistics;
    if (statistics.runs < 2) return gate(detail);
    return [
      dom.facts(
        [
          ["Pass rate", rate(statistics)],
          [
            "Flakiness",
            flakiness === null
              ? null
              : [h("strong", {}, format.percent(flakiness)), h("small", {}, "chance that two runs disagree")],
          ],
        ],
        "figures",
      ),
      gate(detail),
      h("div", { class: "tables" }, chances(statistics), spread(statistics)),
    ];
  }

  return { render };
}
