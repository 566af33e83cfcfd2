import { expect, test } from "vitest";
import { parseDocument } from "yaml";
import {
  attempt,
  check,
  everything,
  HOSTILE,
  hostile,
  LONG,
  plan,
  play,
  repeated,
  result,
} from "../../../test/support/reporters/results.ts";
import { tapReporter } from "./tap.ts";

interface Point {
  ok: boolean;
  number: number;
  description: string;
  directive?: string;
  yaml?: Record<string, unknown>;
}

interface TapDocument {
  planned: number;
  points: Point[];
  bailOut?: string;
  /** As the specification has it for a harness: failing points count unless TODO or SKIP, and the plan must be kept. */
  passed: boolean;
}

/** TAP 14 as its specification reads, without subtests and pragmas, and strict: any other line is an error. */
function readTap(text: string): TapDocument {
  const lines = text.replaceAll(/\r\n?/g, "\n").split("\n");
  expect(lines.shift()).toBe("TAP version 14");
  expect(lines.pop()).toBe("");
  const points: Point[] = [];
  let planned: number | undefined;
  let bailOut: string | undefined;
  for (let line = lines.shift(); line !== undefined; line = lines.shift()) {
    const plan = /^1\.\.(\d+)$/.exec(line);
    const point = /^(not )?ok (\d+)(?: -)?(?: (.*))?$/.exec(line);
    const bail = /^Bail out!(?: (.*))?$/i.exec(line);
    if (plan) {
      expect(planned, "one plan").toBeUndefined();
      planned = Number(plan[1]);
    } else if (point) {
      points.push({
        ok: point[1] === undefined,
        number: Number(point[2]),
        ...readDescription(point[3] ?? ""),
      });
    } else if (bail) {
      bailOut = bail[1] ?? "";
    } else if (line === "  ---") {
      points.at(-1)!.yaml = readYaml(lines);
    } else throw new Error(`not TAP: ${line.slice(0, 200)}`);
    if (bailOut !== undefined) expect(lines, "nothing follows a bail out").toEqual([]);
  }
  const kept = points.length === planned && points.every(({ number }) => number >= 1 && number <= planned);
  const failing = points.some(({ ok, directive }) => !ok && directive === undefined);
  return {
    planned: planned ?? Number.NaN,
    points,
    ...(bailOut !== undefined && { bailOut }),
    passed: kept && !failing && bailOut === undefined,
  };
}

