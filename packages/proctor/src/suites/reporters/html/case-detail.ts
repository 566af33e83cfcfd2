// Everything about one case as a document. It is packed and put aside as soon as the case ends.
import type { Json } from "../../../core/json.ts";
import { isJsonObject } from "../../../core/json.ts";
import { lastWords } from "../../../core/last-words.ts";
import type { AttemptResult, CaseResult, CheckResult } from "../../result.ts";
import { shorten } from "../../../core/shorten.ts";
import { packEvidence } from "./pack-evidence.ts";
import type { CheckDetail, PackedCase, PackedRun } from "./report-data.ts";

/** Most characters of one case. Evidence arrives cut to size; this limits everything else. */
export const MAX_DETAIL_CHARACTERS = 4_000_000;
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
export function caseDetail(result: CaseResult): string {
  const detail = document(result);
  const text = JSON.stringify(detail);
  if (text.length <= MAX_DETAIL_CHARACTERS) return text;
  for (const cut of CUTS) {
    const shorter = clip(detail, cut, 0);
    const shorterText = JSON.stringify({ ...(isJsonObject(shorter) && shorter), cut: true });
    if (shorterText.length <= MAX_DETAIL_CHARACTERS) return shorterText;
  }
  return JSON.stringify({ ...detail, task: "", checks: [], runs: [], parameters: {}, cut: true });
}

function document({ case: planned, attempts, checks, statistics, gate, durationMs }: CaseResult): PackedCase {
  const { test } = planned;
  const { description, parameters, task, file, line, col } = test;
  return {
    file,
    line,
    col,
    ...(description !== undefined && { description: shorten(description, DESCRIPTION_CHARACTERS) }),
    task: shorten(task.description, DESCRIPTION_CHARACTERS),
    ...(parameters !== undefined && { parameters }),
    duration_ms: durationMs,
    checks: checks.map(checkDetail),
    statistics,
    ...(gate && { gate }),
    runs: attempts.map(runDetail),
  };
}

function runDetail(attempt: AttemptResult): PackedRun {
  const { number, outcome, source, ranAt, runId, retried, status, failure, reason } = attempt;
  const { isolated, notes, score, metrics, durationMs, checks, thread, evidence } = attempt;
  return {
    number,
    outcome,
    source,
    ...(ranAt !== undefined && { ran_at: ranAt }),
    ...(runId !== undefined && { run_id: runId }),
    ...(retried !== undefined && { retried }),
    ...(status !== undefined && { status }),
    ...(failure !== undefined && { failure, said: lastWords(failure) }),
    ...(reason !== undefined && { reason }),
    ...(isolated === false && { isolated }),
    ...(notes !== undefined && { notes }),
    ...(score !== undefined && { score }),
    metrics,
    duration_ms: durationMs,
    checks: checks.map(checkDetail),
    ...(thread && { thread }),
    ...(evidence !== undefined && { evidence: packEvidence(evidence) }),
  };
}

function checkDetail({ type, critical, weight, turn, verdict, file, line, col }: CheckResult): CheckDetail {
  return { type, ...verdict, file, line, col, critical, weight, ...(turn !== undefined && { turn }) };
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
