// What the tests of reporters play to them: one plan with every outcome, and the worst that names and reasons can be.
import type { SuiteTest } from "../load.ts";
import { createPlan } from "../plan.ts";
import type { Plan } from "../plan.ts";
import type { Reporter, Write } from "../reporter.ts";
import type { AttemptResult, CaseResult, CheckResult, Summary } from "../result.ts";
import type { Outcome } from "../verdict.ts";

/** Each tries to be more than text somewhere. */
export const HOSTILE = [
  "two\nlines\r\nthree\rfour",
  "\u001b[31mred\u001b[0m \u009b2J \u0007 \u0000",
  "\n::error file=x::owned\n::stop-commands::x",
  "a::b,c=d%0A%25%",
  "| cell | `tick` ``` *bold* _it_ ~~no~~ [link](javascript:alert(1)) ![i](http://x/y.png)",
  "<script>alert(1)</script></code></details><img src=x onerror=y> <!-- ",
  "@octocat #1 www.example.com http://example.com :tada: $x$",
  "&lt; &#60; &amp;",
  "ok 1 - x # TODO later",
  String.raw`back\slash \# SKIP \\`,
  "\nBail out! nope\n1..0\n  ...\nnot ok 9\n  ---\nx: [",
  "a\u2028b\u2029c\u0085d\u202ee\ufeff\ufffe\uffff",
  "half \ud800 pair \udc00",
  "- item\n# heading\n    code\n> quote\n---\n| a |",
  "",
  " ",
] as const;

export const LONG = "🙂<|`".repeat(200_000);

export function test(id: string): SuiteTest {
  return {
    id,
    name: `Test ${id}`,
    tags: ["fast"],
    task: { description: id },
    constraints: {},
    runs: 1,
    checks: [],
    line: 7,
    col: 5,
  };
}

export function plan(ids: readonly string[], { name = "smoke", file = "suites/smoke.yaml" } = {}): Plan {
  const agents = [{ name: "echo", protocol: "atp", transport: "stdio", command: ["x"] }];
  return createPlan([{ file, name, agents, tests: ids.map(test) }]);
}

export function check(outcome: Outcome, message: string, line = 12): CheckResult {
  return { type: "contains", critical: false, line, col: 9, verdict: { outcome, message } };
}

export function attempt(outcome: Outcome, rest: Partial<AttemptResult> = {}): AttemptResult {
  return { number: 1, outcome, runId: "r1", status: "completed", checks: [], durationMs: 5, ...rest };
}

export function result(planned: Plan, index: number, attempts: AttemptResult[]): CaseResult {
  const outcomes = attempts.map(({ outcome }) => outcome);
  const outcome = outcomes.find((one) => one === "fail") ?? outcomes.find((one) => one !== "pass") ?? "pass";
  return { case: planned.cases[index]!, outcome, attempts, durationMs: 1234 };
}

/** Plays all of it; what has no result was not run. */
export function play(
  create: (options: { write: Write }) => Reporter,
  planned: Plan,
  results: readonly CaseResult[],
): string {
  let output = "";
  const reporter = create({ write: (text) => (output += text) });
  reporter.start(planned);
  for (const one of results) {
    reporter.caseStarted?.(one.case);
    reporter.caseEnded(one);
  }
  reporter.end(summaryOf(planned, results));
  return output;
}

export function summaryOf(planned: Plan, results: readonly CaseResult[]): Summary {
  const count = (outcome: Outcome): number => results.filter((one) => one.outcome === outcome).length;
  return {
    total: planned.cases.length,
    passed: count("pass"),
    failed: count("fail"),
    unevaluated: count("unevaluated"),
    notRun: planned.cases.slice(results.length),
    interrupted: results.length < planned.cases.length,
    durationMs: 1249,
  };
}

/** One of everything: passed, failed twice of three, crashed, unevaluated, not run. */
export function everything(): { plan: Plan; results: CaseResult[] } {
  const planned = plan(["good", "bad", "crash", "lost", "late"]);
  const missed = [check("pass", "found", 11), check("fail", '"hello" not found')];
  const reason = "the run ended as failed: AGENT_CRASHED: exit 1";
  const results = [
    result(planned, 0, [attempt("pass")]),
    result(planned, 1, [
      attempt("fail", { checks: missed }),
      attempt("pass", { number: 2, runId: "r2" }),
      attempt("fail", { number: 3, runId: "r3", checks: [...missed, check("unevaluated", "no events", 13)] }),
    ]),
    result(planned, 2, [attempt("fail", { runId: "r4", status: "failed", reason })]),
    result(planned, 3, [
      { number: 1, outcome: "unevaluated", reason: "the hub is gone", checks: [], durationMs: 0 },
    ]),
  ];
  return { plan: planned, results };
}

/** Every hostile text as the name of a suite, file, test, and as what the agent said; failed and unevaluated. */
export function hostile(texts: readonly string[] = HOSTILE): { plan: Plan; results: CaseResult[] }[] {
  return texts.map((text) => {
    const planned = plan([text, `${text}!`, `${text}?`, `${text}.`], { name: text, file: text });
    const said = { reason: text, checks: [check("fail", text), check("unevaluated", text, 13)] };
    const results = [
      result(planned, 0, [attempt("fail", said)]),
      result(planned, 1, [attempt("unevaluated", { reason: text })]),
      result(planned, 2, [attempt("pass")]),
    ];
    return { plan: planned, results };
  });
}
