// Checks with what they said, where they stand, and the difference where two things were compared.
import type { CheckDetail } from "../report-data.ts";
import type { Code } from "./create-code.ts";
import type { Child, Dom } from "./create-dom.ts";
import type { Format } from "./create-format.ts";

export type Checks = ReturnType<typeof createChecks>;

export function createChecks(dom: Dom, format: Format, code: Code) {
  const { h } = dom;

  function notes({ critical, weight, turn, score, outcome }: CheckDetail): string {
    const isPartial = score !== undefined && score !== (outcome === "pass" ? 1 : 0);
    const words = [
      turn !== undefined && `turn ${turn}`,
      critical && "critical",
      weight === 0 && "informs only",
      weight !== 0 && weight !== 1 && `weight ${format.digits(weight, 3)}`,
      isPartial && `score ${format.digits(score, 3)}`,
    ];
    return words.filter((word) => typeof word === "string").join(", ");
  }

  function more({ details, outcome }: CheckDetail): Child {
    if (details === undefined) return null;
    const { expected, actual, ...rest } = details;
    const isCompared = expected !== undefined && actual !== undefined;
    const others = Object.keys(isCompared ? rest : details).length > 0;
    return [
      isCompared &&
        outcome !== "pass" &&
        h(
          "div",
          { class: "expected" },
          h(
            "p",
            { class: "quiet" },
            h("span", { class: "removed" }, "− expected"),
            " ",
            h("span", { class: "added" }, "+ actual"),
          ),
          code.difference(format.json(expected), format.json(actual)),
        ),
      others &&
        h(
          "details",
          { class: "more" },
          h("summary", {}, "Details"),
          code.text(format.json(isCompared ? rest : details)),
        ),
    ];
  }

  function one(check: CheckDetail): Child {
    const { type, outcome, message, file, line, col } = check;
    return h(
      "li",
      { class: `check ${outcome}` },
      dom.icon(outcome),
      h(
        "div",
        { class: "check-body" },
        h(
          "p",
          {},
          h("b", {}, type),
          " ",
          h("span", { class: "quiet" }, notes(check)),
          h("span", { class: "hidden" }, dom.words[outcome]),
        ),
        h("p", { class: "said" }, message),
        h("p", { class: "place" }, `${file}:${line}:${col}`),
        more(check),
      ),
    );
  }

  /** What did not pass first. */
  function render(checks: readonly CheckDetail[]): Child {
    if (checks.length === 0) return h("p", { class: "quiet" }, "No checks.");
    const order = ["fail", "unevaluated", "pass"];
    const sorted = [...checks].sort((a, b) => order.indexOf(a.outcome) - order.indexOf(b.outcome));
    return h("ul", { class: "checks" }, sorted.map(one));
  }

  return { render };
}
