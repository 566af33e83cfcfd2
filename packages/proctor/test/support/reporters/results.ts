// What the tests of reporters play to them: one plan with every outcome, and the worst that names and reasons can be.
import { caseStatistics } from "../../../src/suites/case-statistics.ts";
import type { Comparison } from "../../../src/suites/compare/comparison.ts";
import { createPlan } from "../../../src/suites/plan.ts";
import type { Plan } from "../../../src/suites/plan.ts";
import type { Reporter, Write } from "../../../src/suites/reporter.ts";
import type {
  AttemptResult,
  CaseResult,
  CheckResult,
  RunTotals,
  Summary,
} from "../../../src/suites/result.ts";
import type { Thread } from "../../../src/suites/thread.ts";
import { DEFAULT_SCORING, type SuiteTest } from "../../../src/suites/suite.ts";
import type { Outcome, Verdict } from "../../../src/suites/verdict.ts";

/** Texts that are markup, commands or control characters in some report. */
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

function test(id: string, file = "suites/smoke.yaml"): SuiteTest {
  return {
    id,
    name: `Test ${id}`,
    tags: ["fast"],
    task: { description: id },
    constraints: {},
    runs: 1,
    checks: [],
    caseChecks: [],
    folder: "/suites",
    scoring: DEFAULT_SCORING,
    file,
    line: 7,
    col: 5,
  };
}

export function plan(
  ids: readonly string[],
  { name = "smoke", file = "suites/smoke.yaml", agents = ["echo"], runs = 1 } = {},
): Plan {
  const declared = agents.map((agent) => ({
    name: agent,
    protocol: "atp",
    transport: "stdio",
    command: ["x"],
  }));
  const tests = ids.map((id) => ({ ...test(id, file), runs }));
  return createPlan([{ file, name, agents: declared, tests }]);
}

export function check(
  outcome: Outcome,
  message: string,
  line = 12,
  {
    file = "suites/smoke.yaml",
    ...rest
  }: { file?: string; details?: NonNullable<Verdict["details"]>; warning?: string } = {},
): CheckResult {
  return {
    type: "contains",
    critical: false,
    weight: 1,
    file,
    line,
    col: 9,
    verdict: { outcome, message, ...rest },
  };
}

export function attempt(outcome: Outcome, rest: Partial<AttemptResult> = {}): AttemptResult {
  return {
    number: 1,
    outcome,
    source: "run",
    ranAt: "2026-01-02T03:04:05.000Z",
    runId: "r1",
    status: "completed",
    checks: [],
    metrics: {},
    durationMs: 5,
    ...rest,
  };
}

/** Numbered from 1, each with an id of its own. */
export function attempts(outcomes: readonly Outcome[], rest: Partial<AttemptResult> = {}): AttemptResult[] {
  return outcomes.map((outcome, index) =>
    attempt(outcome, { number: index + 1, runId: `r${index + 1}`, ...rest }),
  );
}

export function result(
  planned: Plan,
  index: number,
  all: AttemptResult[],
  rest: Partial<CaseResult> = {},
): CaseResult {
  const outcomes = all.map(({ outcome }) => outcome);
  const outcome = outcomes.find((one) => one === "fail") ?? outcomes.find((one) => one !== "pass") ?? "pass";
  return {
    case: planned.cases[index]!,
    outcome,
    attempts: all,
    checks: [],
    statistics: caseStatistics(all),
    durationMs: 1234,
    ...rest,
  };
}

/** Plays a plan to a reporter and returns what it wrote; cases without a result were not run. */
export function play(
  create: (options: { write: Write }) => Reporter,
  planned: Plan,
  results: readonly CaseResult[],
  rest: Partial<Summary> = {},
): string {
  let output = "";
  const reporter = create({ write: (text) => (output += text) });
  reporter.start(planned);
  for (const one of results) {
    reporter.caseStarted?.(one.case);
    for (const ended of one.attempts) reporter.attemptEnded?.(one.case, ended);
    reporter.caseEnded(one);
  }
  reporter.end({ ...summaryOf(planned, results), ...rest });
  return output;
}

