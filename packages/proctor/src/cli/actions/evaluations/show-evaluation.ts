// `proctor evaluations show`: what it found, the failed cases first.
import type { Evaluation, EvaluationCase } from "../../../core/evaluation.ts";
import type { Outcome } from "../../../core/outcome.ts";
import { hubAction } from "../hub-action.ts";
import { formatCost, formatCount, formatDuration, plural } from "../../terminal/amounts.ts";
import type { Paint } from "../../terminal/paint.ts";
import type { Screen } from "../../terminal/screen.ts";
import { renderTable, type Column } from "../../terminal/table.ts";
import { oneLine } from "../../terminal/text.ts";
import { allCases } from "./all-cases.ts";
import { findEvaluation } from "./find-evaluation.ts";
import type { ShowEvaluationFlags } from "./flags.ts";
import { paintEvaluation } from "./list-evaluations.ts";

/** Number of cases that a screen shows; `--json` has all. */
const MAX_ROWS = 200;
const NOT_PASSED: readonly Outcome[] = ["fail", "unevaluated"];

export const showEvaluation = hubAction(
  "read",
  async ({ platform, screen }, reference: string, flags: ShowEvaluationFlags) => {
    const { evaluations } = platform;
    const evaluation = await findEvaluation(evaluations, reference);
    const isAll = flags.all === true || flags.json === true;
    const cases: EvaluationCase[] = [];
    const query = { order: "failing", ...(!isAll && { verdict: NOT_PASSED }) } as const;
    for await (const one of allCases(evaluations, evaluation.id, query)) {
      if (flags.json !== true && cases.length > MAX_ROWS) break;
      cases.push(one);
    }
    if (flags.json === true) screen.printJson({ evaluation, cases });
    else screen.print(...summaryLines(evaluation, screen), ...caseLines(cases, screen));
  },
);

function summaryLines(evaluation: Evaluation, { paint }: Screen): string[] {
  const { id, name, status, totals, planned, suites, agents, metadata, comparison } = evaluation;
  const { git_commit: commit, git_branch: branch, host } = metadata;
  const row = (label: string, value: string): string[] =>
    value === "" ? [] : [`${paint.dim(label.padEnd(10))}${oneLine(value)}`];
  const where = [branch, commit?.slice(0, 12), host].filter((each) => each != null && each !== "").join(", ");
  const settled = totals.cases < planned.cases ? `, ${planned.cases - totals.cases} not run` : "";
  return [
    `${paint.bold(oneLine(name))}  ${paintEvaluation(paint, evaluation)(status)}  ${paint.dim(id)}`,
    ...row("suites", suites.map(({ file }) => file).join(", ")),
    ...row("agents", agents.join(", ")),
    ...row("where", where),
    ...row(
      "cases",
      `${totals.passed} passed, ${totals.failed} failed, ${totals.unevaluated} unevaluated${settled}`,
    ),
    ...row(
      "runs",
      `${plural(totals.runs, "run")}, ${formatCount(totals.total_tokens)} tokens, ${formatCost(totals.cost_usd)}`,
    ),
    ...(comparison === null ? [] : row("baseline", comparison.findings.slice(0, 3).join("; "))),
  ];
}

function caseLines(cases: readonly EvaluationCase[], { paint, width }: Screen): string[] {
  if (cases.length === 0) return [];
  const more = cases.length > MAX_ROWS ? [paint.dim("… there are more: see --json")] : [];
  const rows = cases.slice(0, MAX_ROWS);
  return ["", ...renderTable(columns(paint), rows, { width, paintTitle: paint.dim }), ...more];
}

function columns(paint: Paint): Column<EvaluationCase>[] {
  return [
    {
      title: "VERDICT",
      cell: ({ verdict }) => verdict,
      paint: (text, { verdict }) => paintVerdict(paint, verdict)(text),
    },
    { title: "TEST", cell: ({ suite, test_id }) => `${suite}/${test_id}`, minWidth: 12 },
    { title: "AGENT", cell: ({ agent }) => agent, minWidth: 8 },
    {
      title: "PASSES",
      cell: ({ pass_rate: rate, runs }) => (rate === null ? "" : `${Math.round(rate.value * runs)}/${runs}`),
      align: "right",
    },
    { title: "TOOK", cell: ({ duration_ms }) => formatDuration(duration_ms), align: "right" },
    { title: "WHY", cell: whyOf, minWidth: 12 },
  ];
}

/** Returns the first reason that a run or a check gives. */
function whyOf({ reason, checks, run_results: runs, verdict }: EvaluationCase): string {
  if (verdict === "pass") return "";
  const all = [...checks, ...runs.flatMap((run) => run.checks)];
  const failed =
    all.find((check) => check.verdict === "fail") ?? all.find((check) => check.verdict !== "pass");
  return failed === undefined
    ? (runs.find((run) => run.reason !== null)?.reason ?? reason ?? "")
    : `${failed.type}: ${failed.reason}`;
}

function paintVerdict(paint: Paint, verdict: Outcome): (text: string) => string {
  if (verdict === "pass") return paint.green;
  return verdict === "fail" ? paint.red : paint.yellow;
}
