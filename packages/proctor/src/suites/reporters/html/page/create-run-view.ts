// One run of a case: its figures, why it did not pass, what it answered, its checks, and what it did.
import type { RunDetail } from "../report-data.ts";
import type { Artifacts } from "./create-artifacts.ts";
import type { Checks } from "./create-checks.ts";
import type { Code } from "./create-code.ts";
import type { Child, Dom } from "./create-dom.ts";
import type { Format } from "./create-format.ts";
import type { ThreadView } from "./create-thread.ts";
import type { Timeline } from "./create-timeline.ts";

export type RunView = ReturnType<typeof createRunView>;

export function createRunView(
  dom: Dom,
  format: Format,
  code: Code,
  deps: { checks: Checks; timeline: Timeline; artifacts: Artifacts; thread: ThreadView },
) {
  const { h } = dom;
  const { checks, timeline, artifacts, thread } = deps;

  function figures(run: RunDetail): Child {
    const { metrics, source, ran_at, retried } = run;
    return dom.facts([
      ["Outcome", dom.badge(run.outcome)],
      ["Status", run.status],
      ["Isolation", run.isolated === false ? "none: it worked on the hub's machine itself" : null],
      ["Notes", run.notes === undefined ? null : run.notes.join("; ")],
      ["Source", source === "run" ? null : source],
      ["Score", run.score === undefined ? null : format.score(run.score)],
      ["Duration", format.duration(run.duration_ms)],
      ["Tokens", metrics.total_tokens === undefined ? null : format.tokens(metrics.total_tokens)],
      ["Steps", metrics.total_steps === undefined ? null : format.count(metrics.total_steps)],
      ["Cost", metrics.cost_usd === undefined ? null : format.money(metrics.cost_usd)],
      ["Started", ran_at === undefined ? null : format.time(ran_at)],
      ["Run id", run.run_id === undefined ? null : h("code", {}, run.run_id)],
      ["Tried again after", retried && retried.length > 0 && h("code", {}, retried.join(", "))],
    ]);
  }

  function why({ reason, failure, said = [] }: RunDetail): Child {
    const isSaid = failure !== undefined && reason?.includes(failure.message) === true;
    return [
      reason !== undefined && h("p", { class: "reason" }, reason),
      failure !== undefined && [
        !isSaid && h("p", { class: "reason" }, h("b", {}, failure.code), ` ${failure.message}`),
        said.length > 0 && code.text(said.join("\n")),
        failure.details &&
          h(
            "details",
            { class: "more" },
            h("summary", {}, "Details of the failure"),
            code.text(format.json(failure.details)),
          ),
      ],
    ];
  }

  function render(run: RunDetail): Child {
    return [
      figures(run),
      why(run),
      run.thread && [h("h3", {}, "Conversation"), thread.render(run.thread)],
      h("h3", {}, "Answer"),
      run.evidence
        ? artifacts.render(run.evidence)
        : h("p", { class: "quiet" }, "There is no record of what it produced."),
      h("h3", {}, "Checks"),
      checks.render(run.checks),
      h("h3", {}, "Timeline"),
      run.evidence
        ? timeline.render(run.evidence)
        : h("p", { class: "quiet" }, "There is no record of what it did."),
    ];
  }

  return { render };
}
