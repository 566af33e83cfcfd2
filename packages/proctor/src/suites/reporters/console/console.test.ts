import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { textWidth } from "../columns.ts";
import type { Plan } from "../../plan.ts";
import type { CaseResult } from "../../result.ts";
import {
  attempt,
  attempts,
  check,
  everything,
  hostile,
  LONG,
  plan,
  play,
  repeated,
  result,
  summaryOf,
} from "../../../../test/support/reporters/results.ts";
import { consoleReporter, type ConsoleOptions, type ConsoleReporter } from "./console.ts";
import { createTerminal, type Terminal } from "../../../../test/support/reporters/terminal.ts";
import { eventually } from "../../../../test/support/eventually.ts";
import { findCollector } from "../../../../test/support/find-collector.ts";

const inPipe =
  (color = false) =>
  ({ write }: Pick<ConsoleOptions, "write">): ConsoleReporter =>
    consoleReporter({ write, color, live: false });

describe("the console reporter in a pipe", () => {
  test("writes plain lines, reasons with their place and run, and a summary", () => {
    const { plan: planned, results } = everything();
    expect(play(inPipe(), planned, results).split("\n")).toEqual([
      "PASS  good [echo]  (1.2s)",
      "FAIL  bad [echo]  Test bad  (1.2s, 3 runs, 1 passed)",
      '    2 of 3 runs: contains: "hello" not found',
      "      suites/smoke.yaml:12:9",
      "      proctor runs show r1",
      "    unevaluated: 1 of 3 runs: contains: no events",
      "      suites/smoke.yaml:13:9",
      "      proctor runs show r3",
      "FAIL  crash [echo]  Test crash  (1.2s)",
      "    the run ended as failed: AGENT_CRASHED: exit 1",
      "      suites/smoke.yaml:7:5",
      "      proctor runs show r4",
      "UNEVALUATED  lost [echo]  Test lost  (1.2s)",
      "    the hub is gone",
      "      suites/smoke.yaml:7:5",
      "",
      "case          passed  rate",
      "bad [echo]       1/3  33 % [6–79 %]",
      "crash [echo]     0/1",
      "lost [echo]      0/1",
      "good [echo]      1/1",
      "",
      "flaky  bad [echo] 1/3",
      "runs  6: 2 passed, 3 failed, 1 unevaluated, 4.8 runs/s",
      "interrupted, 1 not run",
      "",
      "1 passed, 2 failed, 1 unevaluated  in 1.2s",
      "",
    ]);
  });

  test("shows warnings of a case that passed, each once", () => {
    const planned = plan(["warned"]);
    const warned = check("pass", "only warnings", 12, { warning: "1 finding: email" });
    const runs = attempts(["pass", "pass"], { checks: [warned] });
    const text = play(inPipe(), planned, [result(planned, 0, runs)]);
    expect(text.split("\n").slice(0, 2)).toEqual([
      expect.stringMatching(/^PASS {2}warned /),
      "    warning: contains: 1 finding: email",
    ]);
  });

  test("says how certain many runs are, where they come from, who won, and what changed", () => {
    const { plan: planned, results, rest } = repeated();
    const text = play(inPipe(), planned, results, rest);
    expect(text.slice(text.indexOf("\n\ncase ")).split("\n")).toEqual([
      "",
      "",
      "case            passed  rate              pass^k       score   p50   p95     cost  gate",
      "misses [alpha]    4/10  40 % [17–69 %]    0 % (k=5)       80  1.5s  1.5s  $0.0200  fail ≥ 90 %",
      "holds [alpha]    10/10  100 % [72–100 %]  100 % (k=5)     80  1.5s  1.5s  $0.0200",
      "misses [beta]     8/10  80 % [49–94 %]    22 % (k=5)      80  1.5s  1.5s  $0.0200  inconclusive, about 34 more",
      "open [alpha]      9/10  90 % [60–98 %]    50 % (k=5)      80  1.5s  1.5s  $0.0200  pass ≥ 90 %",
      "open [beta]        5/5  100 % [57–100 %]  100 % (k=2)",
      "",
      "winner of misses: alpha (quality 0.9 against 0.8)",
      "no winner of open",
      "worse than baseline.json of 2026-01-01T00:00:00.000Z",
      "  ↓ 1 regressed  ↑ 1 improved  = 1 unchanged",
      "  ↓ misses [alpha]: 90 % before, 40 % now",
      "  ↑ holds [alpha]: 20 % before, 90 % now",
      "  · costs did not change",
      "flaky  misses [alpha] 4/10, misses [beta] 8/10, open [alpha] 9/10",
      "inconclusive  misses [beta] needs about 34 more runs",
      "runs  45: 36 passed, 9 failed, 0 unevaluated (1 resumed, 3 cached, 1 rescored), 32.0 runs/s",
      "used  $0.0800, 4,000 tokens",
      "stopped by --fail-fast, 5 not run",
      "",
      "2 passed, 2 failed, 1 unevaluated  in 1.2s",
      "",
    ]);
    expect(text).toContain("PASS  open [beta]  (1.2s, 5 runs, 1 resumed, 3 cached, 1 rescored, 1 retried)\n");
    expect(text).toContain("    contains: the spread is 3 s\n      suites/smoke.yaml:20:9\n");
  });

  test("marks a run that was made earlier", () => {
    const planned = plan(["one"]);
    const text = play(inPipe(), planned, [result(planned, 0, [attempt("pass", { source: "cached" })])]);
    expect(text).toContain("PASS  one [echo]  (1.2s, cached)\n");
    expect(text).toContain("runs  1: 1 passed, 0 failed, 0 unevaluated (1 cached)\n");
  });

  test("prints each note on the environments of runs once", () => {
    const planned = plan(["one", "two"]);
    const notes = ["one user only"];
    const results = [0, 1].map((index) => result(planned, index, [attempt("pass", { notes })]));
    expect(play(inPipe(), planned, results)).toContain("\n\nnote  one user only (2 runs)\n");
  });

  test("prints no table when every case ran once on one agent", () => {
    const planned = plan(["one", "two"]);
    const results = [result(planned, 0, [attempt("pass")]), result(planned, 1, [attempt("pass")])];
    expect(play(inPipe(), planned, results)).toBe(
      "PASS  one [echo]  (1.2s)\nPASS  two [echo]  (1.2s)\n\n2 passed, 0 failed, 0 unevaluated  in 1.2s\n",
    );
  });

  test("shows what differs: by words with carets, by lines with what is around them", () => {
    const said = (expected: string, actual: string): string => {
      const planned = plan(["one"]);
      const checks = [check("fail", "differs", 12, { details: { expected, actual } })];
      const text = play(inPipe(), planned, [result(planned, 0, [attempt("fail", { checks })])]);
      return text.slice(text.indexOf("      - expected"), text.indexOf("      proctor runs"));
    };
    expect(said("Hello, Ada!", "Helo, 日本 Ada!")).toBe(
      "      - expected  + actual\n      - Hello, Ada!\n      + Helo, 日本 Ada!\n        ^^^^ ^^^^^\n",
    );
    expect(said("a b", "a")).toBe("      - expected  + actual\n      - a b\n         ^^\n      + a\n");
    expect(said("1\n2\n3\n4\n5\n6", "1\n2\n3\n4\nfive\n6")).toBe(
      "      - expected  + actual\n      …\n        3\n        4\n      - 5\n      + five\n        6\n",
    );
  });

  test("uses colours only when asked to", () => {
    const { plan: planned, results } = everything();
    expect(play(inPipe(true), planned, results)).toContain("\u001b[32mPASS\u001b[39m");
    expect(play(inPipe(false), planned, results)).not.toContain("\u001b");
  });

  test("prints agents' texts as text only, and cuts long ones", () => {
    for (const { plan: planned, results } of [...hostile(), ...hostile([LONG])]) {
      const text = play(inPipe(), planned, results);
      // oxlint-disable-next-line no-control-regex
      expect(text).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\u202e]/);
      expect(text.length).toBeLessThan(60_000);
      const heads = text.split("\n").filter((line) => /^(?:PASS|FAIL|UNEVALUATED) {2}/.test(line));
      expect(heads.map((line) => line.split(" ")[0])).toEqual(["FAIL", "UNEVALUATED", "PASS"]);
      // Whatever else begins a line is ours: what was said is indented.
      for (const line of text.slice(0, text.indexOf("\n\ncase ")).split("\n")) {
        expect(line).toMatch(/^(?:PASS {2}|FAIL {2}|UNEVALUATED {2}| {4}|$)/);
      }
    }
  });
});

