// What the tests of the HTML report play to it: results like those of a real suite, in any number, always the same.
import type { JsonObject } from "../../../src/core/json.ts";
import type { CaseComparison, Comparison, SideOfCase } from "../../../src/suites/compare/comparison.ts";
import type { Contest } from "../../../src/suites/contest.ts";
import type { Evidence, EvidenceEvent } from "../../../src/suites/evidence.ts";
import type { Plan, PlannedCase } from "../../../src/suites/plan.ts";
import type { Reporter } from "../../../src/suites/reporter.ts";
import type { AttemptResult, CaseResult, CheckResult, Summary } from "../../../src/suites/result.ts";
import { describe } from "../../../src/suites/statistics/describe.ts";
import { flakiness } from "../../../src/suites/statistics/flakiness.ts";
import { passAtK, passHatK } from "../../../src/suites/statistics/pass-at-k.ts";
import { createSeededRandom, type SeededRandom } from "../../../src/suites/statistics/seeded-random.ts";
import { wilson } from "../../../src/suites/statistics/wilson.ts";
import { DEFAULT_SCORING, type Suite, type SuiteTest } from "../../../src/suites/suite.ts";
import type { Outcome } from "../../../src/suites/verdict.ts";
import { htmlReporter } from "../../../src/suites/reporters/html/html-reporter.ts";

const SUBJECTS = [
  "refund",
  "delivery date",
  "invoice",
  "address change",
  "warranty",
  "coupon",
  "return label",
  "seat upgrade",
];
const DEMANDS = [
  "answers in one message",
  "asks before it pays",
  "cites the policy",
  "keeps the tone",
  "writes the ticket",
];
const TAGS = ["smoke", "billing", "shipping", "slow", "safety"];
const TOOLS = ["search_orders", "read_policy", "create_ticket", "send_mail", "issue_refund"];
const WORDS =
  "the order was placed on a customer account with two items and one open return that support confirmed by mail".split(
    " ",
  );

export interface Shape {
  tests: number;
  agents?: readonly string[];
  runs?: number;
  events?: number;
  compared?: boolean;
}

export interface Played {
  plan: Plan;
  results: CaseResult[];
  summary: Summary;
}

/** A suite that mostly passes, with every kind of trouble in it. */
export function played({
  tests,
  agents = ["atlas"],
  runs = 3,
  events = 24,
  compared = false,
}: Shape): Played {
  const random = createSeededRandom(7);
  const suites = ["support desk", "billing"].map((name, at) =>
    suiteOf(name, at, Math.ceil(tests / 2), agents, random),
  );
  const cases: PlannedCase[] = suites.flatMap((suite) =>
    suite.tests.flatMap((test) =>
      agents.map((label) => ({
        suite,
        test,
        agent: { label, target: label },
        constraints: {},
        options: {},
        runs,
      })),
    ),
  );
  const plan: Plan = { suites, cases };
  const results = cases.map((planned, at) => resultOf(planned, at, runs, events, random));
  return { plan, results, summary: summaryOf(results, agents, compared) };
}

function suiteOf(
  name: string,
  at: number,
  count: number,
  agents: readonly string[],
  random: SeededRandom,
): Suite {
  const file = `suites/${name.replace(" ", "-")}.yaml`;
  const tests = Array.from({ length: count }, (_, number): SuiteTest => {
    const subject = SUBJECTS[(number + at) % SUBJECTS.length] ?? "";
    const id = `${subject.replace(" ", "-")}-${String(number + 1).padStart(3, "0")}`;
    return testOf(id, `${subject}: ${DEMANDS[random.below(DEMANDS.length)]}`, file, number * 14 + 9, [
      TAGS[random.below(TAGS.length)] ?? "",
    ]);
  });
  return {
    file,
    name,
    agents: agents.map((label) => ({ name: label, protocol: "atp", transport: "stdio", command: ["x"] })),
    tests,
  };
}

export function testOf(
  id: string,
  name: string,
  file = "suites/a.yaml",
  line = 7,
  tags: string[] = [],
): SuiteTest {
  const task = { description: `A customer writes about ${name}.\nAnswer, and do what has to be done.` };
  return {
    id,
    name,
    file,
    line,
    col: 5,
    tags,
    task,
    constraints: {},
    runs: 1,
    checks: [],
    caseChecks: [],
    folder: "/suites",
    scoring: DEFAULT_SCORING,
  };
}

