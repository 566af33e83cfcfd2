// The progress as two lines that fit the terminal: a bar with the counts, and what is running. What matters least goes
// first when the window is narrow.
import type { createColors } from "picocolors";
import { textWidth, truncate } from "../columns.ts";
import { caseName } from "../../plan.ts";
import { formatCost, formatCount, formatLongTime, plural } from "../amounts.ts";
import { lineOf } from "./line-of.ts";
import type { ProgressState } from "./progress.ts";

export type Colors = ReturnType<typeof createColors>;

interface ProgressLine {
  plain: string;
  painted: string;
}

interface Segment {
  text: string;
  paint: (text: string) => string;
  /** Those with a higher number are left out first. */
  rank: number;
}

const BAR_COLUMNS = 24;
const MIN_BAR_COLUMNS = 8;
const MIN_ROOM_WITH_BAR = 40;
const GAP = " · ";
/** Number of names, more than which fit on no screen. */
const NAMES = 20;
const NAME_COLUMNS = 40;

export function progressLines(state: ProgressState, colors: Colors, columns: number): ProgressLine[] {
  // One column stays free: some terminals wrap a line that is exactly full.
  const room = Math.max(1, columns - 1);
  return [barLine(state, colors, room), runningLine(state, colors, room)].filter(({ plain }) => plain !== "");
}

function barLine(state: ProgressState, colors: Colors, room: number): ProgressLine {
  const done = state.cases.pass + state.cases.fail + state.cases.unevaluated;
  // The bar says more at a glance than the last of the figures.
  const beside = room >= MIN_ROOM_WITH_BAR ? room - MIN_BAR_COLUMNS - 2 : room;
  const segments = fit(segmentsOf(state, done, colors), beside);
  const plain = segments.map(({ text }) => text).join(GAP);
  const painted = segments.map(({ text, paint }) => paint(text)).join(colors.dim(GAP));
  const barColumns = Math.min(BAR_COLUMNS, room - textWidth(plain) - 2);
  if (barColumns < MIN_BAR_COLUMNS) return { plain, painted };
  const full = state.total === 0 ? 0 : Math.floor((barColumns * done) / state.total);
  const [filled, empty] = ["━".repeat(full), "─".repeat(barColumns - full)];
  const paintBar = state.cases.fail > 0 ? colors.red : colors.green;
  return {
    plain: `${filled}${empty}  ${plain}`,
    painted: `${paintBar(filled)}${colors.dim(empty)}  ${painted}`,
  };
}

function segmentsOf(state: ProgressState, done: number, colors: Colors): Segment[] {
  const { cases, total, runs, failedRuns, runsPerSecond, remainingMs, costUsd, elapsedMs } = state;
  const same = (text: string): string => text;
  const rate = runsPerSecond >= 10 ? formatCount(runsPerSecond) : runsPerSecond.toFixed(1);
  const failing = failedRuns > cases.fail ? ` (${formatCount(failedRuns)} failed)` : "";
  const all: (Segment | false)[] = [
    { text: `${formatCount(done)}/${formatCount(total)}`, paint: colors.bold, rank: 0 },
    { text: `${formatCount(cases.pass)} passed`, paint: colors.green, rank: 3 },
    cases.fail > 0 && { text: `${formatCount(cases.fail)} failed`, paint: colors.red, rank: 1 },
    cases.unevaluated > 0 && {
      text: `${formatCount(cases.unevaluated)} unevaluated`,
      paint: colors.yellow,
      rank: 4,
    },
    runs > done && { text: `${plural(runs, "run")}${failing}`, paint: same, rank: 6 },
    runsPerSecond > 0 && { text: `${rate} runs/s`, paint: colors.dim, rank: 7 },
    costUsd > 0 && { text: formatCost(costUsd), paint: colors.dim, rank: 5 },
    { text: formatLongTime(elapsedMs), paint: colors.dim, rank: 8 },
    remainingMs !== undefined &&
      done < total && { text: `ETA ${formatLongTime(remainingMs)}`, paint: colors.dim, rank: 2 },
  ];
  return all.filter((segment) => segment !== false);
}

function fit(segments: readonly Segment[], room: number): Segment[] {
  const kept = [...segments];
  const width = (): number => textWidth(kept.map(({ text }) => text).join(GAP));
  while (kept.length > 1 && width() > room) {
    const last = Math.max(...kept.map(({ rank }) => rank));
    kept.splice(
      kept.findIndex(({ rank }) => rank === last),
      1,
    );
  }
  return kept.map((segment) => ({ ...segment, text: truncate(segment.text, room) }));
}

function runningLine({ running, runningCount }: ProgressState, colors: Colors, room: number): ProgressLine {
  if (runningCount === 0) return { plain: "", painted: "" };
  let line = "running";
  let named = 0;
  for (const planned of running) {
    const name = truncate(lineOf(caseName(planned)), NAME_COLUMNS);
    const longer = `${line}${named === 0 ? " " : ", "}${name}`;
    const more = runningCount > named + 1 ? `, … ${formatCount(runningCount - named - 1)} more` : "";
    if (named > 0 && (named >= NAMES || textWidth(longer + more) > room)) break;
    line = longer;
    named += 1;
  }
  const more = runningCount > named ? `, … ${formatCount(runningCount - named)} more` : "";
  const plain = truncate(`${line}${more}`, room);
  return { plain, painted: colors.dim(plain) };
}
