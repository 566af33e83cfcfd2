// A case as one small row: what stays in memory while the others run, and what the overview of the report shows.
import type { PlannedCase } from "../../plan.ts";
import type { AttemptResult, CaseResult } from "../../result.ts";
import { reasonsOf, reasonText } from "../reasons.ts";
import { boundedName } from "../../evaluations/case-record.ts";
import type { CaseRow, Place } from "./report-documents.ts";
import type { Words } from "./words.ts";

const REASON_CHARACTERS = 160;
const MAX_TAGS = 20;
/** Most values of one case. Of more, this many are taken at even distances, which keeps the shape. */
const MAX_VALUES = 50;

interface RowWords {
  suites: Words;
  agents: Words;
  tags: Words;
}

export function caseRow(result: CaseResult, words: RowWords, id: string, place: Place): CaseRow {
  const { statistics, gate, attempts, outcome } = result;
  const costs = attempts.flatMap(({ metrics }) => (isPlausible(metrics.cost_usd) ? [metrics.cost_usd] : []));
  const { pass_rate, latency_ms, total_tokens, cost_usd, score } = statistics;
  return {
    ...identity(result.case, words, id),
    outcome,
    runs: statistics.runs,
    passed: statistics.passed,
    failed: statistics.failed,
    ...(pass_rate && { rate: [round(pass_rate.value), round(pass_rate.low), round(pass_rate.high)] }),
    ...(statistics.flakiness !== null && { flakiness: round(statistics.flakiness) }),
    ...(latency_ms && { latency: [round(latency_ms.p50), round(latency_ms.p95)] }),
    ...(isPlausible(total_tokens?.mean) && { tokens: round(total_tokens.mean) }),
    ...(isPlausible(cost_usd?.mean) && { cost: round(cost_usd.mean) }),
    ...(score && { score: round(score.mean) }),
    ...(costs.length > 0 && { spent: round(costs.reduce((sum, cost) => sum + cost, 0)) }),
    duration_ms: Math.max(0, Math.round(result.durationMs)),
    ...(gate && { gate: gate.decision }),
    ...reasonOf(result),
    values: {
      ...values("latency", attempts, ({ durationMs, runId }) =>
        runId === undefined ? undefined : durationMs,
      ),
      ...values("tokens", attempts, ({ metrics }) => metrics.total_tokens),
      ...values("cost", attempts, ({ metrics }) => metrics.cost_usd),
      ...values("score", attempts, (attempt) => attempt.score),
    },
    place,
  };
}

function reasonOf(result: CaseResult): Pick<CaseRow, "reason"> {
  if (result.outcome === "pass") return {};
  const [first] = reasonsOf(result, { reasons: 1, characters: REASON_CHARACTERS }).reasons;
  return first === undefined ? {} : { reason: reasonText(first, result) };
}

/** Row of a case that was not run. */
export function notRunRow(planned: PlannedCase, words: RowWords, id: string): CaseRow {
  const nothing = { runs: 0, passed: 0, failed: 0, duration_ms: 0, values: {} };
  return { ...identity(planned, words, id), outcome: "not_run", ...nothing };
}

type Identity = Pick<CaseRow, "case" | "id" | "name" | "suite" | "agent" | "tags">;

function identity({ suite, test, agent }: PlannedCase, words: RowWords, id: string): Identity {
  return {
    case: id,
    id: boundedName(test.id),
    name: boundedName(test.name),
    suite: words.suites.index(boundedName(suite.name)),
    agent: words.agents.index(boundedName(agent.label)),
    tags: test.tags.slice(0, MAX_TAGS).map((tag) => words.tags.index(boundedName(tag))),
  };
}

type Values = CaseRow["values"];

function values(
  name: keyof Values,
  attempts: readonly AttemptResult[],
  pick: (attempt: AttemptResult) => number | undefined,
): Values {
  const all = attempts
    .flatMap((attempt) => {
      const value = pick(attempt);
      return isPlausible(value) ? [round(value)] : [];
    })
    .sort((a, b) => a - b);
  if (all.length === 0) return {};
  if (all.length <= MAX_VALUES) return { [name]: all };
  const step = (all.length - 1) / (MAX_VALUES - 1);
  return { [name]: Array.from({ length: MAX_VALUES }, (_, at) => all[Math.round(at * step)] ?? 0) };
}

/** Metrics are what agents say: anything may stand there. */
function isPlausible(value: unknown): value is number {
  return typeof value === "number" && Math.abs(value) <= 1e15;
}

/** More digits than a reader sees, fewer than a double has. */
function round(value: number): number {
  return Math.abs(value) < 1e-9 ? 0 : Number(value.toPrecision(5));
}
