// The end, for people: who won, what changed since the baseline, what is flaky or undecided, what it cost, and last the
// counts. Says only what there is to say.
import type { Summary } from "../../result.ts";
import { formatCost, formatCount, formatPerSecond, formatSeconds } from "../amounts.ts";
import { comparisonWords } from "../comparison-words.ts";
import { contestText, sourcesText, stoppedText } from "../summary-words.ts";
import { lineOf } from "./line-of.ts";
import type { Colors } from "./progress-lines.ts";

export interface Noted {
  flaky: string;
  inconclusive: string;
  /** Whether some case had more than one run. */
  severalRuns: boolean;
  /** Notes on the environments of runs. */
  notes: readonly string[];
}

const MAX_FINDINGS = 20;
const MAX_CONTESTS = 20;
const MAX_SKIPPED = 20;

export function summaryLines(summary: Summary, noted: Noted, colors: Colors): string[] {
  const stopped = stoppedText(summary);
  const parts = [
    ...contestLines(summary, colors),
    ...comparisonLines(summary, colors),
    ...(noted.flaky === "" ? [] : [`${colors.yellow("flaky")}  ${noted.flaky}`]),
    ...(noted.inconclusive === "" ? [] : [`${colors.yellow("inconclusive")}  ${noted.inconclusive}`]),
    ...noted.notes.map((note) => `${colors.yellow("note")}  ${note}`),
    ...runLines(summary, noted.severalRuns),
    ...skippedLines(summary, colors),
    ...(stopped === undefined ? [] : [colors.yellow(stopped)]),
  ];
  return [...parts, "", countsLine(summary, colors)];
}

function skippedLines({ skipped = [] }: Summary, colors: Colors): string[] {
  const lines = skipped
    .slice(0, MAX_SKIPPED)
    .map(
      ({ id, reason }) =>
        `${colors.yellow("skipped")}  ${lineOf(`${id}: ${reason.split("\n", 1)[0] ?? ""}`)}`,
    );
  const more = skipped.length - lines.length;
  return more > 0 ? [...lines, `… and ${formatCount(more)} more skipped`] : lines;
}

function countsLine(summary: Summary, colors: Colors): string {
  const { passed, failed, unevaluated, skipped = [], durationMs } = summary;
  const paint = (count: number, text: string, apply: (text: string) => string): string =>
    count > 0 ? apply(text) : text;
  const counts = [
    paint(passed, `${formatCount(passed)} passed`, colors.green),
    paint(failed, `${formatCount(failed)} failed`, colors.red),
    paint(unevaluated, `${formatCount(unevaluated)} unevaluated`, colors.yellow),
    ...(skipped.length > 0 ? [colors.yellow(`${formatCount(skipped.length)} skipped`)] : []),
  ];
  return `${counts.join(", ")}  in ${formatSeconds(durationMs)}s`;
}

function runLines({ runs, durationMs }: Summary, severalRuns: boolean): string[] {
  const sources = sourcesText(runs);
  const now = runs.total - runs.resumed - runs.cached - runs.rescored - runs.replayed;
  const outcomes = `${formatCount(runs.passed)} passed, ${formatCount(runs.failed)} failed, ${formatCount(runs.unevaluated)} unevaluated`;
  const rate = now > 1 ? `, ${formatPerSecond(now, durationMs)}` : "";
  const cost = runs.cost_usd > 0 ? [formatCost(runs.cost_usd)] : [];
  const tokens = runs.total_tokens > 0 ? [`${formatCount(runs.total_tokens)} tokens`] : [];
  const used = [...cost, ...tokens];
  return [
    ...(severalRuns || sources !== ""
      ? [`runs  ${formatCount(runs.total)}: ${outcomes}${sources === "" ? "" : ` (${sources})`}${rate}`]
      : []),
    ...(used.length === 0 ? [] : [`used  ${used.join(", ")}`]),
  ];
}

function contestLines({ contests = [] }: Summary, colors: Colors): string[] {
  const lines = contests.slice(0, MAX_CONTESTS).map((contest) => colors.bold(lineOf(contestText(contest))));
  const more = contests.length - lines.length;
  return more > 0 ? [...lines, `… and ${formatCount(more)} more contests`] : lines;
}

function comparisonLines({ comparison }: Summary, colors: Colors): string[] {
  if (comparison === undefined) return [];
  const { title, counts, findings, findingsLeftOut } = comparisonWords(comparison, MAX_FINDINGS);
  const paint = { fail: colors.red, unevaluated: colors.yellow, pass: colors.green }[comparison.outcome];
  const paintArrow = (arrow: string): string =>
    arrow === "↓" ? colors.red(arrow) : arrow === "↑" ? colors.green(arrow) : colors.dim(arrow);
  return [
    paint(lineOf(title)),
    ...(counts === "" ? [] : [`  ${counts}`]),
    ...findings.map(({ arrow, text }) => `  ${paintArrow(arrow)} ${lineOf(text)}`),
    ...(findingsLeftOut > 0 ? [`  … and ${formatCount(findingsLeftOut)} more findings`] : []),
  ];
}
