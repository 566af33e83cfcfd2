// A case as it is recorded: what tells it apart, how it came out and why, within the limits of evaluations.
import type { PlannedCase } from "../plan.ts";
import { caseId } from "./case-id.ts";
import { createHash } from "node:crypto";
import type { CaseComparison, Comparison } from "../../core/comparison.ts";
import {
  EVALUATION_LIMITS as LIMITS,
  type EvaluationCheck,
  type EvaluationComparison,
  type EvaluationRun,
  type NewEvaluationCase,
} from "../../core/evaluation.ts";
import { possibleMetrics } from "../../core/metrics.ts";
import { shorten } from "../../core/shorten.ts";
import { latencyOf } from "../case-statistics.ts";
import type { AttemptResult, CaseResult, CheckResult } from "../result.ts";

/** Characters that `shorten` adds to say what it left out. */
const SHORTENED = 40;

/** Returns a text that any column accepts: no NUL, no half of a surrogate pair, and at most `chars` characters. */
function bounded(text: string, chars: number): string {
  return shorten(clean(text), chars - SHORTENED);
}

const clean = (text: string): string => text.toWellFormed().replaceAll("\0", "\uFFFD");

/** Shortens a name so that different names stay different. */
export function boundedName(text: string): string {
  if (text.length <= LIMITS.nameChars - SHORTENED) return bounded(text, LIMITS.nameChars);
  const rest = createHash("sha256").update(text).digest("hex").slice(0, 16);
  return `${clean(text.slice(0, LIMITS.nameChars - SHORTENED))}… #${rest}`;
}

const boundedText = (text: string): string => bounded(text, LIMITS.textChars);

/** The names under which a planned case is recorded. */
export function namesOf({ suite, test, agent }: PlannedCase): {
  suite: string;
  test_id: string;
  agent: string;
} {
  return {
    suite: boundedName(suite.name),
    test_id: boundedName(test.id),
    agent: boundedName(agent.label),
  };
}

/** The id under which a planned case is recorded. */
export function plannedCaseId(planned: PlannedCase): string {
  return caseId(namesOf(planned));
}

export function caseRecord(result: CaseResult, number: number): NewEvaluationCase {
  return withinLimit(wholeRecord(result, number));
}

/** Texts and lists are bounded, but not what they come to together. */
export function wholeRecord(result: CaseResult, number: number): NewEvaluationCase {
  const { case: planned, outcome, attempts, checks, statistics, gate, durationMs } = result;
  const { suite, test, agent, key } = planned;
  const { pass_rate, flakiness } = statistics;
  const kept = attempts.slice(0, LIMITS.runs);
  return {
    number,
    suite: boundedName(suite.name),
    test_id: boundedName(test.id),
    name: boundedName(test.name),
    agent: boundedName(agent.label),
    key: key?.test ?? "",
    verdict: outcome,
    runs: attempts.length,
    pass_rate:
      pass_rate === null ? null : { ...pass_rate, low: share(pass_rate.low), high: share(pass_rate.high) },
    flakiness,
    cost_usd: sum(attempts, ({ cost_usd }) => cost_usd),
    total_tokens: sum(attempts, ({ total_tokens }) => total_tokens),
    duration_ms: Math.max(0, durationMs),
    file: boundedName(test.file),
    line: test.line,
    tags: test.tags.slice(0, LIMITS.tags).map(boundedName),
    reason: gate === undefined ? null : boundedText(gate.message),
    gated: test.gate !== undefined,
    checks: checkRecords(checks),
    run_results: kept.map(runRecord),
    runs_omitted: attempts.length - kept.length,
  };
}

function runRecord(attempt: AttemptResult): EvaluationRun {
  const { number, runId, outcome, source, status, score, failure, reason, metrics, checks } = attempt;
  const { cost_usd, total_tokens } = possibleMetrics(metrics);
  const why = reason ?? failure?.message;
  return {
    number,
    run_id: runId ?? null,
    verdict: outcome,
    source,
    status: status ?? null,
    score: score ?? null,
    failure_code: failure === undefined ? null : boundedName(failure.code),
    reason: why === undefined ? null : boundedText(why),
    latency_ms: latencyOf(attempt) ?? null,
    cost_usd: cost_usd ?? null,
    total_tokens: total_tokens ?? null,
    checks: checkRecords(checks),
  };
}

function checkRecords(checks: readonly CheckResult[]): EvaluationCheck[] {
  return checks.slice(0, LIMITS.checks).map(({ type, critical, turn, verdict }) => ({
    type: boundedName(type),
    verdict: verdict.outcome,
    reason: boundedText(verdict.message),
    critical,
    turn: turn ?? null,
  }));
}

/** Drops the least informative parts first: the checks of runs that passed, then all checks, then runs. */
function withinLimit(record: NewEvaluationCase): NewEvaluationCase {
  const fits = (each: NewEvaluationCase): boolean =>
    Buffer.byteLength(JSON.stringify(each)) <= LIMITS.caseBytes;
  if (fits(record)) return record;
  const failing = record.run_results.map((run) => (run.verdict === "pass" ? { ...run, checks: [] } : run));
  let smaller: NewEvaluationCase = { ...record, run_results: failing };
  if (fits(smaller)) return smaller;
  const bare = record.run_results.map((run) => ({ ...run, checks: [], reason: null }));
  smaller = { ...record, run_results: bare };
  while (!fits(smaller) && smaller.run_results.length > 0) {
    const kept = smaller.run_results.slice(0, smaller.run_results.length >> 1);
    smaller = { ...smaller, run_results: kept, runs_omitted: record.runs - kept.length };
  }
  return smaller;
}

/** The comparison of a case under the names with which the case is kept. */
export function comparisonRecord(compared: CaseComparison): CaseComparison {
  const { suite, test_id, agent } = compared;
  return {
    ...compared,
    suite: boundedName(suite),
    test_id: boundedName(test_id),
    agent: boundedName(agent),
  };
}

export function comparisonOverall({ cases, ...overall }: Comparison): EvaluationComparison {
  const { before, after, findings } = overall;
  const named = ({ name, created_at }: Comparison["before"]) => ({
    name: boundedName(name),
    created_at: boundedName(created_at),
  });
  const changes = { regressed: 0, improved: 0, unchanged: 0, undecided: 0, new: 0, missing: 0 };
  for (const { change } of cases) changes[change] += 1;
  return {
    ...overall,
    before: named(before),
    after: named(after),
    findings: findings.slice(0, LIMITS.findings).map(boundedText),
    changes,
  };
}

function sum(
  attempts: readonly AttemptResult[],
  read: (metrics: ReturnType<typeof possibleMetrics>) => number | undefined,
): number | null {
  const known = attempts.flatMap(({ metrics }) => read(possibleMetrics(metrics)) ?? []);
  return known.length === 0 ? null : known.reduce((total, each) => total + each, 0);
}

/** Limits a share to 0 to 1, which rounding may exceed slightly. */
function share(value: number): number {
  return Math.min(1, Math.max(0, value));
}
