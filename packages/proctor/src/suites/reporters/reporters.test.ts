import { assert, constant, oneof, property, string } from "fast-check";
import { beforeEach, describe, expect, test } from "vitest";
import type { Suite, SuiteTest } from "../load.ts";
import { createPlan } from "../plan.ts";
import type { Plan } from "../plan.ts";
import type { Reporter } from "../reporter.ts";
import type { AttemptResult, CaseResult, Summary } from "../result.ts";
import { consoleReporter } from "./console.ts";
import { jsonReporter } from "./json.ts";
import { escapeXml, junitReporter } from "./junit.ts";

let output: string;
beforeEach(() => {
  output = "";
});
const write = (text: string): void => {
  output += text;
};

const one = (id: string): SuiteTest => ({
  id,
  name: `Test ${id}`,
  tags: ["fast"],
  task: { description: id },
  constraints: {},
  runs: 1,
  checks: [],
  line: 7,
  col: 5,
});

const suite = (...ids: string[]): Suite => ({
  file: "suites/smoke.yaml",
  name: "smoke & mirrors",
  agents: [{ name: "echo", protocol: "atp", transport: "stdio", command: ["x"] }],
  tests: ids.map(one),
});

const passed: AttemptResult = {
  number: 1,
  outcome: "pass",
  runId: "r1",
  status: "completed",
  checks: [],
  durationMs: 100,
};
const failed: AttemptResult = {
  number: 2,
  outcome: "fail",
  runId: "r2",
  status: "completed",
  checks: [
    {
      type: "no_errors",
      critical: false,
      line: 11,
      col: 9,
      verdict: { outcome: "pass", message: "no errors" },
    },
    {
      type: "contains",
      critical: true,
      line: 12,
      col: 9,
      verdict: { outcome: "fail", message: '"<b>" not found & lost' },
    },
  ],
  durationMs: 250,
};
const crashed: AttemptResult = {
  number: 1,
  outcome: "fail",
  runId: "r3",
  status: "failed",
  failure: { code: "AGENT_CRASHED", message: "exit 1" },
  reason: "the run ended as failed: AGENT_CRASHED: exit 1\n\u001b[31mTraceback\u0000",
  checks: [],
  durationMs: 10,
};
const unknown: AttemptResult = {
  number: 1,
  outcome: "unevaluated",
  reason: "the hub is gone",
  checks: [],
  durationMs: 0,
};

const plan: Plan = createPlan([suite("good", "bad", "crash", "lost", "late")]);
const attempts = [[passed], [passed, failed], [crashed], [unknown]];
const results: CaseResult[] = attempts.map((all, index) => ({
  case: plan.cases[index]!,
  outcome: all.at(-1)!.outcome,
  attempts: all,
  durationMs: 1234,
}));
const summary: Summary = {
  total: 5,
  passed: 1,
  failed: 2,
  unevaluated: 1,
  notRun: plan.cases.slice(4),
  interrupted: true,
  durationMs: 1249,
};

function play(reporter: Reporter): string {
  reporter.start(plan);
  for (const result of results) {
    reporter.caseStarted?.(result.case);
    reporter.caseEnded(result);
  }
  reporter.end(summary);
  return output;
}

describe("console", () => {
  test("in a pipe: plain lines, reasons with their place, a summary", () => {
    expect(play(consoleReporter({ write, color: false, live: false })).split("\n")).toEqual([
      "PASS  good [echo]  (1.2s)",
      "FAIL  bad [echo]  (1.2s, 2 runs)",
      '    run 2: contains (critical): "<b>" not found & lost',
      "      suites/smoke.yaml:12:9",
      "      run r2",
      "FAIL  crash [echo]  (1.2s)",
      "    the run ended as failed: AGENT_CRASHED: exit 1",
      "    \\u001b[31mTraceback\\u0000",
      "      run r3",
      "UNEVALUATED  lost [echo]  (1.2s)",
      "    the hub is gone",
      "interrupted, 1 not run",
      "",
      "1 passed, 2 failed, 1 unevaluated  in 1.2s",
      "",
    ]);
  });

  test("colours only when told to", () => {
    expect(play(consoleReporter({ write, color: true, live: false }))).toContain("\u001b[32mPASS\u001b[39m");
  });

  test("on a terminal: a line in place that never outlives the next", () => {
    const text = play(consoleReporter({ write, color: false, live: true, columns: () => 30 }));
    expect(text).toContain("\r\u001b[2K0/5  running good [echo]");
    expect(text).toContain("\r\u001b[2KPASS  good [echo]");
    const progress = text.split("\r\u001b[2K").filter((part) => /^\d\/5/.test(part));
    expect(progress.length).toBeGreaterThan(1);
    for (const line of progress) expect(line.length).toBeLessThan(30);
    expect(text.endsWith("in 1.2s\n")).toBe(true);
  });
});

