// Which cases a list shows, and in which order.
import { describe, expect, it } from "vitest";
import type { MoreOfCell } from "../../api/more.ts";
import { viewOf } from "./case-view.ts";
import type { CaseCell } from "./evaluation-state.ts";

const NOTHING: MoreOfCell = { tags: [], passed: 1, failed: 0, values: {} };

const cell = (number: number, name: string, rest: Partial<CaseCell> = {}): CaseCell => ({
  id: name,
  number,
  suite: "s",
  test_id: name,
  name,
  agent: "x",
  verdict: "pass",
  runs: 1,
  flakiness: null,
  cost_usd: null,
  duration_ms: 1,
  change: null,
  pass_rate: null,
  more: NOTHING,
  ...rest,
});

const CELLS = [
  cell(0, "one", { more: { ...NOTHING, p50: 10, p95: 20, cost: 3 } }),
  cell(1, "Two ten", { verdict: "fail", agent: "y", flakiness: 0.5, more: { ...NOTHING, tags: ["slow"] } }),
  cell(2, "two", { suite: "t", more: { ...NOTHING, p50: 5, p95: 50 } }),
  cell(3, "10", { verdict: "unevaluated", change: "regressed", more: { ...NOTHING, cost: 1 } }),
  cell(4, "later", { verdict: "not_run", more: NOTHING }),
];

function places(query: Record<string, string>): number[] {
  const given: Record<string, string> = { tab: "cases", ...query };
  const state = { get: (name: string) => given[name] ?? "", set: () => undefined, href: () => "" };
  return viewOf(CELLS, ["x", "y"], state).cells.map(({ number }) => number);
}

describe("The list of cases", () => {
  it.each<[Record<string, string>, number[]]>([
    [{}, [1, 3, 4, 0, 2]],
    [{ order: "plan" }, [0, 1, 2, 3, 4]],
    [{ q: "TWO" }, [1, 2]],
    [{ q: "two ten" }, [1]],
    [{ q: "slow" }, [1]],
    [{ verdict: "fail" }, [1]],
    [{ verdict: "not_run" }, [4]],
    [{ flaky: "yes" }, [1]],
    [{ agent: "x", order: "plan" }, [0, 2, 3, 4]],
    [{ suite: "t" }, [2]],
    [{ tag: "slow" }, [1]],
    [{ tag: "unknown" }, []],
    [{ change: "regressed" }, [3]],
    [{ order: "by-p95" }, [0, 2, 1, 3, 4]],
    [{ order: "by--p95" }, [2, 0, 1, 3, 4]],
    [{ order: "by-cost" }, [3, 0, 1, 4, 2]],
    [{ order: "by-name" }, [3, 4, 0, 2, 1]],
    [{ order: "nonsense" }, [1, 3, 4, 0, 2]],
  ])("has for %j the cases %j", (query, expected) => expect(places(query)).toEqual(expected));
});
