// Two agents as two sides, and the word on who is better.
import { describe, expect, it } from "vitest";
import { alignAgents, decideWinner, resultsOfAgent, type Verdict } from "./compare-agents.ts";
import { compareResults } from "./compare-results.ts";
import type { ResultCase } from "./comparison.ts";
import { resultCase, resultSet } from "../../../test/support/compare/results.ts";

const of = (agent: string, ...cases: ResultCase[]): ResultCase[] =>
  cases.map((one) => ({ ...one, agent, key: agent }));

function decide(first: ResultCase[], second: ResultCase[]): Verdict {
  const set = resultSet([...of("old", ...first), ...of("new", ...second)]);
  return decideWinner(compareResults(resultsOfAgent(set, "old"), resultsOfAgent(set, "new")));
}

describe("the winner", () => {
  it("is who passes significantly more often", () => {
    const [good, bad] = [[resultCase("x", [10])], [resultCase("x", [1, 9])]];
    expect(decide(good, bad)).toEqual({ winner: "old", text: "old is better than new" });
    expect(decide(bad, good)).toEqual({ winner: "new", text: "new is better than old" });
  });

  it("is nobody when each is better at something", () => {
    const verdict = decide(
      [resultCase("x", [20]), resultCase("y", [0, 20])],
      [resultCase("x", [0, 20]), resultCase("y", [20])],
    );
    expect(verdict).toEqual({ winner: null, text: "no winner: old is better at 1 test, new at 1" });
  });

  it("is nobody when no difference is found, with what could have been", () => {
    const ids = Array.from({ length: 10 }, (_, index) => `t${index}`);
    const same = ids.map((id) => resultCase(id, [10]));
    expect(decide(same, same).text).toBe(
      "no difference found; these 200 runs could have shown a difference of 50 points (5 of 10 tests), or of 59 points in one test",
    );
    const few = [resultCase("x", [1])];
    expect(decide(few, few).text).toBe("no difference found; 2 runs are too few to show any");
    expect(decide(few, [resultCase("y", [1])]).text).toBe("not compared: no case is in both");
  });
});

it("two agents are not taken for an edit of a case", () => {
  const set = resultSet([...of("old", resultCase("x", [1])), ...of("new", resultCase("x", [1]))]);
  const comparison = compareResults(resultsOfAgent(set, "old"), resultsOfAgent(set, "new"));
  expect(comparison.cases).toMatchObject([{ test_id: "x", agent: "", edited: false, change: "unchanged" }]);
});

it("two files of one agent each are about the agents, if they differ", () => {
  const [one, other] = [
    resultSet(of("old", resultCase("x", [1]))),
    resultSet(of("new", resultCase("x", [1]))),
  ];
  expect(alignAgents(one, other)).toMatchObject([{ name: "old", cases: [{ agent: "" }] }, { name: "new" }]);
  expect(alignAgents(one, one)).toEqual([one, one]);
  const both = resultSet([...one.cases, ...other.cases]);
  expect(alignAgents(one, both)).toEqual([one, both]);
});
