// For people: one line per case, the reason under each that did not pass, a live line on a terminal, a summary at the end.
import pc from "picocolors";
import { printable } from "../printable.ts";
import { caseName } from "../plan.ts";
import type { Plan, PlannedCase } from "../plan.ts";
import type { Reporter, Write } from "../reporter.ts";
import type { AttemptResult, CaseResult, Summary } from "../result.ts";
import { formatSeconds } from "./format-seconds.ts";

export interface ConsoleOptions {
  write: Write;
  color: boolean;
  /** A terminal gets a progress line that is rewritten in place. */
  live: boolean;
  /** Width of the terminal; asked again for every line, because windows change. */
  columns?: () => number;
}

const ERASE_LINE = "\r\u001b[2K";

export function consoleReporter({ write, color, live, columns = () => 80 }: ConsoleOptions): Reporter {
  const colors = pc.createColors(color);
  const marks = {
    pass: colors.green("PASS"),
    fail: colors.red("FAIL"),
    unevaluated: colors.yellow("UNEVALUATED"),
  };
  const running = new Set<PlannedCase>();
  let total = 0;
  let done = 0;
  let hasProgress = false;

  function line(text: string): void {
    write(`${hasProgress ? ERASE_LINE : ""}${text}\n`);
    hasProgress = false;
  }

  function progress(): void {
    if (!live || running.size === 0) return;
    const names = [...running]
      .slice(0, 3)
      .map((planned) => printable(caseName(planned)).replaceAll("\n", " "));
    const text = `${done}/${total}  running ${names.join(", ")}${running.size > 3 ? ", …" : ""}`;
    write(`${ERASE_LINE}${colors.dim(text.slice(0, Math.max(10, columns() - 1)))}`);
    hasProgress = true;
  }

  function details({ case: planned, attempts }: CaseResult): void {
    for (const attempt of attempts) {
      if (attempt.outcome === "pass") continue;
      const prefix = attempts.length > 1 ? `run ${attempt.number}: ` : "";
      for (const { text, place } of reasonsOf(attempt, planned.suite.file)) {
        line(indent(`${prefix}${text}`));
        if (place) line(`      ${colors.dim(printable(place))}`);
      }
      if (attempt.runId) line(`      ${colors.dim(`run ${printable(attempt.runId)}`)}`);
    }
  }

  return {
    start(plan: Plan) {
      total = plan.cases.length;
    },
    caseStarted(planned) {
      running.add(planned);
      progress();
    },
    caseEnded(result) {
      running.delete(result.case);
      done += 1;
      const repeats = result.attempts.length > 1 ? `, ${result.attempts.length} runs` : "";
      const time = colors.dim(`(${formatSeconds(result.durationMs)}s${repeats})`);
      line(`${marks[result.outcome]}  ${printable(caseName(result.case)).replaceAll("\n", " ")}  ${time}`);
      if (result.outcome !== "pass") details(result);
      progress();
    },
    end(summary) {
      if (summary.interrupted) line(colors.yellow(`interrupted, ${summary.notRun.length} not run`));
      line("");
      line(summaryLine(summary));
    },
  };
}

function summaryLine({ passed, failed, unevaluated, durationMs }: Summary): string {
  return `${passed} passed, ${failed} failed, ${unevaluated} unevaluated  in ${formatSeconds(durationMs)}s`;
}

function reasonsOf({ reason, checks }: AttemptResult, file: string): { text: string; place?: string }[] {
  const failed = checks.filter(({ verdict }) => verdict.outcome !== "pass");
  return [
    ...(reason === undefined ? [] : [{ text: reason }]),
    ...failed.map(({ type, critical, verdict, line, col }) => ({
      text: `${type}${critical ? " (critical)" : ""}: ${verdict.outcome === "unevaluated" ? "unevaluated: " : ""}${verdict.message}`,
      place: `${file}:${line}:${col}`,
    })),
  ];
}

function indent(text: string): string {
  return printable(text).replace(/^/gm, "    ");
}
