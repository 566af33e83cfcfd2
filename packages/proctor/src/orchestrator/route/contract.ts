// What the executor asks of the router.
import type { RouteDecision } from "../../core/goal.ts";
import type { RouteRequest } from "../../core/ports/goals.ts";

export interface RouteQuestion extends RouteRequest {
  /** Runs with the same key go to the agent that had the first of them, while it can. */
  affinity?: string;
  /** Agents that have failed at this already. */
  exclude?: string[];
}

export interface Router {
  /** Never throws for want of an agent: the decision says why there is none. */
  route(question: RouteQuestion): Promise<RouteDecision>;
  /** A run was given to the agent. */
  began(agent: string): void;
  /** It ended; `ok` is false where the agent is to blame. */
  ended(agent: string, ok: boolean): void;
}
