// What the table at the end needs of each case, and of how many it is kept: those that want attention first, and never more
// than the table shows.
import type { CaseResult, GateResult } from "../../result.ts";
import { isFlaky } from "../summary-words.ts";
import { lineOf } from "./line-of.ts";

export interface CaseRow {
  /** Id of the test; with `agent` it names the case. */
  test: string;
  agent: string;
  outcome: CaseResult["outcome"];
  runs: number;
  passed: number;
  rate: { value: number; low: number; high: number } | null;
  /** Probability that `k` runs all pass. */
  passHat?: { k: number; value: number };
  score?: number;
  latency?: { p50: number; p95: number };
  costUsd?: number;
  gate?: GateResult;
}

export interface CaseRows {
  add(result: CaseResult): void;
  /** Failed, unevaluated, flaky and passed cases, each in the order in which they ended. */
  list(): CaseRow[];
  /** Number of cases of each kind that are not in the list. */
  leftOut(): Record<Kind, number>;
}

export type Kind = "failed" | "unevaluated" | "flaky" | "passed";
const KINDS: readonly Kind[] = ["failed", "unevaluated", "flaky", "passed"];

export function createCaseRows(limit: number): CaseRows {
  const kept: Record<Kind, CaseRow[]> = { failed: [], unevaluated: [], flaky: [], passed: [] };
  const counts: Record<Kind, number> = { failed: 0, unevaluated: 0, flaky: 0, passed: 0 };
  const shares = (): [Kind, CaseRow[]][] => {
    let room = limit;
    return KINDS.map((kind) => {
      const rows = kept[kind].slice(0, room);
      room -= rows.length;
      return [kind, rows];
    });
  };
  return {
    add(result) {
      const kind = kindOf(result);
      counts[kind] += 1;
      if (kept[kind].length < limit) kept[kind].push(rowOf(result));
    },
    list: () => shares().flatMap(([, rows]) => rows),
    leftOut() {
      const left = { ...counts };
      for (const [kind, rows] of shares()) left[kind] -= rows.length;
      return left;
    },
  };
}

function kindOf(result: CaseResult): Kind {
  if (result.outcome === "fail") return "failed";
  if (result.outcome === "unevaluated") return "unevaluated";
  return isFlaky(result) ? "flaky" : "passed";
}

function rowOf({ case: planned, outcome, statistics, gate }: CaseResult): CaseRow {
  const { runs, passed, pass_rate, pass_hat_k, score, latency_ms, cost_usd } = statistics;
  const passHat = chosenK(pass_hat_k, runs);
  return {
    test: lineOf(planned.test.id),
    agent: lineOf(planned.agent.label),
    outcome,
    runs,
    passed,
    rate: pass_rate,
    ...(passHat !== undefined && { passHat }),
    ...(score !== undefined && { score: score.mean }),
    ...(latency_ms !== undefined && { latency: { p50: latency_ms.p50, p95: latency_ms.p95 } }),
    ...(cost_usd !== undefined && { costUsd: cost_usd.mean * cost_usd.count }),
    ...(gate !== undefined && { gate }),
  };
}

/** The largest k of at most half the runs: an estimate from all of them would be one or nothing. */
function chosenK(byK: Record<string, number>, runs: number): { k: number; value: number } | undefined {
  const known = Object.entries(byK).map(([k, value]) => ({ k: Number(k), value }));
  const useful = known.filter(({ k }) => k > 1 && k <= runs / 2).sort((a, b) => b.k - a.k);
  return useful[0];
}
