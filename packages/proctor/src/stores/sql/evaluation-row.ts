// An evaluation between its row and its document.
import type { Evaluation } from "../../core/evaluation.ts";
import { statusAt, type StoredEvaluation } from "../../core/ports/evaluation-store.ts";
import type { EvaluationsTable } from "./schema.ts";

type EvaluationRow = Pick<EvaluationsTable, "document" | "alive_until">;

/** Returns the evaluation as it was written. */
export function storedEvaluation(row: EvaluationRow & { owner: string }): StoredEvaluation {
  return { evaluation: decode(row), owner: row.owner };
}

function decode({ document, alive_until }: EvaluationRow): Evaluation {
  // Only this module writes documents.
  const evaluation = JSON.parse(document) as Evaluation;
  return { ...evaluation, alive_until: alive_until === null ? null : new Date(alive_until).toISOString() };
}

/** Returns the evaluation as readers see it at that time. */
export function evaluationAt(row: EvaluationRow, now: number): Evaluation {
  const evaluation = decode(row);
  return { ...evaluation, status: statusAt(evaluation.status, row.alive_until, now) };
}