/** Each test has a character: most are steady, some flaky, some broken, one or two cannot be judged. */
function resultOf(
  planned: PlannedCase,
  at: number,
  runs: number,
  events: number,
  random: SeededRandom,
): CaseResult {
  const chance = at % 17 === 3 ? 0 : at % 9 === 4 ? 0.6 : at % 31 === 12 ? -1 : 1;
  const agent = planned.agent.label.length % 3;
  const attempts = Array.from({ length: runs }, (_, number) => {
    const outcome: Outcome = chance < 0 ? "unevaluated" : random.next() < chance ? "pass" : "fail";
    return attemptOf(planned, number + 1, outcome, events, agent, random);
  });
  return caseResult(planned, attempts);
}

export function caseResult(planned: PlannedCase, attempts: AttemptResult[]): CaseResult {
  const outcomes = attempts.map(({ outcome }) => outcome);
  const count = (outcome: Outcome): number => outcomes.filter((one) => one === outcome).length;
  const [passed, failed, unevaluated] = [count("pass"), count("fail"), count("unevaluated")];
  const judged = passed + failed;
  const ks = [1, 2, 3, 5].filter((k) => k <= judged);
  const latency_ms = describe(attempts.map(({ durationMs }) => durationMs));
  const total_tokens = describe(numbers(attempts.map(({ metrics }) => metrics.total_tokens)));
  const cost_usd = describe(numbers(attempts.map(({ metrics }) => metrics.cost_usd)));
  const score = describe(numbers(attempts.map((attempt) => attempt.score)));
  const flaky = flakiness(outcomes.filter((one) => one !== "unevaluated"));
  const mixed = passed > 0 && failed > 0;
  return {
    case: planned,
    outcome:
      failed > passed
        ? "fail"
        : mixed
          ? "unevaluated"
          : unevaluated > 0
            ? "unevaluated"
            : failed > 0
              ? "fail"
              : "pass",
    attempts,
    checks: [],
    statistics: {
      runs: attempts.length,
      passed,
      failed,
      unevaluated,
      pass_rate:
        judged === 0 ? null : { value: passed / judged, ...wilson(passed, judged), confidence: 0.95 },
      pass_at_k: Object.fromEntries(ks.map((k) => [k, passAtK(judged, passed, k) ?? 0])),
      pass_hat_k: Object.fromEntries(ks.map((k) => [k, passHatK(judged, passed, k) ?? 0])),
      flakiness: flaky ?? null,
      ...(latency_ms && { latency_ms }),
      ...(total_tokens && { total_tokens }),
      ...(cost_usd && { cost_usd }),
      ...(score && { score }),
    },
    ...(mixed && {
      gate: {
        decision: "inconclusive",
        at_least: 0.9,
        confidence: 0.95,
        runs: judged,
        passed,
        ...wilson(passed, judged),
        more_runs: 34,
        message: `${passed} of ${judged} passed: too few to tell`,
      },
    }),
    durationMs: attempts.reduce((sum, { durationMs }) => sum + durationMs, 0),
  };
}

function numbers(values: readonly (number | undefined)[]): number[] {
  return values.filter((value) => value !== undefined);
}

function attemptOf(
  planned: PlannedCase,
  number: number,
  outcome: Outcome,
  events: number,
  agent: number,
  random: SeededRandom,
): AttemptResult {
  const durationMs = Math.round((900 + agent * 700) * (0.5 + random.next() + (random.next() < 0.06 ? 6 : 0)));
  const answer = sentence(random, 24);
  const evidence = evidenceOf(events, durationMs, answer, outcome, random);
  const failing = outcome === "fail";
  return {
    number,
    outcome,
    source: random.next() < 0.08 ? "cached" : "run",
    ranAt: "2026-03-04T10:15:00.000Z",
    runId: `0195${random
      .below(2 ** 32)
      .toString(16)
      .padStart(8, "0")}`,
    ...(outcome !== "unevaluated" && { status: "completed" as const }),
    ...(outcome === "unevaluated" && { reason: "the judge did not answer within 30 s" }),
    checks: checksOf(planned.test, outcome, answer),
    ...(outcome !== "unevaluated" && { score: failing ? 30 + random.below(30) : 82 + random.below(18) }),
    metrics: {
      total_tokens: 1800 + random.below(2400) + agent * 900,
      total_steps: 4 + random.below(6),
      cost_usd: Number((0.004 + random.next() * 0.012 * (agent + 1)).toFixed(5)),
    },
    evidence,
    durationMs,
  };
}

