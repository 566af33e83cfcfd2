// A case that did not pass as a row of a Markdown table, its reasons folded away.
import { caseName, testTitle } from "../plan.ts";
import type { CaseResult } from "../result.ts";
import { formatRate, formatSeconds } from "./amounts.ts";
import type { Difference, Span } from "./difference.ts";
import { code, codeName, escapeMarkdown } from "../../core/escape-markdown.ts";
import { reasonsOf, reasonText, type Reason } from "./reasons.ts";
import { threadToShow, threadWords } from "./thread-words.ts";
import { shorten } from "../../core/shorten.ts";
import { countSources, sourcesText } from "./summary-words.ts";

/** A character takes up to ten when it is escaped: with these limits the worst row still fits. */
const LIMITS = { reasons: 5, characters: 400 };
/** Most characters of a difference; only the first reason that has one shows it. */
const DIFFERENCE_CHARACTERS = 400;
/** Most characters of what an agent printed before it failed. */
const SAID_CHARACTERS = 1000;
const THREAD = { lines: 12, characters: 120 };
const TITLE_CHARACTERS = 120;
const ID_CHARACTERS = 60;

export const TABLE_HEAD = "| | Case | Suite | Runs | Time | Why |\n|---|---|---|---|---|---|\n";

export function markdownRow(result: CaseResult): string {
  const { reasons, leftOut } = reasonsOf(result, LIMITS);
  const differs = reasons.find(({ difference }) => difference !== undefined);
  const said = reasons.map((reason) => reasonCell(reason, result, reason === differs));
  if (leftOut > 0) said.push(`and ${leftOut} more`);
  const count = reasons.length + leftOut;
  const why = `<details><summary>${count} ${count === 1 ? "reason" : "reasons"}</summary>${said.join("<br>")}</details>`;
  const thread = threadToShow(result)?.thread;
  const talk = thread
    ? `<details><summary>conversation</summary>${quoted(threadWords(thread, THREAD))}</details>`
    : "";
  const name = codeName(caseName(result.case));
  const title = testTitle(result.case);
  const cells = [
    result.outcome === "fail" ? "**failed**" : "unevaluated",
    title === undefined ? name : `${name}<br>${escapeMarkdown(shorten(title, TITLE_CHARACTERS))}`,
    codeName(result.case.suite.name),
    runsCell(result),
    `${formatSeconds(result.durationMs)}s`,
    `${why}${talk}`,
  ];
  return `| ${cells.join(" | ")} |\n`;
}

function runsCell({ attempts, statistics }: CaseResult): string {
  const { passed, runs, pass_rate: rate } = statistics;
  const sources = sourcesText(countSources(attempts));
  const interval = runs > 1 && rate !== null ? ` ${formatRate(rate)}` : "";
  return escapeMarkdown(`${passed}/${runs}${interval}${sources === "" ? "" : ` (${sources})`}`);
}

function reasonCell(reason: Reason, result: CaseResult, withDifference: boolean): string {
  const { outcome, file, line, col, difference, runId } = reason;
  const word = outcome === "unevaluated" ? "unevaluated: " : "";
  const run = runId === undefined ? "" : `, run ${code(shorten(runId, ID_CHARACTERS))}`;
  const place = `${codeName(file)}, line ${line}, column ${col}${run}`;
  const words = reason.said === undefined ? "" : `<br>${quoted(reason.said)}`;
  const said = `${code(`${word}${reasonText(reason, result)}`)}${words}<br>${place}`;
  if (difference === undefined || !withDifference) return said;
  return `${said}<br>${code(shorten(asText(difference), DIFFERENCE_CHARACTERS))}`;
}

/** Blanks at the beginning of a line matter in a traceback, and HTML would drop them. */
function quoted(lines: readonly string[]): string {
  const text = shorten(lines.join("\n"), SAID_CHARACTERS);
  return code(text).replaceAll(/(?<=<br>|^<code>) +/g, (blanks) => "&#160;".repeat(blanks.length));
}

function asText(difference: Difference): string {
  if (difference.form === "lines")
    return difference.lines.map(({ mark, text }) => `${mark} ${text}`).join("\n");
  const join = (spans: readonly Span[]): string => spans.map(({ text }) => text).join("");
  return `- ${join(difference.expected)}\n+ ${join(difference.actual)}`;
}
