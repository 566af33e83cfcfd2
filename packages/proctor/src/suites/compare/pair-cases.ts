// Finds each case of one set of results in the other. What makes it the same is its suite, its test and its agent.
import { caseIdentifier } from "../plan.ts";
import { combineOutcomes } from "../verdict.ts";
import type { ResultCase } from "./comparison.ts";

export interface CasePair {
  suite: string;
  test_id: string;
  agent: string;
  before?: ResultCase;
  after?: ResultCase;
}

/** Pairs the cases, sorted by name, so that the same results give the same document. */
export function pairCases(before: readonly ResultCase[], after: readonly ResultCase[]): CasePair[] {
  const pairs = new Map<string, CasePair>();
  for (const [side, cases] of [["before", before] as const, ["after", after] as const]) {
    for (const one of cases) {
      const { suite, test_id, agent } = one;
      const name = caseIdentifier(suite, test_id, agent);
      const pair = pairs.get(name) ?? { suite, test_id, agent };
      const known = pair[side];
      pair[side] = known ? united(known, one) : one;
      pairs.set(name, pair);
    }
  }
  return [...pairs.values()].sort(byName);
}

export function byName(a: Pick<CasePair, "suite" | "test_id" | "agent">, b: typeof a): number {
  return inOrder(a.suite, b.suite) || inOrder(a.test_id, b.test_id) || inOrder(a.agent, b.agent);
}

/** Unites indistinguishable cases of two suites with the same name: their runs are counted together. */
function united(one: ResultCase, other: ResultCase): ResultCase {
  return {
    ...one,
    key: [...new Set([one.key, other.key])].sort().join("+"),
    outcome: combineOutcomes([one.outcome, other.outcome]),
    runs: [...one.runs, ...other.runs],
  };
}

/** Compares by code units, so that the order does not depend on the machine's language. */
function inOrder(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}