export function check(
  type: string,
  outcome: Outcome,
  message: string,
  test: SuiteTest,
  details?: JsonObject,
): CheckResult {
  const { file, line } = test;
  const verdict = { outcome, message, ...(details && { details }) };
  return { type, critical: type === "status", weight: 1, verdict, file, line: line + 6, col: 9 };
}

function checksOf(test: SuiteTest, outcome: Outcome, answer: string): CheckResult[] {
  const expected = { ticket: { kind: "refund", amount_usd: 42, lines: ["A-1", "A-2"] }, mail: "sent" };
  const actual = { ticket: { kind: "credit", amount_usd: 42, lines: ["A-1"] }, mail: "sent" };
  return [
    check("status", "pass", "the run completed", test),
    outcome === "unevaluated"
      ? check("judge", "unevaluated", "the judge did not answer within 30 s", test)
      : check("contains", "pass", `found "${answer.slice(0, 24)}"`, test),
    outcome === "fail"
      ? check("json_subset", "fail", "$.ticket.kind is not as expected, and 1 more", test, {
          expected,
          actual,
          path: "$.ticket",
        })
      : check("tool_order", "pass", "search_orders before create_ticket", test),
  ];
}

function sentence(random: SeededRandom, length: number): string {
  return Array.from({ length }, () => WORDS[random.below(WORDS.length)]).join(" ");
}

function evidenceOf(
  count: number,
  total: number,
  answer: string,
  outcome: Outcome,
  random: SeededRandom,
): Evidence {
  const step = total / Math.max(1, count);
  const events = Array.from({ length: count }, (_, at): EvidenceEvent => {
    const place = { sequence: at, at_ms: Math.round((at + 1) * step) };
    if (at === 0) return { ...place, at_ms: 0, type: "run.started", payload: { worker: "local" } };
    if (at === count - 1) return { ...place, type: "run.ended", payload: { status: "completed" } };
    const kind = at % 4;
    const duration_ms = Math.round(step * (0.4 + random.next() * 0.6));
    if (kind === 1) {
      const tokens = { input_tokens: 200 + random.below(900), output_tokens: 20 + random.below(200) };
      return {
        ...place,
        type: "llm_request",
        duration_ms,
        payload: { model: "atlas-2", ...tokens, duration_ms, stop_reason: "end_turn" },
      };
    }
    if (kind === 2) {
      const tool = TOOLS[random.below(outcome === "fail" ? 5 : 3)] ?? "";
      const input = { order: `A-${random.below(9000)}`, reason: sentence(random, 3) };
      return {
        ...place,
        type: "tool_call",
        duration_ms,
        payload: { tool, input, status: "success", duration_ms },
      };
    }
    if (kind === 3) return { ...place, type: "reasoning", payload: { thought: sentence(random, 7) } };
    return {
      ...place,
      type: "progress",
      payload: { percentage: Math.round((at / count) * 100), message: sentence(random, 3) },
    };
  });
  const text = `# Answer\n\n${answer}.\n\n- ticket: ${outcome === "fail" ? "credit" : "refund"}\n- amount: 42 USD\n\nKind regards\n`;
  const hash = random
    .below(2 ** 32)
    .toString(16)
    .padStart(64, "0");
  return {
    events,
    events_left_out: outcome === "fail" ? 3 : 0,
    artifacts: [
      {
        name: "answer.md",
        type: "file",
        content_type: "text/markdown",
        size_bytes: text.length,
        content_hash: `sha256:${hash}`,
        text,
      },
      {
        name: "ticket",
        type: "structured",
        data: { kind: outcome === "fail" ? "credit" : "refund", amount_usd: 42, lines: ["A-1", "A-2"] },
      },
    ],
    artifacts_left_out: 0,
  };
}

