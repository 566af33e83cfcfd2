// A case that ended, for people: its line, and under it why it did not pass, where that stands in the suite, what differs,
// and the command that shows the run.
import { wrapLines } from "../columns.ts";
import { caseName, testTitle } from "../../plan.ts";
import { printable } from "../../../core/printable.ts";
import type { CaseResult } from "../../result.ts";
import { formatCount, formatSeconds, plural } from "../amounts.ts";
import { threadToShow, threadWords } from "../thread-words.ts";
import { reasonsOf, reasonText } from "../reasons.ts";
import { warningsOf } from "../warnings.ts";
import { countSources, isFlaky, sourcesText } from "../summary-words.ts";
import { differenceLines } from "./difference-lines.ts";
import { lineOf } from "./line-of.ts";
import type { Colors } from "./progress-lines.ts";

const LIMITS = { reasons: 8, characters: 4000 };
const THREAD = { lines: 30, characters: 200 };

/** `columns`: of the terminal; undefined in a pipe, where nothing is broken. */
export function caseLines(result: CaseResult, colors: Colors, columns?: number): string[] {
  const name = lineOf(caseName(result.case));
  const title = result.outcome === "pass" ? undefined : testTitle(result.case);
  const called = title === undefined ? "" : `${lineOf(title)}  `;
  const head = `${markOf(result, colors)}  ${name}  ${called}${colors.dim(`(${aside(result)})`)}`;
  const reasons = result.outcome === "pass" ? [] : reasonLines(result, colors, columns);
  return [head, ...reasons, ...threadLines(result, colors), ...warningLines(result, colors)];
}

function markOf({ outcome }: CaseResult, colors: Colors): string {
  if (outcome === "pass") return colors.green("PASS");
  return outcome === "fail" ? colors.red("FAIL") : colors.yellow("UNEVALUATED");
}

/** Returns the duration, and whatever is unusual about the runs. */
function aside(result: CaseResult): string {
  const { attempts, statistics, durationMs } = result;
  const several = attempts.length > 1;
  const turns = attempts[0]?.thread?.turns.length ?? 0;
  const sources = sourcesText(countSources(attempts));
  const retried = attempts.reduce((sum, attempt) => sum + (attempt.retried?.length ?? 0), 0);
  return [
    `${formatSeconds(durationMs)}s`,
    several && `${formatCount(attempts.length)} runs`,
    !several && turns > 0 && plural(turns, "turn"),
    several &&
      (isFlaky(result) || statistics.passed < statistics.runs) &&
      `${formatCount(statistics.passed)} passed`,
    // Of one run there is no need to count.
    attempts.some(({ isolated }) => isolated === false) && "not isolated",
    sources !== "" && (several ? sources : sources.replace(/^1 /, "")),
    retried > 0 && `${formatCount(retried)} retried`,
  ]
    .filter((part) => part !== false)
    .join(", ");
}

/** What was said in a conversation that did not pass. */
function threadLines(result: CaseResult, colors: Colors): string[] {
  const thread = result.outcome === "pass" ? undefined : threadToShow(result)?.thread;
  return thread ? threadWords(thread, THREAD).map((text) => `      ${colors.dim(lineOf(text))}`) : [];
}

/** Returns the warnings, even of passes, because they would go unnoticed in a report that has to be opened first. */
function warningLines(result: CaseResult, colors: Colors): string[] {
  const { warnings, leftOut } = warningsOf(result, LIMITS);
  const lines = warnings.map((text) => `    ${colors.yellow("warning:")} ${lineOf(text)}`);
  return leftOut === 0 ? lines : [...lines, `    and ${formatCount(leftOut)} more warnings`];
}

function reasonLines(result: CaseResult, colors: Colors, columns = Infinity): string[] {
  const fit = (text: string, indent: number): string[] =>
    wrapLines(printable(text.toWellFormed()), columns - 1 - indent).map((line) => " ".repeat(indent) + line);
  const { reasons, leftOut } = reasonsOf(result, LIMITS);
  const lines = reasons.flatMap((reason, index) => {
    const { file, line, col, runId, outcome, difference } = reason;
    const word = outcome === "unevaluated" && result.outcome !== "unevaluated" ? "unevaluated: " : "";
    const isLastOfRun = runId !== undefined && reasons[index + 1]?.runId !== runId;
    return [
      ...fit(`${word}${reasonText(reason, result)}`, 4),
      ...(reason.said ?? []).flatMap((line) => fit(line, 6).map(colors.dim)),
      `      ${colors.dim(lineOf(`${file}:${line}:${col}`))}`,
      ...(difference === undefined ? [] : differenceLines(difference, colors)).map((text) => `      ${text}`),
      ...(isLastOfRun ? [`      ${colors.dim(`proctor runs show ${lineOf(runId)}`)}`] : []),
    ];
  });
  return leftOut === 0 ? lines : [...lines, `    and ${formatCount(leftOut)} more`];
}
