// Cases as a table: a row for each test, a cell for each agent that it has settled with.
import type { CaseSummary, EvaluationMatrix, MatrixRow } from "../../core/evaluation.ts";
import type { Page } from "../../core/page.ts";

export function matrixOf(evaluationId: string, { items, next_cursor }: Page<CaseSummary>): EvaluationMatrix {
  const agents = new Set<string>();
  const rows = new Map<string, MatrixRow>();
  for (const { id, suite, test_id, name, agent, pass_rate, ...rest } of items) {
    agents.add(agent);
    const key = JSON.stringify([suite, test_id]);
    const row = rows.get(key) ?? { suite, test_id, name, cells: [] };
    rows.set(key, row);
    row.cells.push({
      case_id: id,
      number: rest.number,
      agent,
      verdict: rest.verdict,
      runs: rest.runs,
      pass_rate: pass_rate?.value ?? null,
      low: pass_rate?.low ?? null,
      high: pass_rate?.high ?? null,
      flakiness: rest.flakiness,
      cost_usd: rest.cost_usd,
      duration_ms: rest.duration_ms,
      change: rest.change,
    });
  }
  return { evaluation_id: evaluationId, agents: [...agents], tests: [...rows.values()], next_cursor };
}
