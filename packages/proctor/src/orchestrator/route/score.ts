// How good each candidate looks: parts from 0 to 1, from what Proctor measured of its runs, and their weighted sum. What nobody knows yet
// counts in the agent's favour, so that everybody is tried.
import type { CandidateScore } from "../../core/goal.ts";
import type { Candidate } from "../../core/ports/candidates.ts";
import type { AgentState } from "../../core/registration.ts";

/** Share of each part in the score. They add up to 1. */
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
  /** Tasks at the agent for each that it takes at once; it takes no more without waiting from 1 on. */
  pressure: number;
}

/** Runs that a new agent gets credit for: one failure does not put it out. */
const CREDIT_RUNS = 2;
/** Runs from which on more of them make the average no surer: it follows the last ones anyway. */
const SURE_RUNS = 20;
/** Differences below this are not worth a choice. */
const SAME_LATENCY_MS = 100;
const SAME_COST_USD = 0.0001;
/** Tasks that an agent takes at once where neither it nor its address says. */
const ASSUMED_CAPACITY = 8;
/** Agents that get no work are not scored. One that missed a beat may be about to go. */
const HEALTH: Readonly<Record<AgentState, number>> = {
  online: 1,
  unknown: 0.8,
  suspect: 0.3,
  draining: 0,
  offline: 0,
};

/** In the order of the candidates. `inFlight` is how many runs the router knows to be at the agent. */
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

/** A score as it is written down. */
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

/** The average as if two more had gone well. */
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

/** The least of all against this one: 1 for the least itself, a half for twice as much. */
function share(smallest: number, amount: number | null, same: number): number {
  return amount === null || amount <= smallest ? 1 : clamp(smallest / Math.max(amount, same));
}

/** What the agent reports has our own runs in it, as of its last beat: the larger of the two is nearer to the truth than their sum. */
function pressureOf({ load, concurrency }: Candidate, ours: number): number {
  const busy = Math.max(load?.active ?? 0, ours) + (load?.queued ?? 0);
  const capacity = load?.capacity ?? concurrency ?? ASSUMED_CAPACITY;
  return capacity > 0 ? busy / capacity : Infinity;
}

/** What agents say of themselves may be any number, and what is made of these may be none. */
function clamp(value: number): number {
  return value > 0 ? Math.min(value, 1) : 0;
}

/** What is behind the fourth digit says nothing. */
export function round(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}
