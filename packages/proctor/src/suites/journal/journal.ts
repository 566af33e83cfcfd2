// Writes down every run and every case as it ends, so that an interrupted suite goes on where it was, and later ones can be
// compared with it. One line of JSON each.
import type { JsonObject } from "../../core/json.ts";
import { latencyOf } from "../case-statistics.ts";
import { comparedCase, comparedRun } from "../compare/compared-outcomes.ts";
import type { ResultCase, ResultRun } from "../compare/comparison.ts";
import type { Reporter, Write } from "../reporter.ts";
import type { AttemptResult, CaseResult } from "../result.ts";
import { summaryDocument } from "../reporters/case-document.ts";
import { attemptRecord } from "./attempt-record.ts";

export const JOURNAL_VERSION = 1;

interface JournalOptions {
  write: Write;
  /** Time at which the invocation began, in ISO 8601. */
  now: string;
  /** The evaluation that the hub keeps of it. */
  evaluation?: JournaledEvaluation;
}

/** The evaluation of an invocation, and who records it. A document. */
export type JournaledEvaluation = { id: string; owner: string; host: string; process: string };

export function journalReporter({ write, now, evaluation }: JournalOptions): Reporter {
  const line = (document: JsonObject): void => write(`${JSON.stringify(document)}\n`);
  return {
    start({ suites, cases }) {
      line({
        type: "invocation",
        version: JOURNAL_VERSION,
        created_at: now,
        suites: suites.map(({ name, file }) => ({ name, file })),
        cases: cases.length,
        ...(evaluation !== undefined && { evaluation }),
      });
    },
    attemptEnded(planned, attempt) {
      line(attemptRecord(planned, attempt));
    },
    caseEnded(result) {
      line({ type: "case", ...resultCase(result) });
    },
    end(summary) {
      line({ type: "summary", ...summaryDocument(summary) });
    },
  };
}

export function resultCase({ case: planned, outcome, attempts }: CaseResult): ResultCase {
  const { suite, test, agent } = planned;
  return {
    suite: suite.name,
    test_id: test.id,
    agent: agent.label,
    key: planned.key?.test ?? "",
    outcome: comparedCase(outcome, attempts),
    runs: attempts.map(resultRun),
    ...(test.gate && { gated: true }),
  };
}

function resultRun(attempt: AttemptResult): ResultRun {
  const { score, metrics } = attempt;
  return {
    outcome: comparedRun(attempt),
    score: score ?? null,
    duration_ms: latencyOf(attempt) ?? null,
    total_tokens: metrics.total_tokens ?? null,
    cost_usd: metrics.cost_usd ?? null,
  };
}
