// What the executor asks of the router.
import type { RouteDecision } from "../../core/goal.ts";
import type { RouteRequest } from "../../core/ports/goals.ts";

export interface RouteQuestion extends RouteRequest {
  /** Runs with the same key go to the agent that had the first of them, while it can. */
  affinity?: string;
  /** Agents that have failed at this already. Where the named agent is among them, others that have the capability are asked: a fallback. */
  exclude?: string[];
}

export interface Router {
  /** Never throws for want of an agent: the decision says why there is none. Throws INVALID_REQUEST where the version is no range. */
  route(question: RouteQuestion): Promise<RouteDecision>;
  /** A run was given to the agent. */
  began(agent: string): void;
  /** It ended; `ok` is false where the agent is to blame, and null where the end says nothing about it (blame.ts). */
  ended(agent: string, ok: boolean | null): void;
  /** Who had the earlier runs with this key, for a goal that goes on after a restart. */
  remember(affinity: string, agent: string): void;
}
