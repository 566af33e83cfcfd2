// The rows of a report as the table of an evaluation, with what only a report says of a case.
import type { EvaluationMatrix, MatrixCell, MatrixRow } from "../api/gen/schema.ts";
import type { MoreOfCell } from "../api/more.ts";
import type { CaseRow, ReportHead } from "./report-documents.ts";

export function matrixOf({ evaluation, rows, suites, agents, tags }: ReportHead): EvaluationMatrix {
  // Tests of two suites with the same name differ only in that each has a cell for the agent.
  const tests = new Map<string, { row: MatrixRow; agents: Set<number> }[]>();
  const all: MatrixRow[] = [];
  for (const [number, row] of rows.entries()) {
    const key = `${row.suite} ${row.id}`;
    const known = tests.get(key) ?? [];
    tests.set(key, known);
    let test = known.find((one) => !one.agents.has(row.agent));
    if (test === undefined) {
      const made = { suite: suites[row.suite] ?? "", test_id: row.id, name: row.name, cells: [] };
      test = { row: made, agents: new Set() };
      known.push(test);
      all.push(made);
    }
    test.agents.add(row.agent);
    test.row.cells.push(cellOf(row, number, agents, tags));
  }
  return { evaluation_id: evaluation.id, agents, tests: all, next_cursor: null };
}

function cellOf(
  row: CaseRow,
  number: number,
  agents: readonly string[],
  tags: readonly string[],
): MatrixCell & { more: MoreOfCell } {
  const [value = null, low = null, high = null] = row.rate ?? [];
  const [p50, p95] = row.latency ?? [];
  const { reason, tokens, cost, score, gate, passed, failed, values } = row;
  return {
    case_id: row.case,
    number,
    agent: agents[row.agent] ?? "",
    // The table shows a case that was not run; the API has no such case.
    verdict: row.outcome as MatrixCell["verdict"],
    runs: row.runs,
    pass_rate: value,
    low,
    high,
    flakiness: row.flakiness ?? null,
    cost_usd: row.spent ?? null,
    duration_ms: row.duration_ms,
    change: row.change ?? null,
    more: {
      tags: row.tags.map((tag) => tags[tag] ?? ""),
      passed,
      failed,
      values,
      ...(reason !== undefined && { reason }),
      ...(p50 !== undefined && { p50 }),
      ...(p95 !== undefined && { p95 }),
      ...(tokens !== undefined && { tokens }),
      ...(cost !== undefined && { cost }),
      ...(score !== undefined && { score }),
      ...(gate !== undefined && { gate }),
    },
  };
}
