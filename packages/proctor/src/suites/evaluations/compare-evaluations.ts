// Two evaluations side by side, with the tests and in the words of `proctor compare`.
import type { Comparison } from "../../core/comparison.ts";
import type { Evaluation, EvaluationCase } from "../../core/evaluation.ts";
import { MAX_PAGE_LIMIT } from "../../core/page.ts";
import type { EvaluationStore } from "../../core/ports/evaluation-store.ts";
import { comparedCase, comparedRun } from "../compare/compared-outcomes.ts";
import type { ResultCase, ResultSet } from "../compare/comparison.ts";

type Source = Pick<EvaluationStore, "cases">;

export async function compareEvaluations(
  store: Source,
  before: Evaluation,
  after: Evaluation,
): Promise<Comparison> {
  const { compareResults } = await import("../compare/compare-results.ts");
  return compareResults(await resultsOf(store, before), await resultsOf(store, after));
}

export async function resultsOf(store: Source, evaluation: Evaluation): Promise<ResultSet> {
  const { id, name, started_at, status } = evaluation;
  const cases: ResultCase[] = [];
  let cursor: string | undefined;
  do {
    const page = await store.cases(id, { limit: MAX_PAGE_LIMIT, ...(cursor !== undefined && { cursor }) });
    cases.push(...page.items.map(resultCase));
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined);
  const incomplete = status === "completed" ? {} : { incomplete: `it is ${status}` };
  return { name: `${name} ${id}`, created_at: started_at, cases, ...incomplete };
}

function resultCase({ suite, test_id, agent, key, verdict, run_results, gated }: EvaluationCase): ResultCase {
  const judged = run_results.map((run) => ({
    outcome: run.verdict,
    failure: run.failure_code === null ? null : { code: run.failure_code },
  }));
  return {
    suite,
    test_id,
    agent,
    key,
    outcome: comparedCase(verdict, judged),
    runs: run_results.map(({ score, latency_ms, total_tokens, cost_usd }, index) => ({
      outcome: comparedRun(judged[index] ?? { outcome: "unevaluated" }),
      score,
      duration_ms: latency_ms,
      total_tokens,
      cost_usd,
    })),
    ...(gated && { gated }),
  };
}
