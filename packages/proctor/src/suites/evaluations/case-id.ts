// What identifies a case from one evaluation to the next, and the names under which people ask for it.
import { createHash } from "node:crypto";
import type { EvaluationCase, NewEvaluationCase } from "../../core/evaluation.ts";

/** The most ways to read a name with slashes as a suite and a test. */
const MAX_NAMES = 8;

/** Returns an id that is the same for the same suite, test and agent in every invocation. */
export function caseId({ suite, test_id, agent }: { suite: string; test_id: string; agent: string }): string {
  return createHash("sha256")
    .update(JSON.stringify([suite, test_id, agent]))
    .digest("hex")
    .slice(0, 32);
}

export function storedCase(
  evaluationId: string,
  given: NewEvaluationCase,
  settledAt: string,
): EvaluationCase {
  return {
    ...given,
    id: caseId(given),
    evaluation_id: evaluationId,
    settled_at: settledAt,
    change: null,
    comparison: null,
  };
}

/** Splits `suite/test` at every slash, because both names may contain some. */
export function caseNames(text: string): { suite: string; test_id: string }[] {
  const parts = text.split("/");
  return parts.slice(1, MAX_NAMES + 1).map((_, index) => ({
    suite: parts.slice(0, index + 1).join("/"),
    test_id: parts.slice(index + 1).join("/"),
  }));
}
