// A case and what came out of it as documents: snake_case like everything Proctor sends.
import type { JsonObject } from "../../core/json.ts";
import type { PlannedCase } from "../plan.ts";
import type { AttemptResult, CaseResult, Summary } from "../result.ts";

export function caseDocument({ case: planned, outcome, attempts, durationMs }: CaseResult): JsonObject {
  return {
    ...caseIdentity(planned),
    outcome,
    duration_ms: durationMs,
    runs: attempts.map(attemptDocument),
  };
}

export function caseIdentity({ suite, test, agent }: PlannedCase): JsonObject {
  const { id, name, tags, line } = test;
  return { suite: suite.name, file: suite.file, line, test_id: id, name, tags, agent: agent.label };
}

export function summaryDocument(summary: Summary): JsonObject {
  const { total, passed, failed, unevaluated, notRun, interrupted, durationMs } = summary;
  return {
    total,
    passed,
    failed,
    unevaluated,
    not_run: notRun.length,
    interrupted,
    duration_ms: durationMs,
  };
}

function attemptDocument(attempt: AttemptResult): JsonObject {
  const { number, outcome, runId, status, failure, reason, checks, durationMs } = attempt;
  return {
    run_number: number,
    run_id: runId ?? null,
    status: status ?? null,
    outcome,
    failure: failure ?? null,
    reason: reason ?? null,
    duration_ms: durationMs,
    checks: checks.map(({ type, critical, line, col, verdict }) => ({
      type,
      critical,
      line,
      col,
      ...verdict,
    })),
  };
}
