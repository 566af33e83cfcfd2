// How a trial of rules is shown: a line for each as it is decided, what to do about those that failed, and the sum.
import type { RuleResult } from "../../../conformance/conformance.ts";
import type { CliIo } from "../../cli-io.ts";
import { formatDuration, plural } from "../../terminal/amounts.ts";
import { createLiveLine } from "../../terminal/live-line.ts";
import type { Paint } from "../../terminal/paint.ts";
import { frameAt } from "../../terminal/progress-line.ts";
import { createScreen } from "../../terminal/screen.ts";
import { manyLines, oneLine, padEnd, textWidth, truncate, wrap } from "../../terminal/text.ts";

interface ConformSummary {
  passed: number;
  failed: number;
  /** Number of broken rules that are only a `should`. 0 when strict. */
  warnings: number;
  /** Number of broken rules that are Proctor's own, or a `may`. */
  advice: number;
  /** Number of broken rules that are disputed. */
  disputed: number;
  /** Number of the document's rules for which there was no occasion. */
  unevaluated: number;
  duration_ms: number;
}

interface ConformReport {
  add(result: RuleResult): void;
  /** Removes the live line. */
  stop(): void;
  finish(summary: ConformSummary): void;
}

interface ReportOptions {
  agent: string;
  transport: string;
  /** True when stdout is for JSON. Progress is then shown on stderr, and only on a terminal. */
  json: boolean;
  strict: boolean;
  /** Characters of the longest rule name. */
  idWidth: number;
}

const INDENT = "    ";
/** Columns below which a title is cut instead of wrapped. */
const MIN_TITLE_COLUMNS = 24;

export function createConformReport(io: CliIo, options: ReportOptions): ConformReport {
  const { agent, transport, json, strict } = options;
  const output = json ? io.stderr : io.stdout;
  const screen = createScreen(io, output);
  const startedAt = Date.now();
  const counts = { tried: 0, failed: 0 };
  let lastReason: string | undefined;
  const live = createLiveLine(output, () => {
    const elapsedMs = Date.now() - startedAt;
    const text = `${plural(counts.tried, "rule")} tried, ${counts.failed} failed · ${formatDuration(elapsedMs)} · Ctrl-C stops`;
    return `${screen.paint.cyan(frameAt(elapsedMs))} ${screen.paint.dim(truncate(text, (screen.width ?? 80) - 3))}`;
  });

  function printHeading(): void {
    const [before, behind] = ["conformance of ", ` over ${transport}`];
    const room = (screen.width ?? Infinity) - before.length - behind.length;
    live.print(screen.paint.bold(`${before}${truncate(oneLine(agent), room)}${behind}`));
  }

  return {
    add(result) {
      if (counts.tried === 0 && !json) printHeading();
      counts.tried++;
      if (gradeOf(result, strict) === "failed") counts.failed++;
      if (json) return;
      for (const line of renderRule(result, screen.paint, screen.width, options)) live.print(line);
      // An agent that cannot be reached gives the same reason for every rule: once is enough.
      const { reason } = result;
      if (reason === undefined || reason === lastReason) return;
      lastReason = reason;
      const room = (screen.width ?? Infinity) - INDENT.length;
      const [seen = "", ...advice] = manyLines(reason).split("\n");
      for (const line of wrap(seen, room)) live.print(`${INDENT}${line}`);
      for (const line of advice.flatMap((text) => wrap(text, room)))
        live.print(screen.paint.dim(`${INDENT}${line}`));
    },
    stop: () => live.stop(),
    finish(summary) {
      if (!json) screen.print("", renderSummary(summary, screen.paint));
    },
  };
}

type Grade = "passed" | "failed" | "warnings" | "advice" | "disputed" | "unevaluated";

/** Only rules of the document that nobody disputes decide the verdict. */
function gradeOf({ outcome, rule: { level, owner, disputed } }: RuleResult, strict: boolean): Grade {
  switch (outcome) {
    case "pass":
      return "passed";
    case "unevaluated":
      return "unevaluated";
    case "fail":
      if (disputed !== undefined) return "disputed";
      if (owner === "proctor" || level === "may") return "advice";
      return level === "should" && !strict ? "warnings" : "failed";
  }
}

export function summarise(
  results: readonly RuleResult[],
  strict: boolean,
  durationMs: number,
): ConformSummary {
  const summary = {
    passed: 0,
    failed: 0,
    warnings: 0,
    advice: 0,
    disputed: 0,
    unevaluated: 0,
    duration_ms: Math.round(durationMs),
  };
  for (const result of results) {
    const grade = gradeOf(result, strict);
    if (grade !== "unevaluated" || decides(result.rule)) summary[grade]++;
  }
  return summary;
}

/** Whether it matters to the verdict that there was no occasion for a rule. */
function decides({ owner, level, disputed }: RuleResult["rule"]): boolean {
  return owner === "document" && level !== "may" && disputed === undefined;
}

/** Returns the exit code. */
export function outcomeOf({ failed, unevaluated }: ConformSummary): number {
  if (failed > 0) return 1;
  return unevaluated > 0 ? 3 : 0;
}

const OUR_OWN = "Proctor's own";

/** One line, where the section stands if there is room for it; a rule that is not kept is shown with its whole title. */
function renderRule(
  result: RuleResult,
  paint: Paint,
  width: number | undefined,
  { strict, idWidth }: ReportOptions,
): string[] {
  const { id, title, section = OUR_OWN } = result.rule;
  const icons: Record<Grade, string> = {
    passed: paint.green("✓"),
    failed: paint.red("✗"),
    warnings: paint.yellow("!"),
    advice: paint.cyan("·"),
    disputed: paint.cyan("?"),
    unevaluated: paint.dim("○"),
  };
  const room = width === undefined ? Infinity : width - idWidth - 4;
  const [words = "", ...more] =
    result.outcome === "pass" || room < MIN_TITLE_COLUMNS ? [truncate(title, room)] : wrap(title, room);
  const place = more.length === 0 && textWidth(words) + 2 + section.length <= room ? `  ${section}` : "";
  return [
    `${icons[gradeOf(result, strict)]} ${padEnd(id, idWidth)}  ${words}${place && paint.dim(place)}`,
    ...more.map((line) => `${" ".repeat(idWidth + 4)}${line}`),
  ];
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
