// For a comment on a pull request: the summary, what changed since the baseline, a table of what did not pass with the
// reasons folded away, and the rest folded away whole. It fits into a comment whatever the agents said, and nothing they
// said is more than text.
import { caseName } from "../plan.ts";
import type { PlannedCase } from "../plan.ts";
import type { Reporter, Write } from "../reporter.ts";
import type { CaseResult, Summary } from "../result.ts";
import { formatCost, formatCount, formatRate, formatSeconds } from "./amounts.ts";
import { comparisonWords } from "./comparison-words.ts";
import { code, codeName, escapeMarkdown, foldMarkdown as folded } from "../../core/escape-markdown.ts";
import { createPart } from "../../core/markdown-part.ts";
import { markdownRow, TABLE_HEAD } from "./markdown-row.ts";
import { contestText, countSources, isFlaky, sourcesText, stoppedText } from "./summary-words.ts";
import { shorten } from "../../core/shorten.ts";

/** Most characters of a comment; GitHub takes 65,536. */
export const MAX_CHARACTERS = 60_000;
/** Characters kept free for the summary, the headings and the note, none of which depends on what agents said. */
const RESERVED = 2500;
/** Most characters for contests and for findings each: they come before the table, and must leave room for it. */
const ASIDE_CHARACTERS = 5000;
const FINDING_CHARACTERS = 300;
const MAX_FINDINGS = 50;

export function markdownReporter({ write }: { write: Write }): Reporter {
  const part = () => createPart(MAX_CHARACTERS);
  const parts = { fail: part(), unevaluated: part(), flaky: part(), pass: part() };
  return {
    start() {},
    caseEnded(result) {
      if (result.outcome !== "pass") parts[result.outcome].add(() => markdownRow(result));
      else parts[isFlaky(result) ? "flaky" : "pass"].add(() => passedItem(result));
    },
    end(summary) {
      const skipped = part();
      for (const { id, reason } of summary.skipped ?? [])
        skipped.add(() => `- ${codeName(id)}: ${code(shorten(reason, FINDING_CHARACTERS))}\n`);
      const notRun = part();
      for (const planned of summary.notRun) notRun.add(() => `- ${nameOf(planned)}\n`);
      const compared = comparisonBlock(summary);
      const contests = contestBlock(summary);
      const room = { left: MAX_CHARACTERS - RESERVED - compared.length - contests.length };
      const failed = parts.fail.take(room);
      const unevaluated = parts.unevaluated.take(room);
      const stopped = notRun.take(room);
      const leftAside = skipped.take(room);
      const flaky = parts.flaky.take(room);
      const passed = parts.pass.take(room);
      const rows = `${failed.text}${unevaluated.text}`;
      const note = leftOutNote([
        [failed.leftOut, "failed"],
        [unevaluated.leftOut, "unevaluated"],
        [stopped.leftOut, "not run"],
        [leftAside.leftOut, "skipped"],
        [flaky.leftOut, "flaky"],
        [passed.leftOut, "passed"],
      ]);
      const blocks = [
        summaryLine(summary),
        compared,
        contests,
        rows === "" ? "" : `${TABLE_HEAD}${rows}`,
        folded(`${summary.notRun.length} not run`, stopped.text),
        folded(`${leftAside.count} skipped: they cannot be run here`, leftAside.text),
        folded(`${flaky.count} flaky, and passed all the same`, flaky.text),
        folded(`${passed.count} passed`, passed.text),
        note,
      ];
      write(blocks.filter((block) => block !== "").join("\n"));
    },
  };
}

function summaryLine(summary: Summary): string {
  const { passed, failed, unevaluated, durationMs, runs } = summary;
  const stopped = stoppedText(summary);
  const counts = `${passed} passed, ${failed} failed, ${unevaluated} unevaluated`;
  const sources = sourcesText(runs);
  const several = runs.total > passed + failed + unevaluated;
  const more = [
    several && `${formatCount(runs.total)} runs, ${formatCount(runs.passed)} of them passed`,
    sources,
    runs.cost_usd > 0 && formatCost(runs.cost_usd),
    runs.total_tokens > 0 && `${formatCount(runs.total_tokens)} tokens`,
  ].filter((text) => text !== false && text !== "");
  const first = `**${counts}** in ${formatSeconds(durationMs)}s${stopped === undefined ? "" : `, ${stopped}`}\n`;
  return more.length === 0 ? first : `${first}\n${more.join(" · ")}\n`;
}

function comparisonBlock({ comparison }: Summary): string {
  if (comparison === undefined) return "";
  const { title, counts, findings, findingsLeftOut } = comparisonWords(comparison, MAX_FINDINGS);
  const part = createPart(ASIDE_CHARACTERS);
  for (const { arrow, text } of findings)
    part.add(() => `- ${arrow} ${code(shorten(text, FINDING_CHARACTERS))}\n`);
  const { text, leftOut } = part.take({ left: ASIDE_CHARACTERS });
  const left = leftOut + findingsLeftOut;
  const list = folded(
    `${comparison.findings.length} findings`,
    `${text}${left > 0 ? `- and ${left} more\n` : ""}`,
  );
  return `${code(shorten(title, FINDING_CHARACTERS))}${counts === "" ? "" : ` ${counts}`}\n${list === "" ? "" : `\n${list}`}`;
}

function contestBlock({ contests = [] }: Summary): string {
  const part = createPart(ASIDE_CHARACTERS);
  for (const contest of contests)
    part.add(() => `- ${code(shorten(contestText(contest), FINDING_CHARACTERS))}\n`);
  const { text, leftOut } = part.take({ left: ASIDE_CHARACTERS });
  return folded(`${contests.length} contests`, `${text}${leftOut > 0 ? `- and ${leftOut} more\n` : ""}`);
}

function passedItem({ case: planned, durationMs, attempts, statistics }: CaseResult): string {
  const { passed, runs, pass_rate: rate } = statistics;
  const several = runs > 1 && rate !== null ? `, ${passed}/${runs} ${escapeMarkdown(formatRate(rate))}` : "";
  const sources = sourcesText(countSources(attempts));
  return `- ${nameOf(planned)} (${formatSeconds(durationMs)}s${several}${sources === "" ? "" : `, ${sources}`})\n`;
}

function nameOf(planned: PlannedCase): string {
  return `${codeName(caseName(planned))} of ${codeName(planned.suite.name)}`;
}

function leftOutNote(counts: readonly (readonly [number, string])[]): string {
  const words = counts.filter(([count]) => count > 0).map(([count, word]) => `${count} ${word}`);
  if (words.length === 0) return "";
  return `Left out, because a comment has room for ${MAX_CHARACTERS} characters only: ${words.join(", ")}.\n`;
}
