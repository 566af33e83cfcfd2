// Everything about one case as a document. It is packed and put aside as soon as the case ends.
import { isJsonObject, type Json } from "../../../core/json.ts";
import { lastWords } from "../../../core/last-words.ts";
import { shorten } from "../../../core/shorten.ts";
import { wholeRecord } from "../../evaluations/case-record.ts";
import type { AttemptResult, CaseResult, CheckResult } from "../../result.ts";
import { differenceOf } from "../difference.ts";
import { packRun } from "./pack-run.ts";
import type { MoreOfCheck, MoreOfRun, PackedCase } from "./report-documents.ts";

/** Most characters of one case. Evidence arrives cut to size; this limits everything else. */
export const MAX_CASE_CHARACTERS = 4_000_000;
const DESCRIPTION_CHARACTERS = 20_000;
/** Steps of cutting until a case fits: characters kept of each text, and entries of each list. */
const CUTS = [
  { characters: 20_000, entries: 5000 },
  { characters: 2000, entries: 500 },
  { characters: 200, entries: 50 },
];
/** Deepest level that is kept of a document that must be cut. */
const MAX_DEPTH = 24;

/** Returns JSON that is never longer than the limit. */
export function packCase(result: CaseResult, number: number): string {
  const packed = packedCase(result, number);
  const text = JSON.stringify(packed);
  if (text.length <= MAX_CASE_CHARACTERS) return text;
  for (const cut of CUTS) {
    // What was just written is JSON.
    const shorter = clip(JSON.parse(text) as Json, cut, 0);
    const shorterText = JSON.stringify({ ...(isJsonObject(shorter) && shorter), cut: true });
    if (shorterText.length <= MAX_CASE_CHARACTERS) return shorterText;
  }
  const bare = { ...packed.case, checks: [], run_results: [], runs_omitted: result.attempts.length };
  const more = { task: "", statistics: result.statistics };
  return JSON.stringify({ case: { ...bare, more }, runs: [], cut: true });
}

function packedCase(result: CaseResult, number: number): PackedCase {
  const { case: planned, attempts, checks, statistics, gate } = result;
  const { description, parameters, task } = planned.test;
  const record = wholeRecord(result, number);
  const ids = runIds(attempts);
  return {
    case: {
      ...record,
      checks: record.checks.map((check, at) => ({ ...check, more: moreOfCheck(checks[at]) })),
      run_results: record.run_results.map((run, at) => ({
        ...run,
        run_id: ids[at] ?? null,
        checks: run.checks.map((check, place) => ({
          ...check,
          more: moreOfCheck(attempts[at]?.checks[place]),
        })),
        more: moreOfRun(attempts[at]),
      })),
      more: {
        ...(description !== undefined && { description: shorten(description, DESCRIPTION_CHARACTERS) }),
        task: shorten(task.description, DESCRIPTION_CHARACTERS),
        ...(parameters !== undefined && { parameters }),
        statistics,
        ...(gate && { gate }),
      },
    },
    runs: attempts.flatMap((attempt, at) => {
      const id = ids[at];
      return id == null ? [] : [packRun(planned, attempt, id)];
    }),
  };
}

/** The id of each run; one of its own where it has none and yet did something, or where two runs say the same. */
function runIds(attempts: readonly AttemptResult[]): (string | null)[] {
  const seen = new Set<string>();
  return attempts.map(({ runId, evidence, number }) => {
    if (runId === undefined && evidence === undefined) return null;
    const id = runId === undefined || seen.has(runId) ? `${runId ?? "run"}-${number}` : runId;
    seen.add(id);
    return id;
  });
}

function moreOfCheck(check: CheckResult | undefined): MoreOfCheck {
  const { file = "", line = 0, col = 0, weight = 1, verdict } = check ?? {};
  const { score, details } = verdict ?? {};
  const difference = verdict?.outcome === "pass" ? undefined : differenceOf(details);
  return {
    file,
    line,
    col,
    weight,
    ...(score !== undefined && { score }),
    ...(details !== undefined && { details }),
    ...(difference && { difference }),
  };
}

function moreOfRun(attempt: AttemptResult | undefined): MoreOfRun {
  if (attempt === undefined) return { duration_ms: 0, events_left_out: 0, artifacts_left_out: 0 };
  const { ranAt, retried, failure, isolated, notes, thread, durationMs, metrics, evidence } = attempt;
  return {
    ...(ranAt !== undefined && { ran_at: ranAt }),
    ...(retried !== undefined && { retried }),
    ...(failure !== undefined && { said: lastWords(failure) }),
    ...(failure?.details && { failure_details: failure.details }),
    ...(isolated === false && { isolated }),
    ...(notes !== undefined && { notes }),
    ...(thread && { thread }),
    duration_ms: durationMs,
    ...(typeof metrics.total_steps === "number" && { total_steps: metrics.total_steps }),
    events_left_out: evidence?.events_left_out ?? 0,
    artifacts_left_out: evidence?.artifacts_left_out ?? 0,
  };
}

function clip(value: Json, limits: (typeof CUTS)[number], depth: number): Json {
  if (typeof value === "string") return shorten(value, limits.characters);
  if (typeof value !== "object" || value === null) return value;
  if (depth > MAX_DEPTH) return null;
  if (Array.isArray(value))
    return value.slice(0, limits.entries).map((entry) => clip(entry, limits, depth + 1));
  const entries = Object.entries(value).slice(0, limits.entries);
  return Object.fromEntries(
    entries.map(([key, entry]) => [
      shorten(key, 200),
      entry === undefined ? entry : clip(entry, limits, depth + 1),
    ]),
  );
}