export function summaryOf(planned: Plan, results: readonly CaseResult[]): Summary {
  const count = (outcome: Outcome): number => results.filter((one) => one.outcome === outcome).length;
  const interrupted = results.length < planned.cases.length;
  return {
    total: planned.cases.length,
    passed: count("pass"),
    failed: count("fail"),
    unevaluated: count("unevaluated"),
    notRun: planned.cases.slice(results.length),
    ...(interrupted && { stopped: "interrupted" as const }),
    interrupted,
    durationMs: 1249,
    runs: totalsOf(results.flatMap((one) => one.attempts)),
  };
}

function totalsOf(all: readonly AttemptResult[]): RunTotals {
  const count = (outcome: Outcome): number => all.filter((one) => one.outcome === outcome).length;
  const from = (source: AttemptResult["source"]): number => all.filter((one) => one.source === source).length;
  const sum = (name: "cost_usd" | "total_tokens"): number =>
    all.reduce((total, { source, metrics }) => total + (source === "run" ? (metrics[name] ?? 0) : 0), 0);
  return {
    total: all.length,
    passed: count("pass"),
    failed: count("fail"),
    unevaluated: count("unevaluated"),
    resumed: from("resumed"),
    cached: from("cached"),
    rescored: from("rescored"),
    replayed: from("replayed"),
    cost_usd: sum("cost_usd"),
    total_tokens: sum("total_tokens"),
  };
}

/** One of everything: passed, failed twice of three, crashed, unevaluated, not run. */
export function everything(): { plan: Plan; results: CaseResult[] } {
  const planned = plan(["good", "bad", "crash", "lost", "late"]);
  const missed = [check("pass", "found", 11), check("fail", '"hello" not found')];
  const reason = "the run ended as failed: AGENT_CRASHED: exit 1";
  const { runId: _, ranAt: __, status: ___, ...lost } = attempt("unevaluated", { reason: "the hub is gone" });
  const results = [
    result(planned, 0, [attempt("pass")]),
    result(planned, 1, [
      attempt("fail", { checks: missed }),
      attempt("pass", { number: 2, runId: "r2" }),
      attempt("fail", { number: 3, runId: "r3", checks: [...missed, check("unevaluated", "no events", 13)] }),
    ]),
    result(planned, 2, [attempt("fail", { runId: "r4", status: "failed", reason })]),
    result(planned, 3, [lost]),
  ];
  return { plan: planned, results };
}

/** Many runs: flaky by one check of two kinds, gates that say no, nothing and yes, earlier runs, retries, case-level checks. */
export function repeated(): { plan: Plan; results: CaseResult[]; rest: Partial<Summary> } {
  const planned = plan(["misses", "open", "holds", "old", "even"], { agents: ["alpha", "beta"], runs: 10 });
  const said = check("fail", '"Hello" is not "Helo"', 12, {
    details: { expected: "Hello, Ada!", actual: "Helo, Ada!" },
  });
  const used = { wall_time_seconds: 1.5, cost_usd: 0.002, total_tokens: 100 };
  const outcomes = (passed: number, all = 10): Outcome[] =>
    Array.from({ length: all }, (_, index) => (index < passed ? "pass" : "fail"));
  const runs = (passed: number, rest: Partial<AttemptResult> = {}): AttemptResult[] =>
    attempts(outcomes(passed), { metrics: used, score: 80, ...rest }).map((one) =>
      one.outcome === "fail" ? { ...one, checks: [said] } : one,
    );
  const gate = { at_least: 0.9, confidence: 0.95, runs: 10, low: 0.4, high: 0.97 };
  const results = [
    result(planned, 0, runs(4), {
      gate: { ...gate, decision: "fail", passed: 4, message: "4 of 10 runs passed: misses at least 90 %" },
    }),
    result(planned, 1, runs(8), {
      outcome: "unevaluated",
      gate: {
        ...gate,
        decision: "inconclusive",
        passed: 8,
        more_runs: 34,
        message: "needs about 34 more runs",
      },
    }),
    result(planned, 2, runs(9), {
      outcome: "pass",
      gate: { ...gate, decision: "pass", passed: 9, message: "9 of 10 runs passed: meets at least 50 %" },
    }),
    result(planned, 3, [
      ...attempts(["pass", "pass", "pass"], { source: "cached" }),
      attempt("pass", { number: 4, source: "resumed" }),
      attempt("pass", { number: 5, source: "rescored", retried: ["r0"] }),
    ]),
    result(planned, 4, runs(10), { outcome: "fail", checks: [check("fail", "the spread is 3 s", 20)] }),
  ];
  return {
    plan: planned,
    results,
    rest: { stopped: "fail-fast", interrupted: false, contests: CONTESTS, comparison: COMPARISON },
  };
}

