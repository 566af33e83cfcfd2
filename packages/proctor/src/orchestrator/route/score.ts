// How good each candidate looks: parts from 0 to 1, from what Proctor measured of its runs, and their weighted sum. What nobody knows yet
// counts in the agent's favour, so that everybody is tried.
import type { CandidateScore } from "../../core/goal.ts";
import type { Candidate } from "../../core/ports/candidates.ts";
import type { AgentState } from "../../core/registration.ts";

/** Weight of each part in the score; the weights add up to 1. */
export const WEIGHTS = {
  success: 0.35,
  quality: 0.15,
  load: 0.2,
  latency: 0.1,
  cost: 0.1,
  health: 0.1,
} as const;

export interface Scored {
  agent: string;
  score: number;
  parts: Record<keyof typeof WEIGHTS, number>;
  /** Tasks at the agent, divided by the number that it takes at once; from 1 on, a further task has to wait. */
  pressure: number;
}

/** Successful runs that are added to an agent's own, so that one failure does not rule out a new agent. */
const CREDIT_RUNS = 2;
/** Number of runs beyond which the average gets no more certain, because it follows the last runs. */
const SURE_RUNS = 20;
/** Milliseconds of latency below which agents count as equally fast. */
const SAME_LATENCY_MS = 100;
const SAME_COST_USD = 0.0001;
/** Number of tasks that an agent takes at once where neither it nor its address says. */
const ASSUMED_CAPACITY = 8;
/** Score of each state, for agents that may get work; one that missed a heartbeat may be about to go. */
const HEALTH: Readonly<Record<AgentState, number>> = {
  online: 1,
  unknown: 0.8,
  suspect: 0.3,
  draining: 0,
  offline: 0,
};

/** Returns scores in the order of the candidates. `inFlight` returns the number of runs that the router has at an agent. */
export function scoreCandidates(
  candidates: readonly Candidate[],
  inFlight: (agent: string) => number,
): Scored[] {
  const fastest = least(candidates.map(latencyOf), SAME_LATENCY_MS);
  const cheapest = least(candidates.map(costOf), SAME_COST_USD);
  return candidates.map((candidate) => {
    const { agent, measured, state } = candidate;
    const pressure = pressureOf(candidate, inFlight(agent));
    const parts = {
      success: withCredit(measured.success_rate, measured.runs),
      quality: withCredit(measured.quality, measured.judged),
      load: Math.max(0, 1 - pressure),
      latency: share(fastest, latencyOf(candidate), SAME_LATENCY_MS),
      cost: share(cheapest, costOf(candidate), SAME_COST_USD),
      health: HEALTH[state],
    };
    return { agent, score: weigh(parts), parts, pressure };
  });
}

/** Returns a score in the form that is recorded. */
export function showScore({ agent, score, parts }: Scored): CandidateScore {
  const rounded = Object.entries(parts).map(([name, value]) => [name, round(value)] as const);
  return { agent, score: round(score), parts: Object.fromEntries(rounded) };
}

function weigh(parts: Scored["parts"]): number {
  const { success, quality, load, latency, cost, health } = WEIGHTS;
  const sum =
    success * parts.success +
    quality * parts.quality +
    load * parts.load +
    latency * parts.latency +
    cost * parts.cost +
    health * parts.health;
  return sum;
}

/** Returns the average as if CREDIT_RUNS more runs had gone well. */
function withCredit(rate: number | null, count: number): number {
  if (rate === null) return 1;
  const known = Math.min(count, SURE_RUNS);
  return clamp((rate * known + CREDIT_RUNS) / (known + CREDIT_RUNS));
}

function latencyOf({ measured, cost }: Candidate): number | null {
  return measured.latency_ms ?? (cost?.seconds === undefined ? null : cost.seconds * 1000);
}

function costOf({ measured, cost }: Candidate): number | null {
  return measured.cost_usd ?? cost?.usd ?? null;
}

function least(amounts: readonly (number | null)[], same: number): number {
  let smallest = Infinity;
  for (const amount of amounts) if (amount !== null && amount < smallest) smallest = amount;
  return Math.max(smallest, same);
}

/** Returns the smallest amount divided by this one: 1 for the smallest itself, a half for twice as much. */
function share(smallest: number, amount: number | null, same: number): number {
  return amount === null || amount <= smallest ? 1 : clamp(smallest / Math.max(amount, same));
}

/** Returns the pressure. The reported load contains our own runs as of the last heartbeat, so the larger of the two counts, not the sum. */
function pressureOf({ load, concurrency }: Candidate, ours: number): number {
  const busy = Math.max(load?.active ?? 0, ours) + (load?.queued ?? 0);
  const capacity = load?.capacity ?? concurrency ?? ASSUMED_CAPACITY;
  return capacity > 0 ? busy / capacity : Infinity;
}

/** Limits a value to 0 to 1, because agents may report any numbers, and the result may be NaN. */
function clamp(value: number): number {
  return value > 0 ? Math.min(value, 1) : 0;
}

/** Rounds to four decimal places; further ones are noise. */
export function round(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}