describe("junit", () => {
  test("writes one document with counts, reasons and what was not run", () => {
    expect(play(junitReporter({ write }))).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="proctor" tests="5" failures="2" errors="1" skipped="1" time="1.249">
  <testsuite name="smoke &amp; mirrors" file="suites/smoke.yaml" tests="5" failures="2" errors="1" skipped="1" time="4.936">
    <testcase classname="smoke &amp; mirrors" name="good [echo]" file="suites/smoke.yaml" line="7" time="1.234"/>
    <testcase classname="smoke &amp; mirrors" name="bad [echo]" file="suites/smoke.yaml" line="7" time="1.234"><failure message="run 2: contains: &quot;&lt;b&gt;&quot; not found &amp; lost (suites/smoke.yaml:12:9)" type="fail">run 2: contains: &quot;&lt;b&gt;&quot; not found &amp; lost (suites/smoke.yaml:12:9)</failure></testcase>
    <testcase classname="smoke &amp; mirrors" name="crash [echo]" file="suites/smoke.yaml" line="7" time="1.234"><failure message="the run ended as failed: AGENT_CRASHED: exit 1&#10;\ufffd[31mTraceback\ufffd" type="fail">the run ended as failed: AGENT_CRASHED: exit 1&#10;\ufffd[31mTraceback\ufffd</failure></testcase>
    <testcase classname="smoke &amp; mirrors" name="lost [echo]" file="suites/smoke.yaml" line="7" time="1.234"><error message="the hub is gone" type="unevaluated">the hub is gone</error></testcase>
    <testcase classname="smoke &amp; mirrors" name="late [echo]" file="suites/smoke.yaml" line="7" time="0.000"><skipped message="interrupted"/></testcase>
  </testsuite>
</testsuites>
`);
  });

  test("no text can break out of the document", () => {
    const nasty = oneof(string({ unit: "binary" }), constant("]]>\u0000\ud800<a b='\"&\uffff"));
    assert(
      property(nasty, (text) => {
        const escaped = escapeXml(text);
        expect(escaped).not.toMatch(/[<>"'\t\n\r]|&(?!(?:amp|lt|gt|quot|apos|#\d+);)/);
        // The Char production of XML 1.0, without the white space that is written as a reference.
        expect(escaped).toMatch(/^[\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]*$/u);
      }),
    );
    expect(escapeXml("😀 ü\ud800")).toBe("😀 ü\ufffd");
  });
});

test("json: one document in snake_case", () => {
  const document: unknown = JSON.parse(play(jsonReporter({ write })));
  expect(document).toMatchObject({
    summary: {
      total: 5,
      passed: 1,
      failed: 2,
      unevaluated: 1,
      not_run: 1,
      interrupted: true,
      duration_ms: 1249,
    },
    not_run: [{ test_id: "late" }],
  });
  expect(document).toHaveProperty("cases.1", {
    suite: "smoke & mirrors",
    file: "suites/smoke.yaml",
    line: 7,
    test_id: "bad",
    name: "Test bad",
    tags: ["fast"],
    agent: "echo",
    outcome: "fail",
    duration_ms: 1234,
    runs: [
      expect.objectContaining({ run_number: 1, run_id: "r1", outcome: "pass", failure: null, reason: null }),
      {
        run_number: 2,
        run_id: "r2",
        status: "completed",
        outcome: "fail",
        failure: null,
        reason: null,
        duration_ms: 250,
        checks: [
          { type: "no_errors", critical: false, line: 11, col: 9, outcome: "pass", message: "no errors" },
          {
            type: "contains",
            critical: true,
            line: 12,
            col: 9,
            outcome: "fail",
            message: '"<b>" not found & lost',
          },
        ],
      },
    ],
  });
});
