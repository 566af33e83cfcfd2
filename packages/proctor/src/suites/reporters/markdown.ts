// For a comment on a pull request: the summary, a table of what did not pass with the reasons folded away, and the rest
// folded away whole. It fits into a comment whatever the agents said, and nothing they said is more than text.
import { caseName } from "../plan.ts";
import type { PlannedCase } from "../plan.ts";
import { printable } from "../printable.ts";
import type { Reporter, Write } from "../reporter.ts";
import type { CaseResult, Summary } from "../result.ts";
import { formatSeconds } from "./format-seconds.ts";
import { reasonsOf, reasonText } from "./reasons.ts";
import { shorten } from "./shorten.ts";

/** GitHub takes 65,536. */
export const MAX_CHARACTERS = 60_000;
/** For the summary, the heads of the parts and the note; none of it depends on what agents said. */
const RESERVED = 1500;
/** A character takes up to ten when it is escaped: with these limits the worst row still fits. */
const LIMITS = { reasons: 5, characters: 500 };
const NAME_CHARACTERS = 200;

const TABLE = "| | Case | Suite | Time | Why |\n|---|---|---|---|---|\n";

export function markdownReporter({ write }: { write: Write }): Reporter {
  const parts = { fail: createPart(), unevaluated: createPart(), pass: createPart() };
  return {
    start() {},
    caseEnded(result) {
      const part = parts[result.outcome];
      part.add(() => (result.outcome === "pass" ? passedItem(result) : row(result)));
    },
    end(summary) {
      const notRun = createPart();
      for (const planned of summary.notRun) notRun.add(() => `- ${nameOf(planned)}\n`);
      const room = { left: MAX_CHARACTERS - RESERVED };
      const failed = parts.fail.take(room);
      const unevaluated = parts.unevaluated.take(room);
      const stopped = notRun.take(room);
      const passed = parts.pass.take(room);
      const rows = `${failed.text}${unevaluated.text}`;
      const note = leftOutNote([
        [failed.leftOut, "failed"],
        [unevaluated.leftOut, "unevaluated"],
        [stopped.leftOut, "not run"],
        [passed.leftOut, "passed"],
      ]);
      const blocks = [
        summaryLine(summary),
        rows === "" ? "" : `${TABLE}${rows}`,
        folded(`${summary.notRun.length} not run`, stopped.text),
        folded(`${summary.passed} passed`, passed.text),
        note,
      ];
      write(blocks.filter((block) => block !== "").join("\n"));
    },
  };
}

interface Part {
  add(render: () => string): void;
  /** What fits into the room, which is then smaller by that. */
  take(room: { left: number }): { text: string; leftOut: number };
}

/** Keeps no more than could ever be shown. What is left out is the end: nothing is picked. */
function createPart(): Part {
  const items: string[] = [];
  let size = 0;
  let dropped = 0;
  return {
    add(render) {
      const item = dropped === 0 ? render() : "";
      if (dropped > 0 || size + item.length > MAX_CHARACTERS) dropped += 1;
      else {
        items.push(item);
        size += item.length;
      }
    },
    take(room) {
      let text = "";
      for (const [index, item] of items.entries()) {
        if (item.length > room.left) {
          // Less important parts get nothing once this one is cut.
          room.left = 0;
          return { text, leftOut: dropped + items.length - index };
        }
        text += item;
        room.left -= item.length;
      }
      return { text, leftOut: dropped };
    },
  };
}

function summaryLine({ passed, failed, unevaluated, notRun, interrupted, durationMs }: Summary): string {
  const stopped = interrupted ? `, interrupted, ${notRun.length} not run` : "";
  const counts = `${passed} passed, ${failed} failed, ${unevaluated} unevaluated`;
  return `**${counts}** in ${formatSeconds(durationMs)}s${stopped}\n`;
}

function row(result: CaseResult): string {
  const { suite } = result.case;
  const { reasons, leftOut } = reasonsOf(result, LIMITS);
  const said = reasons.map((reason) => {
    const word = reason.outcome === "unevaluated" ? "unevaluated: " : "";
    const place = `${name(suite.file)}, line ${reason.line}, column ${reason.col}`;
    return `${code(`${word}${reasonText(reason, result)}`)}<br>${place}`;
  });
  if (leftOut > 0) said.push(`and ${leftOut} more`);
  const count = reasons.length + leftOut;
  const why = `<details><summary>${count} ${count === 1 ? "reason" : "reasons"}</summary>${said.join("<br>")}</details>`;
  const mark = result.outcome === "fail" ? "**failed**" : "unevaluated";
  const cells = [
    mark,
    name(caseName(result.case)),
    name(suite.name),
    `${formatSeconds(result.durationMs)}s`,
    why,
  ];
  return `| ${cells.join(" | ")} |\n`;
}

function passedItem({ case: planned, durationMs }: CaseResult): string {
  return `- ${nameOf(planned)} (${formatSeconds(durationMs)}s)\n`;
}

function nameOf(planned: PlannedCase): string {
  return `${name(caseName(planned))} of ${name(planned.suite.name)}`;
}

/** The blank line lets Markdown be Markdown inside HTML. */
function folded(title: string, text: string): string {
  return text === "" ? "" : `<details><summary>${title}</summary>\n\n${text}\n</details>\n`;
}

function leftOutNote(counts: readonly (readonly [number, string])[]): string {
  const words = counts.filter(([count]) => count > 0).map(([count, word]) => `${count} ${word}`);
  if (words.length === 0) return "";
  return `Left out, because a comment has room for ${MAX_CHARACTERS} characters only: ${words.join(", ")}.\n`;
}

function name(text: string): string {
  return code(shorten(text, NAME_CHARACTERS));
}

/** As code, in HTML: there GitHub makes no mentions, references or links of words, and entities are never syntax. */
function code(text: string): string {
  return `<code>${escapeMarkdown(text)}</code>`;
}

export function escapeMarkdown(text: string): string {
  return printable(text.toWellFormed())
    .replaceAll(/[&<>`*_~|[\]#:@$\\]/g, (char) => `&#${char.charCodeAt(0)};`)
    .replaceAll(/www(?=\.)/gi, (word) => `&#${word.charCodeAt(0)};${word.slice(1)}`)
    .replaceAll("\t", " ")
    .replaceAll("\n", "<br>");
}
