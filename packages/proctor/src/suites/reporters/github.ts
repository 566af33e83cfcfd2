// Workflow commands of GitHub Actions: what did not pass becomes an annotation at its place in the suite.
import { caseName } from "../plan.ts";
import { printable } from "../../core/printable.ts";
import type { Reporter, Write } from "../reporter.ts";
import { comparisonWords } from "./comparison-words.ts";
import { reasonsOf, reasonText } from "./reasons.ts";
import { shorten } from "../../core/shorten.ts";
import { contestText, skippedText, stoppedText } from "./summary-words.ts";

/** GitHub shows ten errors and ten warnings of a step, and 64 KB of each; more would only fill the log. */
const LIMITS = { reasons: 10, characters: 4000 };
const TITLE_CHARACTERS = 200;
/** As long as a path can be. */
const FILE_CHARACTERS = 4096;
const MAX_FINDINGS = 20;
const MAX_CONTESTS = 10;

export function githubReporter({ write }: { write: Write }): Reporter {
  function annotate(
    level: "error" | "warning" | "notice",
    properties: Record<string, string | number>,
    message: string,
  ): void {
    const list = Object.entries(properties).map(([key, value]) => `${key}=${escapeProperty(`${value}`)}`);
    write(`::${level} ${list.join(",")}::${escapeData(message)}\n`);
  }

  return {
    start() {},
    caseEnded(result) {
      if (result.outcome === "pass") return;
      const title = shorten(caseName(result.case), TITLE_CHARACTERS);
      const { reasons, leftOut } = reasonsOf(result, LIMITS);
      for (const [index, reason] of reasons.entries()) {
        const { outcome, file, line, col } = reason;
        const more = leftOut > 0 && index === reasons.length - 1 ? `\nand ${leftOut} more` : "";
        const level = outcome === "fail" ? "error" : "warning";
        annotate(
          level,
          { file: shorten(file, FILE_CHARACTERS), line, col, title },
          `${[reasonText(reason, result), ...(reason.said ?? [])].join("\n")}${more}`,
        );
      }
    },
    end(summary) {
      const { contests = [], comparison } = summary;
      for (const contest of contests.slice(0, MAX_CONTESTS)) {
        annotate("notice", { title: "contest" }, shorten(contestText(contest), LIMITS.characters));
      }
      if (comparison !== undefined) {
        const { title, counts, findings } = comparisonWords(comparison, MAX_FINDINGS);
        const text = [counts, ...findings.map((finding) => `${finding.arrow} ${finding.text}`)].join("\n");
        const level = ({ fail: "error", unevaluated: "warning", pass: "notice" } as const)[
          comparison.outcome
        ];
        annotate(level, { title: shorten(title, TITLE_CHARACTERS) }, shorten(text, LIMITS.characters));
      }
      const skipped = skippedText(summary);
      if (skipped !== undefined)
        annotate("notice", { title: "skipped" }, shorten(skipped, LIMITS.characters));
      const stopped = stoppedText(summary);
      if (stopped !== undefined) annotate("warning", { title: "not everything was run" }, stopped);
    },
  };
}

/** As documented for the message of a command. Other control characters are made visible. */
export function escapeData(text: string): string {
  return printable(text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A"));
}

/** As documented for the values of its properties. */
export function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
