// Which cases the table shows, and in which order.
import { describe, expect, it } from "vitest";
import type { Verdict } from "../../components/status.tsx";
import { viewOf } from "./case-view.ts";
import type { CaseCell } from "./evaluation-state.ts";

const cell = (
  number: number,
  test: string,
  agent: string,
  verdict: Verdict,
  more: Partial<CaseCell> = {},
): CaseCell => ({
  id: `${test}-${agent}`,
  number,
  suite: "s",
  test_id: test,
  name: test,
  agent,
  verdict,
  runs: 1,
  flakiness: null,
  cost_usd: null,
  duration_ms: 1,
  change: null,
  pass_rate: null,
  ...more,
});

const CELLS = [
  cell(0, "fine", "ada", "pass", { cost_usd: 1 }),
  cell(1, "fine", "bob", "pass", { cost_usd: 3 }),
  cell(2, "unsure", "ada", "unevaluated", { cost_usd: 2 }),
  cell(3, "bad", "ada", "pass", { flakiness: 0.5 }),
  cell(4, "bad", "bob", "fail"),
];

function view(query: Record<string, string>) {
  const state = { get: (name: string) => query[name] ?? "", set: () => undefined, href: () => "" };
  return viewOf(CELLS, ["bob", "ada"], state);
}
const tests = (query: Record<string, string>): string[] => view(query).rows.map(({ name }) => name);

describe("The table of an evaluation", () => {
  it("has what failed first, then what could not be evaluated", () => {
    expect(tests({})).toEqual(["bad", "unsure", "fine"]);
  });

  it.each([
    ["plan", ["fine", "unsure", "bad"]],
    ["cost", ["fine", "unsure", "bad"]],
    ["flaky", ["bad", "fine", "unsure"]],
    ["constructor", ["bad", "unsure", "fine"]],
  ])("is ordered by %s when the address says so", (order, expected) => {
    expect(tests({ order })).toEqual(expected);
  });

  it("leads from case to case as it is read: row by row, agents as they were planned", () => {
    expect(view({}).agents).toEqual(["bob", "ada"]);
    expect(view({}).sequence).toEqual(["bad-bob", "bad-ada", "unsure-ada", "fine-bob", "fine-ada"]);
    expect(view({ verdict: "fail,unevaluated" }).sequence).toEqual(["bad-bob", "unsure-ada"]);
  });

  it("finds every word of a search, whatever its case", () => {
    expect(tests({ q: "S FI" })).toEqual(["fine"]);
    expect(tests({ q: "fine nowhere" })).toEqual([]);
  });
});