/** The first `#` that is not escaped and stands between blanks begins a directive. */
function readDescription(text: string): { description: string; directive?: string } {
  const [, before = "", directive] = /^((?:[^\\#]|\\.)*?)(?:(?:^|\s)#\s+(.*))?$/s.exec(text) ?? [];
  const whole = before === "" && directive === undefined ? text : before;
  const description = whole.replaceAll(/\\([\\#])/g, "$1").trim();
  return directive === undefined ? { description } : { description, directive };
}

function readYaml(lines: string[]): Record<string, unknown> {
  const end = lines.indexOf("  ...");
  expect(end, "the end of the diagnostics").toBeGreaterThan(-1);
  const block = lines.splice(0, end + 1).slice(0, -1);
  for (const line of block) expect(line.startsWith("  ")).toBe(true);
  const document = parseDocument(block.map((line) => line.slice(2)).join("\n"), { version: "1.2" });
  expect([...document.errors, ...document.warnings]).toEqual([]);
  return document.toJS() as Record<string, unknown>;
}

test("TAP has the plan first, a point per case, diagnostics under what did not pass", () => {
  const { plan: planned, results } = everything();

  const text = play(tapReporter, planned, results);

  expect(text.split("\n").slice(0, 8)).toEqual([
    "TAP version 14",
    "1..5",
    "ok 1 - smoke: good [echo]",
    "not ok 2 - smoke: bad [echo]",
    "  ---",
    "  severity: fail",
    '  suite: "smoke"',
    '  test_id: "bad"',
  ]);
  const { points, bailOut, planned: count, passed } = readTap(text);
  expect({ count, bailOut, passed }).toEqual({ count: 5, bailOut: "interrupted, 1 not run", passed: false });
  expect(
    points.map(({ ok, number, directive, yaml }) => [ok, number, directive, yaml?.["severity"]]),
  ).toEqual([
    [true, 1, undefined, undefined],
    [false, 2, undefined, "fail"],
    [false, 3, undefined, "fail"],
    [false, 4, undefined, "unevaluated"],
  ]);
  expect(points[1]?.yaml).toEqual({
    severity: "fail",
    suite: "smoke",
    test_id: "bad",
    agent: "echo",
    file: "suites/smoke.yaml",
    line: 7,
    duration_ms: 1234,
    runs: 3,
    passed: 1,
    pass_rate: result(planned, 1, results[1]!.attempts).statistics.pass_rate,
    reasons: [
      {
        outcome: "fail",
        message: 'contains: "hello" not found',
        file: "suites/smoke.yaml",
        line: 12,
        col: 9,
        runs: 2,
        run_id: "r1",
      },
      {
        outcome: "unevaluated",
        message: "contains: no events",
        file: "suites/smoke.yaml",
        line: 13,
        col: 9,
        runs: 1,
        run_id: "r3",
      },
    ],
  });
});

test("TAP has the figures of several runs under the test point, even when it passed", () => {
  const { plan: planned, results, rest } = repeated();
  const { points, bailOut } = readTap(play(tapReporter, planned, results, rest));
  expect(bailOut).toBe("stopped by --fail-fast, 5 not run");
  expect(points[1]?.yaml).toMatchObject({
    passed: 8,
    score: 80,
    gate: { decision: "inconclusive", more_runs: 34 },
  });
  expect(points[3]).toMatchObject({
    ok: true,
    yaml: { severity: "pass", runs: 5, sources: "1 resumed, 3 cached, 1 rescored", pass_rate: { value: 1 } },
  });
  expect(points[3]?.yaml).not.toHaveProperty("reasons");
});

test("a TAP harness passes only when everything passed", () => {
  const planned = plan(["one", "two"]);
  const passes = (second: "pass" | "fail" | "unevaluated"): boolean =>
    readTap(
      play(tapReporter, planned, [
        result(planned, 0, [attempt("pass")]),
        result(planned, 1, [attempt(second)]),
      ]),
    ).passed;
  expect(passes("pass")).toBe(true);
  expect(passes("fail")).toBe(false);
  expect(passes("unevaluated")).toBe(false);
  expect(readTap(play(tapReporter, planned, [result(planned, 0, [attempt("pass")])])).passed).toBe(false);
});

test("TAP writes a test point when its case ends", () => {
  const { plan: planned, results } = everything();
  let output = "";
  const reporter = tapReporter({ write: (text) => (output += text) });
  reporter.start(planned);
  expect(output).toBe("TAP version 14\n1..5\n");
  reporter.caseEnded(results[0]!);
  expect(output).toContain("ok 1 - ");
});

test("TAP shows names and reasons as text only", () => {
  for (const [index, { plan: planned, results }] of hostile().entries()) {
    const text = play(tapReporter, planned, results);
    // oxlint-disable-next-line no-control-regex
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/);
    const { points, bailOut } = readTap(text);
    expect(bailOut).toBe("interrupted, 1 not run");
    expect(points.map(({ ok, directive }) => [ok, directive])).toEqual([
      [false, undefined],
      [false, undefined],
      [true, undefined],
    ]);
    const said = HOSTILE[index]?.toWellFormed();
    expect(points[0]?.yaml).toMatchObject({
      suite: said,
      reasons: [{ message: said }, { message: `contains: ${said}` }, { message: `contains: ${said}` }],
    });
  }
});

test("TAP descriptions read back unchanged", () => {
  const id = String.raw`a # TODO \# SKIP \\ #b`;
  const planned = plan([id]);
  const { points } = readTap(play(tapReporter, planned, [result(planned, 0, [attempt("pass")])]));
  expect(points).toEqual([{ ok: true, number: 1, description: `smoke: ${id} [echo]` }]);
});

test("TAP cuts long texts and counts further reasons", () => {
  for (const { plan: planned, results } of hostile([LONG])) {
    const text = play(tapReporter, planned, results);
    expect(text.length).toBeLessThan(200_000);
    expect(readTap(text).points).toHaveLength(3);
  }
  const planned = plan(["bad"]);
  const attempts = Array.from({ length: 100 }, (_, index) =>
    attempt("fail", { number: index + 1, checks: [check("fail", `took ${index} ms`)] }),
  );
  const [point] = readTap(play(tapReporter, planned, [result(planned, 0, attempts)])).points;
  expect(point?.yaml).toMatchObject({ reasons_left_out: 80, runs: 100 });
  expect(point?.yaml?.["reasons"]).toHaveLength(20);
});
