// How a trial of rules is shown: a line for each as it is decided, what to do about those that are not kept, and the sum.
import { baselineWords, type Baseline, type BaselineFinding } from "../../../conformance/compare-baseline.ts";
import type { ConformDocument, ConformRule, ConformSummary } from "../../../conformance/document.ts";
import type { Grade } from "../../../conformance/grade.ts";
import { detailsOf, labelled, roleWords } from "../../../conformance/reports/report.ts";
import type { CliIo } from "../../cli-io.ts";
import { formatDuration, plural } from "../../terminal/amounts.ts";
import { createLiveLine } from "../../terminal/live-line.ts";
import type { Paint } from "../../terminal/paint.ts";
import { frameAt } from "../../terminal/progress-line.ts";
import { createScreen, type Screen } from "../../terminal/screen.ts";
import { manyLines, oneLine, padEnd, textWidth, truncate, wrap } from "../../terminal/text.ts";

interface ConformReport {
  add(rule: ConformRule): void;
  /** Removes the live line. */
  stop(): void;
  finish(document: ConformDocument): void;
}

interface ReportOptions {
  agent: string;
  transport: string;
  /** True when stdout is for a document. Progress is then shown on stderr, and only on a terminal. */
  quiet: boolean;
  /** Characters of the longest rule name. */
  idWidth: number;
  baseline?: Baseline;
}

const INDENT = "    ";
/** Columns below which a title is cut instead of wrapped. */
const MIN_TITLE_COLUMNS = 24;

export function createConformReport(io: CliIo, options: ReportOptions): ConformReport {
  const { agent, transport, quiet } = options;
  const output = quiet ? io.stderr : io.stdout;
  const screen = createScreen(io, output);
  const startedAt = Date.now();
  const counts = { tried: 0, failed: 0 };
  let lastSeen: string | undefined;
  const live = createLiveLine(output, () => {
    const elapsedMs = Date.now() - startedAt;
    const text = `${plural(counts.tried, "rule")} tried, ${counts.failed} failed · ${formatDuration(elapsedMs)} · Ctrl-C stops`;
    return `${screen.paint.cyan(frameAt(elapsedMs))} ${screen.paint.dim(truncate(text, (screen.width ?? 80) - 3))}`;
  });

  function printHeading(): void {
    const [before, behind] = ["conformance of ", ` ${roleWords({ transport })}`];
    const room = (screen.width ?? Infinity) - before.length - behind.length;
    live.print(screen.paint.bold(`${before}${truncate(oneLine(agent), room)}${behind}`));
  }

  return {
    add(rule) {
      if (counts.tried === 0 && !quiet) printHeading();
      counts.tried++;
      if (rule.grade === "failed") counts.failed++;
      if (quiet) return;
      for (const line of renderRule(rule, screen, options)) live.print(line);
      // An agent that cannot be reached gives the same reason for every rule: once is enough.
      const { reason, disputed, expected, got } = rule;
      const seen = JSON.stringify([reason, disputed, expected, got]);
      if (seen === lastSeen || detailsOf(rule).length === 0) return;
      lastSeen = seen;
      for (const line of renderDetails(rule, screen)) live.print(line);
    },
    stop: () => live.stop(),
    finish({ summary, baseline }) {
      if (quiet) return;
      screen.print("", renderSummary(summary, screen.paint));
      if (baseline) screen.print(...renderBaseline(baseline, screen));
    },
  };
}

const OUR_OWN = "Proctor's own";

/** Renders a rule on one line, with its section if there is room for it. A rule that is not kept is shown with its whole title. */
function renderRule(
  rule: ConformRule,
  { paint, width }: Screen,
  { idWidth, baseline }: ReportOptions,
): string[] {
  const { id, title, grade, outcome, section = OUR_OWN } = rule;
  const icons: Record<Grade, string> = {
    passed: paint.green("✓"),
    failed: paint.red("✗"),
    warning: paint.yellow("!"),
    advice: paint.cyan("·"),
    disputed: paint.cyan("?"),
    unevaluated: paint.dim("○"),
    no_occasion: paint.dim("○"),
  };
  const known = grade === "failed" && baseline?.outcomes.get(id) === "fail" ? "  known" : "";
  const room = width === undefined ? Infinity : width - idWidth - 4;
  const [words = "", ...more] =
    outcome === "pass" || room < MIN_TITLE_COLUMNS ? [truncate(title, room)] : wrap(title, room);
  const behind = `  ${section}${known}`;
  const place = more.length === 0 && textWidth(words) + textWidth(behind) <= room ? behind : "";
  return [
    `${icons[grade]} ${padEnd(id, idWidth)}  ${words}${place && paint.dim(place)}`,
    ...more.map((line) => `${" ".repeat(idWidth + 4)}${line}`),
  ];
}

/** Renders what was seen in plain colour and the rest dim. In a pipe nothing is cut or wrapped. */
function renderDetails(rule: ConformRule, { paint, width = Infinity }: Screen): string[] {
  return detailsOf(rule).flatMap((detail) => {
    const lines = manyLines(labelled(detail))
      .split("\n")
      .flatMap((text) => wrap(text, width - INDENT.length));
    const isDim = detail.kind === "reproduce" || detail.kind === "advice";
    return lines.map((line) => (isDim ? paint.dim(`${INDENT}${line}`) : `${INDENT}${line}`));
  });
}

function renderSummary(
  { passed, failed, warnings, advice, disputed, unevaluated, duration_ms }: ConformSummary,
  paint: Paint,
): string {
  const parts = [
    paint.green(`${passed} passed`),
    failed > 0 ? paint.red(`${failed} failed`) : "0 failed",
    ...(warnings > 0 ? [paint.yellow(plural(warnings, "warning"))] : []),
    ...(advice > 0 ? [paint.cyan(`${advice} advice`)] : []),
    ...(disputed > 0 ? [paint.cyan(`${disputed} disputed`)] : []),
    `${unevaluated} unevaluated`,
  ];
  return `${parts.join(", ")}  ${paint.dim(`in ${formatDuration(duration_ms)}`)}`;
}

/** The rules that a reader has to look at stand below the counts. */
function renderBaseline(baseline: BaselineFinding, { paint, width = Infinity }: Screen): string[] {
  const { file, outcome, new: worse } = baseline;
  const colour = { pass: paint.green, fail: paint.red, unevaluated: paint.yellow }[outcome];
  return [
    ...wrap(`since ${oneLine(file)}: ${baselineWords(baseline)}`, width).map((line) => colour(line)),
    ...worse.map((id) => truncate(`${INDENT}new: ${id}`, width)),
  ];
}
