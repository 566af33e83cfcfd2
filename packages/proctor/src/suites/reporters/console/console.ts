// For people. On a terminal: live progress at the bottom, what did not pass as it comes, a summary. In a pipe: a plain line
// per case. Keeps of the cases only what the summary shows.
import pc from "picocolors";
import { caseName } from "../../plan.ts";
import type { Plan } from "../../plan.ts";
import type { Reporter, Write } from "../../reporter.ts";
import type { CaseResult, Summary } from "../../result.ts";
import { formatCount } from "../amounts.ts";
import { isFlaky } from "../summary-words.ts";
import { caseLines } from "./case-lines.ts";
import { createCaseRows } from "./case-rows.ts";
import { caseTable } from "./case-table.ts";
import { lineOf } from "./line-of.ts";
import { createLiveBlock, type LiveBlock } from "./live-block.ts";
import { createNamedCases } from "./named-cases.ts";
import { createNamedNotes } from "./named-notes.ts";
import { createProgress, type Progress } from "./progress.ts";
import { progressLines } from "./progress-lines.ts";
import { summaryLines } from "./summary-lines.ts";

export interface ConsoleOptions {
  write: Write;
  color: boolean;
  /** Whether progress is redrawn in place, as on a terminal. */
  live: boolean;
  /** Width of the terminal; asked again for every redraw, because windows change. */
  columns?: () => number;
  now?: () => number;
}

export interface ConsoleReporter extends Reporter {
  /** Restores the terminal, even if the suite never came to its end. */
  close(): void;
}

/** Most rows of the table. On a terminal, a longer plan prints only the cases that did not simply pass. */
const MAX_ROWS = 50;
const DEFAULT_COLUMNS = 80;
const MIN_COLUMNS = 10;

export function consoleReporter(options: ConsoleOptions): ConsoleReporter {
  const { write, color, live, now = Date.now } = options;
  // Some terminals do not know, and say 0.
  const columns = (): number => Math.max(MIN_COLUMNS, options.columns?.() || DEFAULT_COLUMNS);
  const colors = pc.createColors(color);
  const rows = createCaseRows(MAX_ROWS);
  const flaky = createNamedCases();
  const inconclusive = createNamedCases();
  const notes = createNamedNotes();
  let progress: Progress | undefined;
  let block: LiveBlock | undefined;
  let quiet = false;
  let severalRuns = false;
  let severalAgents = false;

  function print(lines: readonly string[]): void {
    const text = lines.map((line) => `${line}\n`).join("");
    if (block === undefined) write(text);
    else block.print(text);
  }

  function note(result: CaseResult): void {
    const { statistics, gate, attempts } = result;
    const name = lineOf(caseName(result.case));
    rows.add(result);
    for (const attempt of attempts) notes.add(attempt);
    severalRuns ||= attempts.length > 1;
    if (isFlaky(result)) flaky.add(`${name} ${statistics.passed}/${statistics.runs}`);
    if (gate?.decision === "inconclusive") {
      const more = gate.more_runs;
      inconclusive.add(more == null ? name : `${name} needs about ${formatCount(more)} more runs`);
    }
  }

  return {
    start(plan) {
      severalAgents = isOnSeveralAgents(plan);
      if (!live) return;
      quiet = plan.cases.length > MAX_ROWS;
      const started = createProgress(plan, now);
      progress = started;
      block = createLiveBlock({
        write,
        columns,
        render: () => progressLines(started.state(), colors, columns()),
      });
    },
    caseStarted(planned) {
      progress?.caseStarted(planned);
    },
    attemptEnded(planned, attempt) {
      progress?.attemptEnded(planned, attempt);
    },
    caseEnded(result) {
      progress?.caseEnded(result);
      note(result);
      if (!quiet || result.outcome !== "pass") print(caseLines(result, colors, live ? columns() : undefined));
    },
    end(summary: Summary) {
      block?.close();
      block = undefined;
      const noted = {
        flaky: flaky.text(),
        inconclusive: inconclusive.text(),
        severalRuns,
        notes: notes.lines(),
      };
      const withTable = severalRuns || severalAgents || summary.stopped !== undefined;
      const table = withTable ? caseTable(rows, colors, live ? columns() : undefined) : [];
      const said = summaryLines(summary, noted, colors);
      // Nothing but the counts: they bring their own empty line.
      const gap = table.length > 0 && said[0] !== "" ? [""] : [];
      print([...(table.length > 0 || said[0] !== "" ? [""] : []), ...table, ...gap, ...said]);
    },
    close() {
      block?.close();
      block = undefined;
    },
  };
}

function isOnSeveralAgents({ cases }: Plan): boolean {
  return new Set(cases.map(({ test }) => test)).size < cases.length;
}
