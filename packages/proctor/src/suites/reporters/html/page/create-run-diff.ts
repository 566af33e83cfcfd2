// Two runs of a case side by side: figures, checks, the sequence of events, and the artifacts.
import type { Evidence } from "../../../evidence.ts";
import type { RunDetail } from "../report-data.ts";
import type { Artifacts } from "./create-artifacts.ts";
import type { Code } from "./create-code.ts";
import type { Child, Dom } from "./create-dom.ts";
import type { EventLook } from "./create-event-look.ts";
import type { Format } from "./create-format.ts";

export type RunDiff = ReturnType<typeof createRunDiff>;

export function createRunDiff(dom: Dom, format: Format, look: EventLook, code: Code, artifacts: Artifacts) {
  const { h } = dom;

  function figures(one: RunDetail, other: RunDetail): Child {
    const lines: [string, (run: RunDetail) => Child][] = [
      ["Outcome", ({ outcome }) => dom.badge(outcome)],
      ["Status", ({ status }) => status ?? format.none],
      ["Score", ({ score }) => format.score(score)],
      ["Duration", ({ duration_ms }) => format.duration(duration_ms)],
      ["Tokens", ({ metrics }) => format.tokens(metrics.total_tokens)],
      [
        "Steps",
        ({ metrics }) =>
          metrics.total_steps === undefined ? format.none : format.count(metrics.total_steps),
      ],
      ["Cost", ({ metrics }) => format.money(metrics.cost_usd)],
    ];
    const rows = lines.map(([name, pick]): Child[] => [name, pick(one), pick(other)]);
    return dom.table("Figures", ["", `Run ${one.number}`, `Run ${other.number}`], rows, 3);
  }

  const said = ({ checks }: RunDetail): string =>
    checks.map(({ type, outcome, message }) => `${type}: ${outcome}: ${message}`).join("\n");

  const sequence = ({ events }: Evidence): string =>
    events.map((event) => `${event.type}  ${look.label(event)}`.trimEnd()).join("\n");

  function artifactDiffs(one: Evidence, other: Evidence): Child[] {
    const names = [...new Set([...one.artifacts, ...other.artifacts].map(({ name }) => name))];
    if (names.length === 0) return [h("p", { class: "quiet" }, "Neither produced artifacts.")];
    return names.map((name) => {
      const [before, after] = [one, other].map((side) =>
        side.artifacts.find((artifact) => artifact.name === name),
      );
      return h("div", { class: "artifact-diff" }, h("h5", {}, name), artifactDiff(before, after));
    });
  }

  type Found = Evidence["artifacts"][number] | undefined;

  function artifactDiff(before: Found, after: Found): Child {
    if (before === undefined || after === undefined) {
      return h(
        "p",
        { class: "quiet" },
        before === undefined ? "Only in the second run." : "Only in the first run.",
      );
    }
    const isSame = before.content_hash !== undefined && before.content_hash === after.content_hash;
    const [text, otherText] = [artifacts.textOf(before), artifacts.textOf(after)];
    if (isSame) return h("p", { class: "quiet" }, "Identical.");
    if (text === undefined || otherText === undefined)
      return h("p", { class: "quiet" }, "Different, and not text.");
    return code.difference(text, otherText);
  }

  function render(one: RunDetail, other: RunDetail): Child {
    return [
      figures(one, other),
      h("h4", {}, "Checks"),
      code.difference(said(one), said(other)),
      one.evidence && other.evidence
        ? [
            h("h4", {}, "Sequence of events"),
            code.difference(sequence(one.evidence), sequence(other.evidence)),
            h("h4", {}, "Artifacts"),
            artifactDiffs(one.evidence, other.evidence),
          ]
        : h("p", { class: "quiet" }, "There is no record of what both did."),
    ];
  }

  return { render };
}