export const CONTESTS: NonNullable<Summary["contests"]> = [
  {
    suite: "smoke",
    test_id: "misses",
    metrics: ["quality", "cost"],
    agents: [
      { agent: "alpha", quality: 0.9, speed_ms: 100, cost_usd: 0.1 },
      { agent: "beta", quality: 0.8, speed_ms: 90, cost_usd: null },
    ],
    winner: "alpha",
    reason: "quality 0.9 against 0.8",
  },
  { suite: "smoke", test_id: "open", metrics: ["speed"], agents: [], winner: null, reason: "" },
];

export const COMPARISON: Comparison = {
  before: { name: "baseline.json", created_at: "2026-01-01T00:00:00.000Z" },
  after: { name: "now", created_at: "2026-01-02T00:00:00.000Z" },
  alpha: 0.05,
  overall: {
    cases: 3,
    only_before: 1,
    only_after: 1,
    p_worse: 0.5,
    p_better: 0.5,
    score_difference: -3,
    p_score: 0.2,
    detectable_flips: 5,
  },
  cases: (["regressed", "improved", "unchanged"] as const).map((change, index) => ({
    suite: "smoke",
    test_id: ["misses", "holds", "even"][index] ?? "",
    agent: "alpha",
    change,
    edited: false,
    before: null,
    after: null,
    p_worse: null,
    p_worse_adjusted: null,
    p_better_adjusted: null,
    p_score: null,
    detectable_drop: null,
  })),
  regression: true,
  outcome: "fail",
  findings: [
    "misses [alpha]: 90 % before, 40 % now",
    "holds [alpha]: 20 % before, 90 % now",
    "costs did not change",
  ],
};

/** A conversation of two turns in which this was said, asked and answered. */
export function thread(text: string): Thread {
  const turn = { status: "completed" as const, lines_left_out: 0 };
  return {
    conversation_id: "c1",
    turns: [
      {
        ...turn,
        turn: 1,
        run_id: "r1",
        outcome: "pass",
        lines: [
          { who: "user", what: "says", text },
          { who: "agent", what: "asks", kind: "input", text: `which ${text}` },
          { who: "user", what: "answers", text: `this ${text}` },
        ],
      },
      {
        ...turn,
        turn: 2,
        run_id: "r2",
        outcome: "fail",
        lines: [
          { who: "user", what: "says", text: "and now?" },
          { who: "agent", what: "says", text: `done ${text}` },
        ],
        lines_left_out: 3,
      },
    ],
    ended: "goal_reached",
    simulator: { calls: 2, input_tokens: 20, output_tokens: 5 },
  };
}

/** Every hostile text as the name of a suite, file, test, and as what the agent said; failed and unevaluated. */
export function hostile(texts: readonly string[] = HOSTILE): { plan: Plan; results: CaseResult[] }[] {
  return texts.map((text) => {
    const planned = plan([text, `${text}!`, `${text}?`, `${text}.`], { name: text, file: text });
    const details = { expected: `${text}\nx`, actual: `x\n${text}` };
    const checks = [
      check("fail", text, 12, { file: text, details }),
      check("unevaluated", text, 13, { file: text }),
    ];
    const failure = { code: text, message: text, details: { stderr: text, stdout: `x\n${text}` } };
    const said = { reason: text, failure, checks, thread: thread(text) };
    const results = [
      result(planned, 0, [attempt("fail", said)]),
      result(planned, 1, [attempt("unevaluated", { reason: text })]),
      result(planned, 2, [attempt("pass")]),
    ];
    return { plan: planned, results };
  });
}
