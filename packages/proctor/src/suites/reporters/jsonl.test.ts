import { expect, test } from "vitest";
import type { JsonObject } from "../../core/json.ts";
import type { CaseResult } from "../result.ts";
import { jsonReporter } from "./json.ts";
import { jsonlReporter } from "./jsonl.ts";
import {
  attempt,
  everything,
  hostile,
  LONG,
  plan,
  play,
  result,
  summaryOf,
} from "../../../test/support/reporters/results.ts";
import { eventually } from "../../../test/support/eventually.ts";
import { findCollector } from "../../../test/support/find-collector.ts";

const parse = (text: string): JsonObject[] =>
  text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as JsonObject);

test("JSONL has the documents of the JSON report, one per line: runs, then their case, the summary last", () => {
  const { plan: planned, results } = everything();

  const lines = parse(play(jsonlReporter, planned, results));

  const whole = JSON.parse(play(jsonReporter, planned, results)) as {
    cases: (JsonObject & { runs: JsonObject[] })[];
  };
  const { cases, ...rest } = whole;
  const expected = cases.flatMap((document) => {
    const {
      outcome: _,
      duration_ms: __,
      statistics: ___,
      gate: ____,
      checks: _____,
      runs,
      ...identity
    } = document;
    return [...runs.map((run) => ({ type: "run", ...identity, ...run })), { type: "case", ...document }];
  });
  expect(lines).toEqual([...expected, { type: "summary", ...rest }]);
  expect(lines.at(-1)).toMatchObject({ summary: { failed: 2, not_run: 1 }, not_run: [{ test_id: "late" }] });
});

test("JSONL writes a run and a case when they end", () => {
  const { plan: planned, results } = everything();
  const written: string[] = [];
  const reporter = jsonlReporter({ write: (text) => written.push(text) });

  reporter.start(planned);
  expect(written).toHaveLength(0);
  for (const [index, one] of results.entries()) {
    reporter.attemptEnded?.(one.case, one.attempts[0]!);
    expect(written).toHaveLength(2 * index + 1);
    reporter.caseEnded(one);
    expect(written).toHaveLength(2 * index + 2);
  }
  reporter.end(summaryOf(planned, results));
  expect(written).toHaveLength(2 * results.length + 1);
});

test("JSONL keeps nothing of a case that it has written", async () => {
  const collect = findCollector();
  const planned = plan(["one"]);
  const reporter = jsonlReporter({ write: () => undefined });
  const reports = Array.from({ length: 20 }, () => {
    const one: CaseResult = result(planned, 0, [attempt("fail", { reason: "x".repeat(1000) })]);
    reporter.attemptEnded?.(one.case, one.attempts[0]!);
    reporter.caseEnded(one);
    return new WeakRef(one.attempts);
  });

  // What was made in this turn of the loop lives until its end, and what is still being compiled a little longer.
  await eventually(() => {
    collect();
    expect(reports.filter((one) => one.deref() !== undefined)).toEqual([]);
  });
  reporter.end(summaryOf(planned, []));
});

test("a JSONL line is a line to every reader, and says exactly what was said", () => {
  for (const { plan: planned, results } of [...hostile(), ...hostile([LONG])]) {
    const text = play(jsonlReporter, planned, results);
    // oxlint-disable-next-line no-control-regex
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u2029]/);
    const lines = parse(text);
    expect(lines).toHaveLength(2 * results.length + 1);
    expect(lines[1]).toMatchObject({
      suite: planned.cases[0]?.suite.name,
      test_id: planned.cases[0]?.test.id,
    });
    expect(lines[2]).toHaveProperty("reason", results[1]?.attempts[0]?.reason);
    expect(lines[3]).toHaveProperty("runs.0.reason", results[1]?.attempts[0]?.reason);
  }
});
