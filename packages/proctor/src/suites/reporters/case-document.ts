// A case, its runs and all of it together as documents: snake_case like everything Proctor sends. What is absent is null.
import type { JsonObject } from "../../core/json.ts";
import type { PlannedCase } from "../plan.ts";
import type { AttemptResult, CaseResult, CheckResult, Summary } from "../result.ts";

export function caseDocument(result: CaseResult): JsonObject {
  const { case: planned, outcome, attempts, checks, statistics, gate, durationMs } = result;
  return {
    ...caseIdentity(planned),
    outcome,
    duration_ms: durationMs,
    statistics,
    gate: gate ?? null,
    checks: checks.map(checkDocument),
    runs: attempts.map(attemptDocument),
  };
}

export function caseIdentity({ suite, test, agent }: PlannedCase): JsonObject {
  const { id, name, tags, file, line, parameters } = test;
  return {
    suite: suite.name,
    file,
    line,
    test_id: id,
    name,
    tags,
    agent: agent.label,
    ...(parameters !== undefined && { parameters }),
  };
}

/** Leaves out what the run did and produced, which the hub has under its id. */
export function attemptDocument(attempt: AttemptResult): JsonObject {
  const { number, outcome, source, ranAt, runId, retried, status } = attempt;
  const { failure, reason, isolated, notes, thread, checks, score, metrics, durationMs } = attempt;
  return {
    run_number: number,
    run_id: runId ?? null,
    source,
    ran_at: ranAt ?? null,
    retried: retried ?? [],
    status: status ?? null,
    outcome,
    score: score ?? null,
    failure: failure ?? null,
    reason: reason ?? null,
    isolated: isolated ?? null,
    notes: notes ?? [],
    duration_ms: durationMs,
    metrics,
    thread: thread ?? null,
    checks: checks.map(checkDocument),
  };
}

function checkDocument({ type, critical, weight, turn, file, line, col, verdict }: CheckResult): JsonObject {
  return { type, critical, weight, ...(turn !== undefined && { turn }), file, line, col, ...verdict };
}

/** Returns the fields of a report other than its cases. */
export function endDocument(summary: Summary): JsonObject {
  const { notRun, skipped = [], contests = [], comparison } = summary;
  return {
    not_run: notRun.map((planned) => caseIdentity(planned)),
    skipped: skipped.map(({ id, file, reason }) => ({ test_id: id, file, reason })),
    contests,
    comparison: comparison ?? null,
    summary: summaryDocument(summary),
  };
}

export function summaryDocument(summary: Summary): JsonObject {
  const { total, passed, failed, unevaluated, notRun, skipped = [] } = summary;
  const { stopped, interrupted, durationMs, runs } = summary;
  return {
    total,
    passed,
    failed,
    unevaluated,
    not_run: notRun.length,
    skipped: skipped.length,
    stopped: stopped ?? null,
    interrupted,
    duration_ms: durationMs,
    runs,
  };
}
