// For machines: one JSON document, in snake_case like everything Proctor sends.
import type { JsonObject } from "../../core/json.ts";
import type { PlannedCase } from "../plan.ts";
import type { Reporter, Write } from "../reporter.ts";
import type { AttemptResult, CaseResult } from "../result.ts";

export function jsonReporter({ write }: { write: Write }): Reporter {
  const cases: JsonObject[] = [];
  return {
    start() {},
    caseEnded(result) {
      cases.push(caseDocument(result));
    },
    end({ total, passed, failed, unevaluated, notRun, interrupted, durationMs }) {
      const summary = {
        total,
        passed,
        failed,
        unevaluated,
        not_run: notRun.length,
        interrupted,
        duration_ms: durationMs,
      };
      write(`${JSON.stringify({ summary, cases, not_run: notRun.map(identity) }, null, 2)}\n`);
    },
  };
}

function caseDocument({ case: planned, outcome, attempts, durationMs }: CaseResult): JsonObject {
  return { ...identity(planned), outcome, duration_ms: durationMs, runs: attempts.map(attemptDocument) };
}

function identity({ suite, test, agent }: PlannedCase): JsonObject {
  const { id, name, tags, line } = test;
  return { suite: suite.name, file: suite.file, line, test_id: id, name, tags, agent: agent.label };
}

function attemptDocument({
  number,
  outcome,
  runId,
  status,
  failure,
  reason,
  checks,
  durationMs,
}: AttemptResult): JsonObject {
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
