// Who gets a sub-task: the agent that is named, the one that had the earlier runs, or one of the best that can do it. Every decision says
// why, and whom it passed over for what.
import type { RouteDecision } from "../../core/goal.ts";
import {
  NAMED_REJECTIONS,
  type Candidates,
  type CandidateSet,
  type Rejection,
} from "../../core/ports/candidates.ts";
import { createAffinity } from "./affinity.ts";
import { createBreaker } from "./breaker.ts";
import type { RouteQuestion, Router } from "./contract.ts";
import { pickOne } from "./pick.ts";
import { requirementsOf } from "./requirements.ts";
import { scoreCandidates, showScore } from "./score.ts";

export interface RouterDeps {
  agents: Candidates;
  /** Returns the time in epoch milliseconds. */
  now: () => number;
  /** Returns numbers from 0 to below 1, as Math.random does. */
  random: () => number;
}

/** Largest number of agents that are scored, chosen at random where more qualify. */
export const SCORED_AT_MOST = 64;
const NAMED_CANDIDATES = 20;
const NOBODY: CandidateSet = { candidates: [], rejected: [], refused: 0, unseen: 0 };

export function createRouter({ agents, now, random }: RouterDeps): Router {
  const breaker = createBreaker(now);
  const affinity = createAffinity();
  const inFlight = new Map<string, number>();
  const refuse = (agent: string): string | undefined => breaker.refusal(agent);
  const inFlightAt = (agent: string): number => inFlight.get(agent) ?? 0;

  async function best(question: RouteQuestion): Promise<RouteDecision> {
    const { agent: named, capability, exclude = [] } = question;
    const passedOver = [...new Set(named === undefined ? exclude : [named, ...exclude])].map(asTried);
    const query = { ...requirementsOf(question), passedOver, refuse };
    const found = capability === undefined ? NOBODY : await agents.candidates(query, SCORED_AT_MOST, random);
    const scored = scoreCandidates(found.candidates, inFlightAt).sort((a, b) => b.score - a.score);
    const picked = pickOne(scored, random);
    return {
      agent: picked?.chosen.agent ?? null,
      by: named === undefined ? "score" : "fallback",
      reason: picked?.reason ?? whyNobody(capability, found),
      ...asked(question),
      candidates: scored.slice(0, NAMED_CANDIDATES).map(showScore),
      considered: scored.length,
      ...refusals(named, found),
      ...(found.unseen > 0 && { unseen: found.unseen }),
    };
  }

  async function named(agent: string, question: RouteQuestion): Promise<RouteDecision> {
    if (question.exclude?.includes(agent) === true) return best(question);
    const base = { by: "named" as const, ...asked(question), candidates: [], considered: 0 };
    // Only an address has a colon. An agent named by its address is not registered, so nothing more is known of it.
    if (agent.includes(":"))
      return { ...base, agent, reason: "its address was given", rejected: [], refused: 0 };
    const found = await agents.candidate(agent, requirementsOf(question));
    if (!("reason" in found)) return one(found, "named", "it was named", question);
    const reason = `${agent} was named, and cannot do it`;
    return { ...base, agent: null, reason, rejected: [found], refused: 1 };
  }

  /** Resolves with the agent that had the earlier runs with this key, if it can do this one as well. */
  async function again(key: string, question: RouteQuestion): Promise<RouteDecision | undefined> {
    const before = affinity.get(key);
    if (before === undefined || before.includes(":") || question.exclude?.includes(before) === true)
      return undefined;
    const query = { ...requirementsOf(question), refuse };
    const found = await agents.candidate(before, query);
    return "reason" in found
      ? undefined
      : one(found, "affinity", `it had the earlier runs of "${key}"`, question);
  }

  function one(
    found: CandidateSet["candidates"][number],
    by: RouteDecision["by"],
    reason: string,
    question: RouteQuestion,
  ): RouteDecision {
    const candidates = scoreCandidates([found], inFlightAt).map(showScore);
    const counts = { considered: 1, rejected: [], refused: 0 };
    return { agent: found.agent, by, reason, ...asked(question), candidates, ...counts };
  }

  return {
    async route(question) {
      const { agent, affinity: key } = question;
      const decision =
        agent !== undefined
          ? await named(agent, question)
          : ((key === undefined ? undefined : await again(key, question)) ?? (await best(question)));
      if (key !== undefined && decision.agent !== null) affinity.set(key, decision.agent);
      return decision;
    },
    began(agent) {
      inFlight.set(agent, inFlightAt(agent) + 1);
      breaker.began(agent);
    },
    ended(agent, ok) {
      const left = inFlightAt(agent) - 1;
      if (left > 0) inFlight.set(agent, left);
      else inFlight.delete(agent);
      breaker.ended(agent, ok);
    },
    remember: (key, agent) => affinity.set(key, agent),
  };
}

function asTried(agent: string): Rejection {
  return { agent, reason: "it has failed at this already" };
}

function asked({ capability }: RouteQuestion): Pick<RouteDecision, "capability"> {
  return capability === undefined ? {} : { capability };
}

/** Returns why agents were passed over, including a named agent without the capability, or outside of the registry. */
function refusals(
  named: string | undefined,
  { rejected, refused }: CandidateSet,
): Pick<RouteDecision, "rejected" | "refused"> {
  if (named === undefined || rejected.some(({ agent }) => agent === named)) return { rejected, refused };
  return { rejected: [asTried(named), ...rejected].slice(0, NAMED_REJECTIONS), refused: refused + 1 };
}

function whyNobody(capability: string | undefined, { refused }: CandidateSet): string {
  if (capability === undefined) return "there is no capability by which another agent could be found";
  if (refused === 0) return `no agent has the capability "${capability}"`;
  return refused === 1
    ? `the only agent with the capability "${capability}" was refused`
    : `all ${refused} agents with the capability "${capability}" were refused`;
}