export function summaryOf(
  results: readonly CaseResult[],
  agents: readonly string[] = [],
  compared = false,
): Summary {
  const count = (outcome: Outcome): number => results.filter((one) => one.outcome === outcome).length;
  const attempts = results.flatMap((result) => result.attempts);
  const of = (outcome: Outcome): number => attempts.filter((one) => one.outcome === outcome).length;
  const sum = (pick: (one: AttemptResult) => number | undefined): number =>
    attempts.reduce((all, one) => all + (one.source === "run" ? (pick(one) ?? 0) : 0), 0);
  return {
    total: results.length,
    passed: count("pass"),
    failed: count("fail"),
    unevaluated: count("unevaluated"),
    notRun: [],
    interrupted: false,
    durationMs: 184_200,
    runs: {
      total: attempts.length,
      passed: of("pass"),
      failed: of("fail"),
      unevaluated: of("unevaluated"),
      resumed: 0,
      cached: attempts.filter(({ source }) => source === "cached").length,
      rescored: 0,
      replayed: 0,
      cost_usd: sum(({ metrics }) => metrics.cost_usd),
      total_tokens: sum(({ metrics }) => metrics.total_tokens),
    },
    ...(agents.length > 1 && { contests: contestsOf(results, agents) }),
    ...(compared && { comparison: comparisonOf(results) }),
  };
}

function contestsOf(results: readonly CaseResult[], agents: readonly string[]): Contest[] {
  const [first] = results;
  if (first === undefined) return [];
  return [0, 1].map((at) => {
    const planned = results[at * agents.length]?.case ?? first.case;
    return {
      suite: planned.suite.name,
      test_id: planned.test.id,
      metrics: ["quality", "speed", "cost"],
      agents: agents.map((agent, place) => ({
        agent,
        quality: 94.5 - place * 7,
        speed_ms: 1200 + place * 450,
        cost_usd: 0.012 + place * 0.004,
      })),
      winner: at === 0 ? (agents[0] ?? null) : null,
      reason: at === 0 ? "the best score, and not slower than the others" : "the scores are equal",
    };
  });
}

function comparisonOf(results: readonly CaseResult[]): Comparison {
  const cases = results.map(({ case: planned, statistics, outcome }, at): CaseComparison => {
    const after = side(statistics.passed, statistics.passed + statistics.failed, outcome);
    const worse = outcome === "fail";
    const better = at % 23 === 7 && outcome === "pass";
    const before = worse ? side(3, 3, "pass") : better ? side(0, 3, "fail") : after;
    return {
      suite: planned.suite.name,
      test_id: planned.test.id,
      agent: planned.agent.label,
      change: worse
        ? "regressed"
        : better
          ? "improved"
          : outcome === "unevaluated"
            ? "undecided"
            : "unchanged",
      edited: at % 40 === 3,
      before,
      after,
      p_worse: worse ? 0.012 : 1,
      p_worse_adjusted: worse ? 0.031 : 1,
      p_better_adjusted: better ? 0.024 : 1,
      p_score: worse ? 0.008 : null,
      detectable_drop: 0.72,
    };
  });
  const count = (change: string): number => cases.filter((one) => one.change === change).length;
  return {
    before: { name: "main", created_at: "2026-03-01T08:00:00.000Z" },
    after: { name: "now", created_at: "2026-03-04T10:15:00.000Z" },
    alpha: 0.05,
    overall: {
      cases: cases.length,
      only_before: count("regressed"),
      only_after: count("improved"),
      p_worse: 0.021,
      p_better: 0.99,
      score_difference: -2.41,
      p_score: 0.044,
      detectable_flips: 5,
    },
    cases,
    regression: count("regressed") > 0,
    outcome: count("regressed") > 0 ? "fail" : "pass",
    findings: [`${count("regressed")} cases got worse`, `${count("improved")} cases got better`],
  };
}

function side(passed: number, runs: number, outcome: Outcome): SideOfCase {
  const rate = runs === 0 ? null : passed / runs;
  return {
    outcome,
    runs,
    passed,
    rate,
    ...wilson(passed, runs),
    score: 71.5,
    latency_ms: 1450,
    cost_usd: 0.011,
  };
}

/** Plays everything to a reporter and returns what it wrote. */
export function report({ plan, results, summary }: Played): string {
  const pieces: string[] = [];
  const reporter: Reporter = htmlReporter({
    write: (text) => void pieces.push(text),
    now: () => new Date("2026-03-04T10:15:00.000Z"),
  });
  reporter.start(plan);
  for (const result of results) reporter.caseEnded(result);
  reporter.end(summary);
  return pieces.join("");
}
