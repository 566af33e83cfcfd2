// Records an evaluation through the hub's API, as `proctor test` does, with as many cases as a test wants.
import { randomUUID } from "node:crypto";
import type { NewEvaluationCase } from "../../../src/core/evaluation.ts";
import type { Outcome } from "../../../src/core/outcome.ts";
import type { HubProcess } from "../hub-process.ts";

export interface CaseDraft {
  test: string;
  agent: string;
  verdict: Outcome;
  name?: string;
  /** How many of the runs passed. */
  passed?: number;
  runs?: number;
}

export interface RecordedEvaluation {
  id: string;
  record: (cases: readonly CaseDraft[]) => Promise<void>;
  end: () => Promise<void>;
}

const BATCH = 200;

export async function recordEvaluation(
  hub: HubProcess,
  name: string,
  agents: readonly string[],
  planned: number,
): Promise<RecordedEvaluation> {
  const id = randomUUID();
  const owner = randomUUID();
  const totals = {
    cases: 0,
    passed: 0,
    failed: 0,
    unevaluated: 0,
    skipped: 0,
    runs: 0,
    total_tokens: 0,
    cost_usd: 0,
  };
  const metadata = {
    git_commit: "0123456789abcdef",
    git_branch: "main",
    host: "laptop",
    proctor_version: "1",
  };
  await hub.post("/evaluations", {
    id,
    owner,
    name,
    suites: [{ name: "recorded", file: "recorded.yaml" }],
    agents,
    planned: { cases: planned, runs: planned },
    skipped: 0,
    metadata,
  });
  return {
    id,
    async record(drafts) {
      for (let from = 0; from < drafts.length; from += BATCH) {
        const cases = drafts.slice(from, from + BATCH).map((draft) => caseOf(draft, totals.cases++));
        for (const { verdict, runs, cost_usd } of cases) {
          totals.passed += verdict === "pass" ? 1 : 0;
          totals.failed += verdict === "fail" ? 1 : 0;
          totals.unevaluated += verdict === "unevaluated" ? 1 : 0;
          totals.runs += runs;
          totals.cost_usd += cost_usd ?? 0;
        }
        await hub.post(`/evaluations/${id}/records`, { owner, totals, cases });
      }
    },
    async end() {
      const exit_code = totals.failed > 0 ? 1 : 0;
      const end = { owner, status: "completed", stopped: null, exit_code, totals, comparison: null };
      await hub.post(`/evaluations/${id}/end`, end);
    },
  };
}

function caseOf(draft: CaseDraft, number: number): NewEvaluationCase {
  const { test, agent, verdict, runs = 1 } = draft;
  const passed = draft.passed ?? (verdict === "pass" ? runs : 0);
  const rate = passed / runs;
  return {
    number,
    suite: "recorded",
    test_id: test,
    name: draft.name ?? `Does ${test}`,
    agent,
    key: `key-${test}`,
    verdict,
    runs,
    pass_rate: { value: rate, low: rate / 2, high: (1 + rate) / 2, confidence: 0.95 },
    flakiness: runs > 1 ? 2 * rate * (1 - rate) : null,
    cost_usd: 0.001,
    total_tokens: 10,
    duration_ms: 100 + number,
    file: "recorded.yaml",
    line: number + 1,
    tags: [],
    reason: null,
    gated: false,
    checks: [],
    run_results: Array.from({ length: runs }, (_, index) => ({
      number: index + 1,
      run_id: null,
      verdict: index < passed ? ("pass" as const) : ("fail" as const),
      source: "run",
      status: "completed",
      score: null,
      failure_code: null,
      reason: null,
      latency_ms: 100,
      cost_usd: 0.001 / runs,
      total_tokens: 10,
      checks: [],
    })),
    runs_omitted: 0,
  };
}
