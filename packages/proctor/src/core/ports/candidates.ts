// Which registered agents can do something now, for a caller that has to choose one of them. Unlike a search, which lists and sorts all
// agents, this looks at as many as a choice needs, so that it costs the same among ten agents and among ten thousand.
import type { CostHints } from "../agent-profile.ts";
import type { JsonObject } from "../json.ts";
import type { AgentQuery, AgentState, Load, MeasuredAnswers, Stage } from "../registration.ts";

export interface CandidateQuery extends Omit<AgentQuery, "stage" | "state"> {
  /** Only agents of this stage; when absent, those in production, then those in testing, then those in development. */
  stage?: Stage;
  /** Agents that the caller has refused already. They are counted and named first, where they have the capability. */
  passedOver?: readonly Rejection[];
  /** Returns the caller's own reason to leave out an agent that could do the work. */
  refuse?: (agent: string) => string | undefined;
}

export interface Candidate {
  agent: string;
  state: AgentState;
  load: Load | null;
  /** Runs that the agent takes at once, where its address says so. */
  concurrency: number | null;
  measured: MeasuredAnswers;
  /** What the capability itself says that a call costs. */
  cost: CostHints | null;
}

export interface Rejection extends JsonObject {
  agent: string;
  reason: string;
}

/** Every agent that has the capability is counted once: in `candidates`, in `refused` or in `unseen`. */
export interface CandidateSet {
  /** At most as many candidates as the caller asked for; a random choice where more agents can do the work. */
  candidates: Candidate[];
  /** The first agents that were refused, at most `NAMED_REJECTIONS`. */
  rejected: Rejection[];
  /** Number of agents that were refused. */
  refused: number;
  /** Number of agents that were not considered, because enough others can do the work. */
  unseen: number;
}

export interface Candidates {
  /** Throws INVALID_REQUEST where the version is not a range. `random` returns numbers from 0 to below 1, as Math.random does. */
  candidates(query: CandidateQuery, limit: number, random: () => number): Promise<CandidateSet>;
  /** Checks one agent against the same query; its stage is no reason unless it is retired or the query names another. */
  candidate(agent: string, query: CandidateQuery): Promise<Candidate | Rejection>;
}

/** Most rejected agents that are named. */
export const NAMED_REJECTIONS = 20;
