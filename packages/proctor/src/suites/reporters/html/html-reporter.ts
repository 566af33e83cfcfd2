// For people: one HTML file with everything in it, to be sent, kept and opened anywhere. Cases are packed away as they end, and
// written once, at the end.
import type { CaseChange, Comparison } from "../../compare/comparison.ts";
import type { Plan, PlannedCase } from "../../plan.ts";
import type { Reporter, Write } from "../../reporter.ts";
import type { RunTotals, Summary } from "../../result.ts";
import { MAX_COUNT } from "../../statistics/argument-rules.ts";
import { wilson } from "../../statistics/wilson.ts";
import { caseDetail } from "./case-detail.ts";
import { skippedText } from "../summary-words.ts";
import { caseRow, notRunRow } from "./case-row.ts";
import { createChunkSpool } from "./chunk-spool.ts";
import { writeDocument } from "./document.ts";
import type { CaseRow, ComparedCase, Rate, ReportData } from "./report-data.ts";
import { createWords } from "./words.ts";

interface HtmlReporterOptions {
  write: Write;
  now?: () => Date;
  /** Folder for packed cases; the system's folder for temporary files when absent. */
  temporaryFolder?: string;
}

const CONFIDENCE = 0.95;

export function htmlReporter({
  write,
  now = () => new Date(),
  temporaryFolder,
}: HtmlReporterOptions): Reporter & { close(): void } {
  const words = { suites: createWords(), agents: createWords(), tags: createWords() };
  const spool = createChunkSpool(temporaryFolder);
  /** Rows as JSON, by place in the plan. */
  const rows: string[] = [];
  /** Places of the rows, by the key under which a comparison finds a case. */
  const places = new Map<string, number>();
  let plan: Plan = { suites: [], cases: [] };
  let order = new Map<PlannedCase, number>();
  let startedAt = "";

  function put(planned: PlannedCase, row: CaseRow): void {
    const { suite, test, agent } = planned;
    const at = order.get(planned) ?? rows.length;
    rows[at] = JSON.stringify(row);
    places.set(keyOf(suite.name, test.id, agent.label), at);
  }

  function finish(summary: Summary): void {
    for (const planned of summary.notRun) put(planned, notRunRow(planned, words));
    // A plan that was cut short may have holes; the page knows rows by place.
    const there = rows.flatMap((row, at) => (row === undefined ? [] : [{ row, at }]));
    const moved = new Map(there.map(({ at }, place) => [at, place]));
    const compared = summary.comparison && compare(summary.comparison, places, moved);
    const changes = new Map(compared?.map(({ row, change }) => [row, change]));
    const texts = there.map(({ row }, place) => withChange(row, changes.get(place)));
    const data = reportData(summary, compared);
    writeDocument(write, data, texts, spool.chunks());
  }

  function reportData(summary: Summary, compared: ComparedCase[] | undefined): Omit<ReportData, "rows"> {
    const { comparison, contests = [], runs, total, passed, failed, unevaluated, notRun } = summary;
    return {
      suites: words.suites.list(),
      agents: words.agents.list(),
      tags: words.tags.list(),
      started_at: startedAt,
      duration_ms: summary.durationMs,
      counts: { total, passed, failed, unevaluated, not_run: notRun.length },
      skipped: skippedText(summary) ?? null,
      totals: runs,
      pass_rate: passRate(runs),
      stopped: summary.stopped ?? (summary.interrupted ? "interrupted" : null),
      differential: plan.differential === true,
      contests,
      comparison:
        comparison && compared
          ? { ...comparison, cases: spool.add(JSON.stringify(compared)), changes: countChanges(compared) }
          : null,
    };
  }

  return {
    evidence: true,
    start(planned) {
      plan = planned;
      order = new Map(planned.cases.map((one, at) => [one, at]));
      startedAt = now().toISOString();
    },
    caseEnded(result) {
      put(result.case, caseRow(result, words, spool.add(caseDetail(result))));
    },
    end(summary) {
      try {
        finish(summary);
      } finally {
        spool.close();
      }
    },
    /** Removes the temporary file when the suite ends without `end`. */
    close: () => spool.close(),
  };
}

function keyOf(suite: string, test: string, agent: string): string {
  return JSON.stringify([suite, test, agent]);
}

function compare(
  { cases }: Comparison,
  places: ReadonlyMap<string, number>,
  moved: ReadonlyMap<number, number>,
): ComparedCase[] {
  return cases.map((one) => {
    const at = places.get(keyOf(one.suite, one.test_id, one.agent));
    return { ...one, row: at === undefined ? null : (moved.get(at) ?? null) };
  });
}

/** The row is a JSON object that is not empty. */
function withChange(row: string, change: CaseChange | undefined): string {
  return change === undefined ? row : `${row.slice(0, -1)},"change":${JSON.stringify(change)}}`;
}

function countChanges(compared: readonly ComparedCase[]): Record<CaseChange, number> {
  const counts = { regressed: 0, improved: 0, unchanged: 0, undecided: 0, new: 0, missing: 0 };
  for (const { change } of compared) counts[change] += 1;
  return counts;
}

function passRate({ passed, failed }: RunTotals): Rate | null {
  const total = passed + failed;
  if (total === 0) return null;
  const value = passed / total;
  // Beyond a million runs the statistics refuse counts; the interval is a point by then.
  const interval = total > MAX_COUNT ? { low: value, high: value } : wilson(passed, total, CONFIDENCE);
  return { value, ...interval, confidence: CONFIDENCE };
}
