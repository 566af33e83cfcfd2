// A run of a case as a line of the journal, and back.
import { given } from "../../core/given.ts";
import type { JsonObject } from "../../core/json.ts";
import type { Metrics } from "../../core/metrics.ts";
import { possibleMetrics } from "../../core/metrics.ts";
import type { PlannedCase } from "../plan.ts";
import { attemptDocument } from "../reporters/case-document.ts";
import type { AttemptResult, CheckResult } from "../result.ts";
import type { Verdict } from "../verdict.ts";

export type AttemptRecord = JsonObject & {
  type: "run";
  suite: string;
  test_id: string;
  agent: string;
  /** Hash of the task, and of everything that the result depends on. */
  task_key: string;
  key: string;
  run_number: number;
  run_id: string | null;
};

export function attemptRecord(
  { suite, test, agent, key }: PlannedCase,
  attempt: AttemptResult,
): AttemptRecord {
  return {
    ...attemptDocument(attempt),
    type: "run",
    suite: suite.name,
    test_id: test.id,
    agent: agent.label,
    task_key: key?.task ?? "",
    key: key?.whole ?? "",
    run_number: attempt.number,
    run_id: attempt.runId ?? null,
  };
}

/** Takes only what `attemptRecord` wrote: the file is ours. */
export function attemptOf(record: AttemptRecord): AttemptResult {
  const {
    run_number,
    run_id,
    source,
    outcome,
    duration_ms,
    metrics,
    ran_at,
    retried,
    status,
    failure,
    reason,
    isolated,
    notes,
    thread,
    score,
  } = record;
  const result = {
    number: run_number,
    source,
    outcome,
    durationMs: duration_ms,
    metrics: possibleMetrics(metrics as Metrics),
    runId: run_id,
    ranAt: ran_at,
    retried: Array.isArray(retried) && retried.length === 0 ? null : retried,
    status,
    failure,
    reason,
    isolated,
    notes: Array.isArray(notes) && notes.length === 0 ? null : notes,
    thread,
    score,
    checks: (record["checks"] as JsonObject[]).map(checkOf),
  };
  // Null stands for what was absent; the others have the types with which they were written.
  return given(result) as unknown as AttemptResult;
}

function checkOf(document: JsonObject): CheckResult {
  const { type, critical, weight, turn, file, line, col, ...verdict } = document;
  return {
    type,
    critical,
    weight,
    ...(turn !== undefined && { turn }),
    file,
    line,
    col,
    verdict: verdict as unknown as Verdict,
  } as unknown as CheckResult;
}
