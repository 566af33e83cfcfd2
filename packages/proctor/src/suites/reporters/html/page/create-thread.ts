// The conversation of a run, turn by turn: what the user and the agent said, what was asked and how it was answered.
import type { ThreadDetail } from "../report-data.ts";
import type { Child, Dom } from "./create-dom.ts";
import type { Format } from "./create-format.ts";

export type ThreadView = ReturnType<typeof createThread>;

export function createThread(dom: Dom, format: Format) {
  const { h } = dom;
  type Turn = ThreadDetail["turns"][number];

  function line({ who, what, kind, text, cut }: Turn["lines"][number]): Child {
    const verb = what === "says" ? "" : ` ${what}`;
    const about = kind === undefined ? "" : ` (${kind})`;
    return h(
      "li",
      { class: `said by-${who}` },
      h("span", { class: "quiet" }, `${who}${verb}${about}`),
      text !== "" && h("p", { class: "words" }, text, cut === true && "…"),
    );
  }

  function turn({ turn: number, status, outcome, run_id, lines, lines_left_out }: Turn): Child {
    return h(
      "section",
      { class: "turn" },
      h(
        "h4",
        {},
        `Turn ${number} `,
        outcome !== null && dom.badge(outcome),
        h("span", { class: "quiet" }, ` ${status} `, h("code", {}, run_id)),
      ),
      h("ol", { class: "thread" }, lines.map(line)),
      lines_left_out > 0 &&
        h("p", { class: "quiet" }, `${format.plural(lines_left_out, "more line")} not in this report.`),
    );
  }

  function render({ turns, ended, simulator }: ThreadDetail): Child {
    return [
      turns.map(turn),
      h(
        "p",
        { class: "quiet" },
        `Ended: ${ended.replaceAll("_", " ")}.`,
        simulator !== undefined &&
          ` The simulated user took ${format.plural(simulator.calls, "call")} and ${format.count(simulator.input_tokens + simulator.output_tokens)} tokens.`,
      ),
    ];
  }

  return { render };
}