describe("the console reporter on a terminal", () => {
  let terminal: Terminal;
  let writes: string[];
  beforeEach(() => {
    vi.useFakeTimers({ now: 1_000_000 });
    terminal = createTerminal();
    writes = [];
  });
  afterEach(() => void vi.useRealTimers());

  function open(planned: Plan, columns: () => number = () => 100): ConsoleReporter {
    const write = (text: string): void => {
      writes.push(text);
      terminal.write(text);
    };
    const reporter = consoleReporter({ write, color: false, live: true, columns });
    reporter.start(planned);
    return reporter;
  }

  const bottom = (): string[] => terminal.screen().slice(-2);

  test("shows a bar with counts, rate, cost and time left, and what is running", () => {
    const planned = plan(["one", "two", "three", "four"], { runs: 10 });
    const reporter = open(planned);
    for (const one of planned.cases.slice(0, 3)) reporter.caseStarted?.(one);
    const runs = attempts(["pass", "pass", "fail", "pass", "pass", "pass", "pass", "pass", "pass", "pass"], {
      metrics: { cost_usd: 0.01 },
    });
    for (const one of runs) {
      vi.advanceTimersByTime(200);
      reporter.attemptEnded?.(planned.cases[0]!, one);
    }
    reporter.caseEnded(result(planned, 0, runs));
    vi.advanceTimersByTime(100);

    expect(bottom()).toEqual([
      "━━━━━━──────────────────  1/4 · 0 passed · 1 failed · 10 runs · 4.8 runs/s · $0.1000 · 2s · ETA 6s",
      "running two [echo], three [echo]",
    ]);
    reporter.end(summaryOf(planned, [result(planned, 0, runs)]));
    expect(terminal.screen().join("\n")).not.toMatch(/━|running/);
  });

  test("counts earlier runs as done, but not for the rate", () => {
    const planned = plan(["one", "two"]);
    const reporter = open(planned);
    reporter.caseEnded(
      result(planned, 0, [attempt("pass", { source: "resumed", metrics: { cost_usd: 5 } })]),
    );
    vi.advanceTimersByTime(1000);
    expect(bottom().at(-1)).toBe("━━━━━━━━━━━━────────────  1/2 · 1 passed · 1s");
    reporter.close();
  });

  test("redraws ten times a second for thousands of ended runs, in one write each", () => {
    const planned = plan(
      Array.from({ length: 5000 }, (_, index) => `case-${index}`),
      { runs: 2 },
    );
    const reporter = open(planned);
    for (const [index, one] of planned.cases.entries()) {
      reporter.caseStarted?.(one);
      const runs = attempts(["pass", "pass"]);
      for (const ended of runs) reporter.attemptEnded?.(one, ended);
      reporter.caseEnded(result(planned, index, runs));
      if (index % 5 === 0) vi.advanceTimersByTime(1);
    }
    expect(writes.length).toBeLessThanOrEqual(11);
    expect(writes.length).toBeGreaterThanOrEqual(9);
    reporter.close();
  });

  test("redraws once a second when only the time changes", () => {
    const reporter = open(plan(["one"]));
    vi.advanceTimersByTime(10_000);
    expect(writes.length).toBeLessThanOrEqual(11);
    reporter.close();
  });

  test.each([1, 12, 20, 33, 40, 60, 79, 80, 132, 250])(
    "fits %i columns, whatever names are like",
    (width) => {
      for (const { plan: planned, results } of [
        ...hostile(["日本語の名前 🚀❤️ e\u0301".repeat(9)]),
        ...hostile([LONG]),
      ]) {
        terminal = createTerminal();
        const reporter = open(planned, () => width);
        for (const one of planned.cases) reporter.caseStarted?.(one);
        vi.advanceTimersByTime(100);
        for (const line of terminal.screen()) expect(textWidth(line)).toBeLessThan(Math.max(10, width));
        for (const one of results) reporter.caseEnded(one);
        vi.advanceTimersByTime(1000);
        for (const line of bottom()) expect(textWidth(line)).toBeLessThan(Math.max(10, width));
        reporter.end(summaryOf(planned, results));
        expect(terminal.screen().filter((line) => /^running|^━|^─/.test(line))).toEqual([]);
        expect(vi.getTimerCount()).toBe(0);
      }
    },
  );

  test("keeps printed lines above the progress, whenever they come", () => {
    const planned = plan(["one", "two", "three"]);
    const results = planned.cases.map((_, index) =>
      result(planned, index, [attempt("fail", { checks: [check("fail", `broke ${index}`)] })]),
    );
    const reporter = open(planned);
    for (const [index, one] of results.entries()) {
      reporter.caseStarted?.(one.case);
      vi.advanceTimersByTime(index * 130);
      reporter.caseEnded(one);
      vi.advanceTimersByTime(70);
    }
    reporter.end(summaryOf(planned, results));
    const piped = play(inPipe(), planned, results);
    expect(terminal.screen().join("\n")).toBe(piped);
  });

  test("leaves nothing behind where lines wrapped in a window that became narrower", () => {
    let width = 100;
    const planned = plan(["one", "two", "three"]);
    const reporter = open(planned, () => width);
    for (const one of planned.cases) reporter.caseStarted?.(one);
    reporter.caseEnded(result(planned, 0, [attempt("pass")]));
    vi.advanceTimersByTime(100);
    width = 20;
    terminal.narrow(width);
    vi.advanceTimersByTime(1000);
    expect(terminal.screen()).toEqual([
      "PASS  one [echo]  (1",
      ".2s)",
      "1/3 · ETA 2s",
      "running two [echo]…",
    ]);
    reporter.close();
    expect(terminal.screen()).toEqual(["PASS  one [echo]  (1", ".2s)", ""]);
  });

  test("prints only the cases of a long plan that did not pass", () => {
    const ids = Array.from({ length: 60 }, (_, index) => `case-${index}`);
    const planned = plan(ids);
    const results = ids.map((_, index) => result(planned, index, [attempt(index === 30 ? "fail" : "pass")]));
    const reporter = open(planned);
    for (const one of results) reporter.caseEnded(one);
    reporter.end(summaryOf(planned, results));
    const heads = terminal.screen().filter((line) => /^(?:PASS|FAIL)/.test(line));
    expect(heads).toEqual(["FAIL  case-30 [echo]  Test case-30  (1.2s)"]);
    expect(terminal.screen().slice(-3)).toEqual(["", "59 passed, 1 failed, 0 unevaluated  in 1.2s", ""]);
  });

  test("removes its lines and its timer when it is closed early", () => {
    const planned = plan(["one"]);
    const reporter = open(planned);
    reporter.caseStarted?.(planned.cases[0]!);
    vi.advanceTimersByTime(100);
    expect(bottom().join("")).toContain("running");
    reporter.close();
    reporter.close();
    expect(terminal.screen()).toEqual([""]);
    expect(vi.getTimerCount()).toBe(0);
  });
});

