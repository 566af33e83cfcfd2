import { describe, expect, test } from "vitest";
import { DEFAULT_SCORING, type Suite, type SuiteTest } from "./suite.ts";
import { caseName, createPlan } from "./plan.ts";
import type { Selection } from "./plan.ts";

const one = (id: string, tags: string[] = [], rest: Partial<SuiteTest> = {}): SuiteTest => ({
  id,
  name: id,
  tags,
  task: { description: id },
  constraints: { max_steps: 3 },
  runs: 1,
  checks: [],
  caseChecks: [],
  scoring: DEFAULT_SCORING,
  folder: "/",
  file: "s.yaml",
  line: 1,
  col: 1,
  ...rest,
});

const agent = (name: string): Suite["agents"][number] => ({
  name,
  protocol: "atp",
  transport: "stdio",
  command: [name],
});

const suite = (tests: SuiteTest[], agents = [agent("a")]): Suite => ({
  file: "s.yaml",
  name: "s",
  agents,
  tests,
});

const names = (from: Suite, selection?: Selection): string[] =>
  createPlan([from], selection).cases.map(caseName);

describe("the filters of a plan", () => {
  const tagged = suite([one("1", ["fast", "net"]), one("2", ["fast"]), one("3", ["slow"]), one("4")]);

  test.each([
    ["fast", ["1", "2"]],
    ["fast,slow", ["1", "2", "3"]],
    ["!fast", ["3", "4"]],
    [" fast , !net ", ["2"]],
    ["", ["1", "2", "3", "4"]],
  ])("take and leave out tests by the tags %j", (tags, ids) => {
    expect(names(tagged, { tags })).toEqual(ids.map((id) => `${id} [a]`));
  });

  test("combine ids with tags", () => {
    expect(names(tagged, { ids: ["2", "3"] })).toEqual(["2 [a]", "3 [a]"]);
    expect(names(tagged, { ids: ["2", "3"], tags: "slow" })).toEqual(["3 [a]"]);
  });

  test.each([
    ["refund", ["refund[late]", "refund[early]"]],
    ["refund[late]", ["refund[late]"]],
    ["refund*", ["refund[late]", "refund[early]", "refunded"]],
    ["*[late]", ["refund[late]"]],
    ["Knows the policy", ["refund[late]", "refund[early]"]],
    ["knows", ["refund[late]", "refund[early]", "other"]],
    ["Knows * else", ["other"]],
  ])("take --only %j as ids, rows of an id, patterns or parts of names", (word, ids) => {
    const named = suite([
      one("refund[late]", [], { name: "Knows the policy" }),
      one("refund[early]", [], { name: "Knows the policy" }),
      one("refunded", [], { name: "Is polite" }),
      one("other", [], { name: "Knows something else" }),
    ]);
    expect(names(named, { ids: [word] })).toEqual(ids.map((id) => `${id} [a]`));
  });

  test("fail when they name nothing: a typo must not look like success", () => {
    expect(() => names(tagged, { tags: "fsat" })).toThrow(
      /no test has the tag "fsat"\n {3}did you mean "fast"\?/,
    );
    expect(() => names(tagged, { ids: ["5555"] })).toThrow(
      /no test has the id "5555", .*\n {3}see what there is: proctor test --list/,
    );
    expect(() => names(tagged, { tags: "fast", ids: ["3"] })).toThrow(/leave no test to run/);
    expect(() => names(tagged, { tags: "!fast,!slow,fast" })).toThrow(/leave no test to run/);
  });

  test("look at all suites together", () => {
    const plan = createPlan([tagged, suite([one("9", ["rare"])])], { tags: "rare" });
    expect(plan.cases.map(caseName)).toEqual(["9 [a]"]);
  });
});

describe("the agents of a plan", () => {
  const two = [agent("a"), agent("b")];

  test("run every test, unless the test names some of them", () => {
    expect(names(suite([one("1"), one("2", [], { agents: ["b"] })], two))).toEqual([
      "1 [a]",
      "1 [b]",
      "2 [b]",
    ]);
  });

  test("go to the hub in the long form, without their name", () => {
    expect(createPlan([suite([one("1")])]).cases[0]?.agent.target).toEqual({
      protocol: "atp",
      transport: "stdio",
      command: ["a"],
    });
  });

  test("can be replaced by an address, a registered name or a declared one", () => {
    const plan = createPlan([suite([one("1", [], { agents: ["a"] })], two)], {
      agents: ["atp+http://u:pw@host/", "registered", "b"],
    });
    expect(plan.cases.map(({ agent }) => agent)).toEqual([
      { label: "atp+http://***@host/", target: "atp+http://u:pw@host/" },
      { label: "registered", target: "registered" },
      { label: "b", target: expect.objectContaining({ command: ["b"] }) },
    ]);
  });

  test("are required", () => {
    const bare = suite([one("1")], []);
    expect(() => names(bare)).toThrow(/s\.yaml {2}the suite declares no agent\n {3}.*--agent/);
    expect(names(bare, { agents: ["x"] })).toEqual(["1 [x]"]);
  });
});

test("a plan may replace the number of runs and the time limit", () => {
  const plan = createPlan([suite([one("1", [], { runs: 2 })])], { runs: 5, timeoutSeconds: 7 });
  expect(plan.cases[0]).toMatchObject({ runs: 5, constraints: { max_steps: 3, timeout_seconds: 7 } });
  expect(createPlan([suite([one("1", [], { runs: 2 })])]).cases[0]).toMatchObject({
    runs: 2,
    constraints: { max_steps: 3 },
  });
});
