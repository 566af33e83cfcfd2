// Workflow commands of GitHub Actions: what did not pass becomes an annotation at its place in the suite.
import { caseName } from "../plan.ts";
import { printable } from "../printable.ts";
import type { Reporter, Write } from "../reporter.ts";
import { reasonsOf, reasonText } from "./reasons.ts";
import { shorten } from "./shorten.ts";

/** GitHub shows ten errors and ten warnings of a step, and 64 KB of each; more would only fill the log. */
const LIMITS = { reasons: 10, characters: 4000 };
const TITLE_CHARACTERS = 200;

export function githubReporter({ write }: { write: Write }): Reporter {
  function annotate(
    level: "error" | "warning",
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
      const { file } = result.case.suite;
      const title = shorten(caseName(result.case), TITLE_CHARACTERS);
      const { reasons, leftOut } = reasonsOf(result, LIMITS);
      for (const [index, reason] of reasons.entries()) {
        const { outcome, line, col } = reason;
        const more = leftOut > 0 && index === reasons.length - 1 ? `\nand ${leftOut} more` : "";
        const level = outcome === "fail" ? "error" : "warning";
        annotate(level, { file, line, col, title }, `${reasonText(reason, result)}${more}`);
      }
    },
    end({ notRun, interrupted }) {
      if (!interrupted && notRun.length === 0) return;
      annotate("warning", { title: "interrupted" }, `interrupted, ${notRun.length} not run`);
    },
  };
}

/** As documented for the message of a command. Other control characters are for nobody's log. */
export function escapeData(text: string): string {
  return printable(text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A"));
}

/** As documented for the values of its properties. */
export function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
