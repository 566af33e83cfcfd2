// One case: its head, what its runs say together, the baseline, its runs one by one, and two of them compared.
import type { CaseDetail, CaseRow, ComparedCase, ReportData } from "../report-data.ts";
import type { PageElement } from "./browser.ts";
import type { Checks } from "./create-checks.ts";
import type { ComparisonPart } from "./create-comparison.ts";
import type { Details } from "./create-details.ts";
import type { Child, Dom } from "./create-dom.ts";
import type { Format } from "./create-format.ts";
import type { RunDiff } from "./create-run-diff.ts";
import type { RunView } from "./create-run-view.ts";
import type { StatisticsPart } from "./create-statistics.ts";
import type { View, ViewState } from "./create-view.ts";

export type CaseView = ReturnType<typeof createCaseView>;

interface CaseViewDeps {
  checks: Checks;
  comparison: ComparisonPart;
  details: Details;
  runDiff: RunDiff;
  runView: RunView;
  statistics: StatisticsPart;
}

export function createCaseView(
  data: ReportData,
  dom: Dom,
  format: Format,
  view: ViewState,
  deps: CaseViewDeps,
) {
  const { h } = dom;
  const { rows, suites, agents, tags } = data;
  const { checks, comparison, details, runDiff, runView, statistics } = deps;

  function neighbours(at: number, shown: readonly number[]): { before?: number; after?: number } {
    const place = shown.indexOf(at);
    const [before, after] = place === -1 ? [at - 1, at + 1] : [shown[place - 1], shown[place + 1]];
    return {
      ...(before !== undefined && rows[before] !== undefined && { before }),
      ...(after !== undefined && rows[after] !== undefined && { after }),
    };
  }

  function bar(at: number, shown: readonly number[]): Child {
    const { before, after } = neighbours(at, shown);
    const step = (label: string, to: number | undefined): Child =>
      to === undefined
        ? h("span", { class: "button", "aria-disabled": "true" }, label)
        : h(
            "a",
            { class: "button", "data-focus": label, href: view.link({ case: to + 1, run: 1, against: 0 }) },
            label,
          );
    return h(
      "nav",
      { class: "case-bar", "aria-label": "Case" },
      h(
        "a",
        { class: "button", id: "back", href: view.link({ case: 0, run: 1, against: 0 }) },
        dom.icon("back"),
        "All cases",
      ),
      h("span", { class: "steps" }, step("Previous", before), step("Next", after)),
    );
  }

  function head(row: CaseRow, detail?: CaseDetail): Child {
    const words = [row.id, suites[row.suite], detail && `${detail.file}:${detail.line}`];
    return [
      h("h2", { tabindex: -1, id: "case-title" }, row.name.trim() || row.id.trim() || "(no name)"),
      h(
        "p",
        { class: "case-about" },
        dom.badge(row.outcome),
        h("span", { class: "agent" }, agents[row.agent]),
      ),
      h("p", { class: "about" }, words.filter((word) => word !== undefined && word !== "").join(" · ")),
      row.tags.length > 0 &&
        h(
          "p",
          { class: "tags" },
          row.tags.map((tag) => h("span", { class: "tag" }, tags[tag])),
        ),
      detail?.description !== undefined && h("p", {}, detail.description),
      detail &&
        h(
          "details",
          { class: "more", open: true },
          h("summary", {}, "Task"),
          h("p", { class: "task" }, detail.task),
          detail.parameters && h("pre", { class: "task" }, format.json(detail.parameters)),
        ),
    ];
  }

  function runTabs({ runs }: CaseDetail, current: number): Child {
    if (runs.length < 2) return null;
    return h(
      "div",
      { class: "run-tabs", role: "group", "aria-label": "Runs" },
      runs.map(({ number, outcome }) =>
        dom.button([dom.icon(outcome), `Run ${number}`], () => view.change({ run: number }), {
          class: "chip",
          "aria-pressed": String(number === current),
          "aria-label": `Run ${number}, ${(dom.words[outcome] ?? "").toLowerCase()}`,
          "data-focus": `run-${number}`,
        }),
      ),
    );
  }

  function compareRuns({ runs }: CaseDetail, current: View): Child {
    if (runs.length < 2) return null;
    const run = runs.find(({ number }) => number === current.run) ?? runs[0];
    const other = runs.find(({ number }) => number === current.against);
    const options = runs
      .filter((one) => one !== run)
      .map((one) =>
        h(
          "option",
          { value: one.number, ...(one === other && { selected: true }) },
          `Run ${one.number} (${(dom.words[one.outcome] ?? "").toLowerCase()})`,
        ),
      );
    const select: PageElement = h(
      "select",
      {
        "aria-label": "Compare with run",
        "data-focus": "against",
        onchange: () => view.change({ against: Number(select.value) }),
      },
      h("option", { value: 0 }, "choose a run"),
      options,
    );
    return h(
      "section",
      { class: "block" },
      h("h3", {}, "Difference between runs"),
      h("p", {}, `Run ${run?.number ?? 1} against `, select),
      run && other && other !== run && h("div", { id: "run-diff" }, runDiff.render(run, other)),
    );
  }

  function body(detail: CaseDetail, compared: ComparedCase | undefined, current: View): Child {
    const run = detail.runs.find(({ number }) => number === current.run) ?? detail.runs[0];
    return [
      detail.cut && h("p", { class: "notice" }, "This case was too large for a report: parts of it are cut."),
      // Of one run they say nothing that its own figures do not.
      detail.runs.length > 1 && h("section", { class: "block" }, statistics.render(detail)),
      compared &&
        h(
          "section",
          { class: "block", id: "baseline" },
          h("h3", {}, "Against the baseline"),
          comparison.ofCase(compared),
        ),
      detail.checks.length > 0 &&
        h("section", { class: "block" }, h("h3", {}, "Checks over all runs"), checks.render(detail.checks)),
      h(
        "section",
        { class: "block" },
        h("h3", { class: detail.runs.length > 1 ? "" : "hidden" }, "Runs"),
        runTabs(detail, run?.number ?? 0),
        run ? h("div", { class: "run" }, runView.render(run)) : h("p", { class: "quiet" }, "It has no runs."),
      ),
      compareRuns(detail, current),
    ];
  }

  async function render(current: View, shown: readonly number[]): Promise<Child> {
    const at = current.case - 1;
    const row = rows[at];
    if (row === undefined)
      return [bar(at, shown), h("p", { class: "empty" }, "This report has no such case.")];
    if (row.place === undefined)
      return [bar(at, shown), head(row), h("p", { class: "notice" }, "It was not run.")];
    try {
      const [detail, compared] = await Promise.all([details.loadCase(row.place), comparison.ofRow(at)]);
      return [bar(at, shown), head(row, detail), body(detail, compared, current)];
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      return [bar(at, shown), head(row), h("p", { class: "notice" }, message)];
    }
  }

  return { render, neighbours };
}