test("the console reporter does not keep the program running for its progress", () => {
  const timers = (): number => process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;
  const before = timers();
  const reporter = consoleReporter({ write: () => undefined, color: false, live: true });
  reporter.start(plan(["one"]));
  expect(timers()).toBe(before);
  reporter.close();
});

describe("the console reporter with ten thousand cases", () => {
  const ids = Array.from({ length: 10_000 }, (_, index) => `case-${index}`);
  const planned = plan(ids, { runs: 2 });
  const outcomes = (index: number): CaseResult =>
    result(planned, index, attempts(["pass", index % 1000 === 7 ? "fail" : "pass"]));

  test("lists fifty in its table, those that failed first, and says what the others are", () => {
    const text = play(
      inPipe(),
      planned,
      ids.map((_, index) => outcomes(index)),
    );
    const table = text.slice(text.indexOf("\n\ncase ") + 2).split("\n");
    expect(table.slice(1, 11).every((line) => line.includes("1/2"))).toBe(true);
    expect(table.slice(11, 51).every((line) => line.includes("2/2"))).toBe(true);
    expect(table[51]).toBe("… and 9,950 more, all passed");
    expect(text).toContain("flaky  case-7 [echo] 1/2, ");
  });

  test("keeps only what the summary shows", async () => {
    const collect = findCollector();
    const reporter = consoleReporter({ write: () => undefined, color: false, live: true });
    reporter.start(planned);
    const kept = ids.slice(0, 200).map((_, index) => {
      const one = outcomes(index);
      reporter.caseStarted?.(one.case);
      for (const ended of one.attempts) reporter.attemptEnded?.(one.case, ended);
      reporter.caseEnded(one);
      return new WeakRef(one.attempts);
    });
    // What was made in this turn of the loop lives until its end, or longer where a function was being optimised with it.
    await eventually(() => {
      collect();
      expect(kept.filter((one) => one.deref() !== undefined)).toEqual([]);
    });
    reporter.close();
  });
});
