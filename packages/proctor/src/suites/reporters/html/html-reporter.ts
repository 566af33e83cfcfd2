// For people: one HTML file with everything in it, to be sent, kept and opened anywhere. Cases are packed away as they end, and
// written once, at the end.
import type { CaseChange, Comparison } from "../../../core/comparison.ts";
import type { Evaluation } from "../../../core/evaluation.ts";
import { caseId } from "../../evaluations/case-id.ts";
import { comparisonOverall, comparisonRecord, namesOf } from "../../evaluations/case-record.ts";
import { planRecord } from "../../evaluations/plan-record.ts";
import type { Plan, PlannedCase } from "../../plan.ts";
import type { Reporter, Write } from "../../reporter.ts";
import type { RunTotals, Summary } from "../../result.ts";
import { MAX_COUNT } from "../../statistics/argument-rules.ts";
import { wilson } from "../../statistics/wilson.ts";
import { skippedText } from "../summary-words.ts";
import { caseRow, notRunRow } from "./case-row.ts";
import { createChunkSpool } from "./chunk-spool.ts";
import { writeDocument } from "./document.ts";
import { packCase } from "./pack-case.ts";
import { readPageFiles } from "./page-files.ts";
import type {
  CaseRow,
  ComparedCase,
  MoreOfEvaluation,
  PackedComparison,
  Place,
  Rate,
} from "./report-documents.ts";
import { createWords } from "./words.ts";

interface HtmlReporterOptions {
  write: Write;
  now?: () => Date;
  /** Folder for packed cases; the system's folder for temporary files when absent. */
  temporaryFolder?: string;
  /** The exit code of the command that reports; it also depends on a baseline. */
  exitCode?: (summary: Summary) => number;
}

const CONFIDENCE = 0.95;
/** The id of the one evaluation that a report has. Short, because it stands in every link. */
const REPORT = "report";

export function htmlReporter({
  write,
  now = () => new Date(),
  temporaryFolder,
  exitCode,
}: HtmlReporterOptions): Reporter & { close(): void } {
  // Missing page files are reported before anything is run.
  const page = readPageFiles();
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
    const at = placeOf(planned);
    rows[at] = JSON.stringify(row);
    places.set(keyOf(namesOf(planned)), at);
  }

  /** Cases that the plan does not have come last. */
  function placeOf(planned: PlannedCase): number {
    return order.get(planned) ?? rows.length;
  }

  /** The id that the hub would give the case; two suites may have the same name, and tests with the same id. */
  function idOf(planned: PlannedCase): string {
    const names = namesOf(planned);
    return places.has(keyOf(names)) ? `${caseId(names)}-${placeOf(planned)}` : caseId(names);
  }

  function finish(summary: Summary): void {
    for (const planned of summary.notRun) put(planned, notRunRow(planned, words, idOf(planned)));
    // A plan that was cut short may have holes; the page knows rows by place.
    const there = rows.flatMap((row, at) => (row === undefined ? [] : [{ row, at }]));
    const moved = new Map(there.map(({ at }, place) => [at, place]));
    const compared = summary.comparison && compare(summary.comparison, places, moved);
    const changes = new Map(compared?.map(({ row, change }) => [row, change]));
    const texts = there.map(({ row }, place) => withChange(row, changes.get(place)));
    const comparison = packComparison(summary, compared);
    const head = {
      evaluation: evaluationOf(summary),
      more: moreOf(summary),
      suites: words.suites.list(),
      agents: words.agents.list(),
      tags: words.tags.list(),
      comparison,
    };
    writeDocument(write, page, head, texts, spool.chunks());
  }

  function packComparison({ comparison }: Summary, cases: ComparedCase[] | undefined): Place | null {
    if (comparison === undefined || cases === undefined) return null;
    const { changes: _, ...overall } = comparisonOverall(comparison);
    const packed: PackedComparison = { ...overall, cases };
    return spool.add(JSON.stringify(packed));
  }

  function evaluationOf(summary: Summary): Evaluation {
    const { total, passed, failed, unevaluated, notRun, runs, durationMs, comparison } = summary;
    return {
      id: REPORT,
      ...planRecord(plan),
      status: summary.interrupted ? "interrupted" : "completed",
      started_at: startedAt,
      ended_at: new Date(Date.parse(startedAt) + durationMs).toISOString(),
      totals: {
        cases: total - notRun.length,
        passed,
        failed,
        unevaluated,
        skipped: summary.skipped?.length ?? 0,
        runs: runs.total,
        total_tokens: Math.max(0, runs.total_tokens),
        cost_usd: Math.max(0, runs.cost_usd),
      },
      stopped: summary.stopped ?? (summary.interrupted ? "interrupted" : null),
      exit_code: exitCode?.(summary) ?? null,
      comparison: comparison === undefined ? null : comparisonOverall(comparison),
      metadata: { git_commit: null, git_branch: null, host: null, proctor_version: null },
      started_by: "",
      resumed: 0,
      alive_until: null,
    };
  }

  function moreOf(summary: Summary): MoreOfEvaluation {
    const { contests = [], runs, notRun } = summary;
    const { resumed, cached, rescored, replayed } = runs;
    return {
      pass_rate: passRate(runs),
      sources: { resumed, cached, rescored, replayed },
      skipped: skippedText(summary) ?? null,
      not_run: notRun.length,
      differential: plan.differential === true,
      contests,
      baseline: summary.comparison === undefined ? null : "baseline",
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
      const { case: planned } = result;
      const place = spool.add(packCase(result, placeOf(planned)));
      put(planned, caseRow(result, words, idOf(planned), place));
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

function keyOf({ suite, test_id, agent }: ReturnType<typeof namesOf>): string {
  return JSON.stringify([suite, test_id, agent]);
}

function compare(
  { cases }: Comparison,
  places: ReadonlyMap<string, number>,
  moved: ReadonlyMap<number, number>,
): ComparedCase[] {
  return cases.map(comparisonRecord).map((one) => {
    const at = places.get(keyOf(one));
    return { ...one, row: at === undefined ? null : (moved.get(at) ?? null) };
  });
}

/** The row is a JSON object that is not empty. */
function withChange(row: string, change: CaseChange | undefined): string {
  return change === undefined ? row : `${row.slice(0, -1)},"change":${JSON.stringify(change)}}`;
}

function passRate({ passed, failed }: RunTotals): Rate | null {
  const total = passed + failed;
  if (total === 0) return null;
  const value = passed / total;
  // Beyond a million runs the statistics refuse counts; the interval is a point by then.
  const interval = total > MAX_COUNT ? { low: value, high: value } : wilson(passed, total, CONFIDENCE);
  return { value, ...interval, confidence: CONFIDENCE };
}
