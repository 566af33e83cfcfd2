// How an agent answers its runs: counts and moving averages, small enough to be written after every run.
import type { JsonObject } from "../core/json.ts";
import type { MeasuredAnswers } from "../core/registration.ts";
import type { Run } from "../core/run.ts";
import { saysNothing } from "../core/says-nothing.ts";

export interface Measures extends MeasuredAnswers, JsonObject {
  /** Whether the agent answered its last run, and when that was; epoch milliseconds. */
  answered: boolean | null;
  answered_at: number | null;
  /** What was wrong according to its last run. */
  trouble: string | null;
}

/** Weight of the newest run in the moving averages. */
const WEIGHT = 0.2;

export function emptyMeasures(): Measures {
  return {
    runs: 0,
    completed: 0,
    latency_ms: null,
    success_rate: null,
    cost_usd: null,
    judged: 0,
    quality: null,
    answered: null,
    answered_at: null,
    trouble: null,
  };
}

/** Returns the measures after this run has ended, unless its end says nothing about its agent. */
export function measureRun(before: Measures, run: Run): Measures {
  const { status, started_at, ended_at, metrics, failure } = run;
  if (ended_at === null || started_at === null || saysNothing(run)) return before;
  const answered = status === "completed" || status === "partial";
  const endedAt = Date.parse(ended_at);
  const cost = metrics.cost_usd;
  return {
    ...before,
    runs: before.runs + 1,
    completed: before.completed + (answered ? 1 : 0),
    latency_ms: average(before.latency_ms, endedAt - Date.parse(started_at)),
    success_rate: average(before.success_rate, answered ? 1 : 0),
    cost_usd: typeof cost === "number" ? average(before.cost_usd, cost) : before.cost_usd,
    answered,
    answered_at: answered ? endedAt : before.answered_at,
    trouble: answered ? null : (failure?.message ?? status),
  };
}

/** Returns the measures after a test has judged a run. */
export function measureVerdict(before: Measures, passed: boolean): Measures {
  return { ...before, judged: before.judged + 1, quality: average(before.quality, passed ? 1 : 0) };
}

function average(before: number | null, value: number): number {
  return before === null ? value : before + WEIGHT * (value - before);
}
