// A suite as the ATP platform writes it, with everything its format has, means here what it means there.
import { afterAll, beforeAll, expect, test } from "vitest";
import { createSuiteFolder, type SuiteFolder } from "../../../test/support/suites/load-suite.ts";

let folder: SuiteFolder;
beforeAll(async () => {
  folder = await createSuiteFolder({ MODEL: "large" });
});
afterAll(() => folder.remove());

const SUITE = `
test_suite: everything
version: "1.0"
description: all of the format
defaults:
  runs_per_test: 3
  timeout_seconds: 120
  scoring: {quality_weight: 0.5, completeness_weight: 0.5}
  constraints: {max_steps: 10, max_tokens: 1000, allowed_tools: [search], budget_usd: 1.5}
agents:
  - {name: one, type: cli, config: {command: python3, args: [agent.py, "\${MODEL}"]}}
  - {name: two, type: http, config: {endpoint: "http://localhost:1", allow_internal: true}}
tests:
  - id: test-001
    name: First
    description: text
    tags: [smoke, basic]
    task:
      description: Write {{ this }} as it is
      input_data: {anything: {goes: [here]}}
      expected_artifacts: [report.md]
    constraints: {max_steps: 5, allowed_tools: null}
    scoring: {quality_weight: 0.4, completeness_weight: 0.3, efficiency_weight: 0.2, cost_weight: 0.1}
    agents: [one, two]
    mode: comparison
    comparison_config: {metrics: [speed, quality], determine_winner: false, parallel_execution: false}
    assertions:
      - {type: artifact_exists, config: {path: report.md}, critical: true}
      - {type: contains, config: {pattern: "a.c", regex: true, path: report.md}}
      - {type: schema, config: {schema: {type: object}, path: data}}
      - {type: sections, config: {sections: [Intro]}}
      - {type: must_use_tools, config: {tools: [search]}}
      - {type: forbidden_tools, config: {tools: [shell]}}
      - {type: max_tool_calls, config: {limit: 3}}
      - {type: min_tool_calls, config: {limit: 1}}
      - {type: no_errors, config: {}}
      - {type: behavior, config: {must_use_tools: [search], expected_tool_calls: [{tool: search}], tool_call_order: any}}
      - {type: file_exists, config: {path: a.txt}}
      - {type: file_not_exists, config: {path: b.txt}}
      - {type: dir_exists, config: {path: src}}
      - {type: file_contains, config: {path: a.txt, pattern: x}}
      - {type: file_count, config: {path: ".", count: 2, operator: gte}}
      - {type: llm_eval, config: {criteria: completeness, threshold: 0.8}}
      - {type: pytest, config: {path: tests/, threshold: 1}}
      - {type: npm, config: {command: test}}
      - {type: custom_command, config: {command: "true", expect_zero: true}}
      - {type: lint, config: {linter: ruff}}
      - {type: security, config: {checks: [pii_exposure], sensitivity: high}}
      - {type: style, config: {forbidden_words: [foo]}}
      - {type: composite, config: {operator: or, conditions: [{type: no_errors}, {operator: not, condition: {type: no_errors}}]}}
`;

test("loads, and applies defaults as it does there", async () => {
  const { agents, tests } = await folder.load({ "suite.yaml": SUITE });
  expect(agents).toMatchObject([
    { name: "one", command: ["python3", "agent.py", "large"] },
    { name: "two", url: "http://localhost:1" },
  ]);
  expect(tests).toMatchObject([
    {
      id: "test-001",
      task: { description: "Write {{ this }} as it is", expected_artifacts: [{ name: "report.md" }] },
      // The timeout of the defaults is applied here; there it never was.
      constraints: {
        max_steps: 5,
        max_tokens: 1000,
        allowed_tools: ["search"],
        budget_usd: 1.5,
        timeout_seconds: 120,
      },
      runs: 3,
      agents: ["one", "two"],
      scoring: { quality_weight: 0.4, completeness_weight: 0.3, efficiency_weight: 0.2, cost_weight: 0.1 },
      contest: { metrics: ["speed", "quality"], determineWinner: false, parallel: false },
    },
  ]);
  const [first] = tests;
  expect((first?.checks.length ?? 0) + (first?.caseChecks.length ?? 0)).toBe(23);
  expect(first?.checks[0]).toMatchObject({ critical: true, weight: 1 });
});

test("scoring counts what is absent as nothing; a contest has its defaults", async () => {
  const { tests } = await folder.load({
    "suite.yaml": `test_suite: s
defaults: {scoring: {quality_weight: 0.5, completeness_weight: 0.5}}
tests:
  - {id: a, name: A, task: {description: x}, mode: comparison}
  - {id: b, name: B, task: {description: x}, scoring: {cost_weight: 1}}
`,
  });
  expect(tests.map(({ scoring }) => scoring)).toEqual([
    { quality_weight: 0.5, completeness_weight: 0.5, efficiency_weight: 0, cost_weight: 0 },
    { quality_weight: 0, completeness_weight: 0, efficiency_weight: 0, cost_weight: 1 },
  ]);
  expect(tests[0]?.contest).toEqual({
    metrics: ["quality", "speed", "cost"],
    determineWinner: true,
    parallel: true,
  });
  expect(tests[1]).not.toHaveProperty("contest");
});

test.each([
  [
    "",
    "pass_rate: 0.9",
    { runs: 100, gate: { at_least: 0.9, confidence: 0.95, max_runs: 100, sequential: true } },
  ],
  ["runs_per_test: 20", "pass_rate: 0.9", { runs: 20, gate: { max_runs: 20 } }],
  ["runs_per_test: 20", "runs_per_test: 1, pass_rate: 0.9", { runs: 100 }],
  [
    "pass_rate: 0.5",
    "pass_rate: {at_least: 0.8, max_runs: 7, sequential: false, confidence: 0.9}",
    { runs: 7, gate: { at_least: 0.8, confidence: 0.9, sequential: false } },
  ],
  ["pass_rate: {at_least: 0.5}", "tags: [x]", { runs: 100, gate: { at_least: 0.5 } }],
  [
    "runs_per_test: 4, concurrency: 2, threshold: 0.5",
    "runs_per_test: 2",
    { runs: 2, concurrency: 2, threshold: 0.5 },
  ],
  [
    "concurrency: 2, threshold: 0.5",
    "concurrency: 3, threshold: 1",
    { runs: 1, concurrency: 3, threshold: 1 },
  ],
  ["tags: [a, b], agents: [one]", "tags: [b, c]", { tags: ["a", "b", "c"], agents: ["one"] }],
  ["agents: [one]", "agents: [two]", { agents: ["two"] }],
])("defaults {%s} and a test {%s}", async (defaults, own, expected) => {
  const text = `test_suite: s
agents: [{name: one, command: x}, {name: two, command: x}]
defaults: {${defaults}}
tests: [{id: t, name: T, task: {description: x}, ${own}}]
`;
  const { tests } = await folder.load({ "suite.yaml": text });
  expect(tests[0]).toMatchObject(expected);
});
