import { expect, test } from "vitest";
import type { JsonObject } from "../../core/json.ts";
import { jsonReporter } from "./json.ts";
import {
  attempt,
  everything,
  hostile,
  LONG,
  plan,
  play,
  repeated,
  result,
  summaryOf,
} from "../../../test/support/reporters/results.ts";
import { eventually } from "../../../test/support/eventually.ts";
import { findCollector } from "../../../test/support/find-collector.ts";

const parse = (text: string): JsonObject & { cases: JsonObject[] } =>
  JSON.parse(text) as JsonObject & { cases: JsonObject[] };

test("the JSON report is one snake_case document with everything that is known of a run", () => {
  const { plan: planned, results } = everything();
  const document = parse(play(jsonReporter, planned, results));
  expect(document).toMatchObject({
    summary: {
      total: 5,
      passed: 1,
      failed: 2,
      unevaluated: 1,
      not_run: 1,
      stopped: "interrupted",
      interrupted: true,
      duration_ms: 1249,
      runs: { total: 6, passed: 2, failed: 3, unevaluated: 1, cached: 0 },
    },
    contests: [],
    comparison: null,
    not_run: [{ test_id: "late" }],
  });
  const { runs, statistics, ...bad } = document.cases[1] ?? {};
  expect(bad).toEqual({
    suite: "smoke",
    file: "suites/smoke.yaml",
    line: 7,
    test_id: "bad",
    name: "Test bad",
    tags: ["fast"],
    agent: "echo",
    outcome: "fail",
    duration_ms: 1234,
    gate: null,
    checks: [],
  });
  expect(statistics).toMatchObject({ runs: 3, passed: 1, pass_rate: { confidence: 0.95 } });
  const place = { file: "suites/smoke.yaml", col: 9 };
  expect(runs).toHaveProperty("0", {
    run_number: 1,
    run_id: "r1",
    source: "run",
    ran_at: "2026-01-02T03:04:05.000Z",
    retried: [],
    status: "completed",
    outcome: "fail",
    score: null,
    failure: null,
    reason: null,
    isolated: null,
    notes: [],
    duration_ms: 5,
    thread: null,
    metrics: {},
    checks: [
      { type: "contains", critical: false, weight: 1, ...place, line: 11, outcome: "pass", message: "found" },
      {
        type: "contains",
        critical: false,
        weight: 1,
        ...place,
        line: 12,
        outcome: "fail",
        message: '"hello" not found',
      },
    ],
  });
  expect(document.cases[3]).toMatchObject({ runs: [{ run_id: null, ran_at: null, status: null }] });
});

test("the JSON report has gates, checks of all runs, sources, retries, contests and the comparison unchanged", () => {
  const { plan: planned, results, rest } = repeated();
  const document = parse(play(jsonReporter, planned, results, rest));
  expect(document.cases[1]).toMatchObject({ gate: { decision: "inconclusive", more_runs: 34 } });
  expect(document.cases[3]).toMatchObject({
    runs: [{ source: "cached" }, {}, {}, { source: "resumed" }, { source: "rescored", retried: ["r0"] }],
  });
  expect(document.cases[4]).toMatchObject({
    checks: [{ message: "the spread is 3 s", outcome: "fail", line: 20 }],
  });
  expect(document).toMatchObject({
    summary: { stopped: "fail-fast", interrupted: false, runs: { cached: 3, resumed: 1, rescored: 1 } },
    contests: rest.contests,
    comparison: rest.comparison,
  });
});

test("the JSON report is indented as if written at once, and valid without any case", () => {
  const { plan: planned, results } = everything();
  const text = play(jsonReporter, planned, results);
  expect(text).toBe(`${JSON.stringify(parse(text), null, 2)}\n`);
  expect(parse(play(jsonReporter, planned, []))).toMatchObject({ cases: [], summary: { not_run: 5 } });
});

test("the JSON report repeats texts exactly", () => {
  for (const { plan: planned, results } of [...hostile(), ...hostile([LONG])]) {
    const { cases } = parse(play(jsonReporter, planned, results));
    expect(cases[1]).toHaveProperty("runs.0.reason", results[1]?.attempts[0]?.reason);
    expect(cases[0]).toHaveProperty("suite", planned.cases[0]?.suite.name);
  }
});

test("the JSON report writes a case when it ends, and keeps nothing of it", async () => {
  const collect = findCollector();
  const planned = plan(["one"]);
  let size = 0;
  const reporter = jsonReporter({ write: (text) => void (size += text.length) });
  reporter.start(planned);
  const kept = Array.from({ length: 20 }, () => {
    const before = size;
    const one = result(planned, 0, [attempt("fail", { reason: "x".repeat(1000) })]);
    reporter.caseEnded(one);
    expect(size).toBeGreaterThan(before + 1000);
    return new WeakRef(one.attempts);
  });
  // What was made in this turn of the loop lives until its end, and one collection may not find everything.
  await eventually(() => {
    collect();
    expect(kept.filter((one) => one.deref() !== undefined)).toEqual([]);
  });
  reporter.end(summaryOf(planned, []));
});
