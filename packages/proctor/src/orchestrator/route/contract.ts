// What the executor asks of the router.
import type { RouteDecision } from "../../core/goal.ts";
import type { RouteRequest } from "../../core/ports/goals.ts";

export interface RouteQuestion extends RouteRequest {
  /** Key of a conversation: runs with the same key go to the agent that had the first of them, while it can. */
  affinity?: string;
  /** Agents that have already failed at this task. Where the named agent is among them, a fallback with the capability is chosen. */
  exclude?: string[];
}

export interface Router {
  /** Chooses an agent. Where there is none, the decision says why. Throws INVALID_REQUEST where the version is not a range. */
  route(question: RouteQuestion): Promise<RouteDecision>;
  /** Records that the agent got a run. */
  began(agent: string): void;
  /** Records the end of a run; `ok` is false where the agent is to blame, and null where the end says nothing about it (blame.ts). */
  ended(agent: string, ok: boolean | null): void;
  /** Records which agent had the earlier runs with this key, for a goal that goes on after a restart. */
  remember(affinity: string, agent: string): void;
}
