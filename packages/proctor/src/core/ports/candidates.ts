// Who of the registered agents can do something now, for whoever has to choose one of them. Unlike a search, which lists and sorts all
// agents, this looks at as many as a choice needs, so that it costs the same among ten agents and among ten thousand.
import type { CostHints } from "../agent-profile.ts";
import type { JsonObject } from "../json.ts";
import type { AgentQuery, AgentState, Load, MeasuredAnswers, Stage } from "../registration.ts";

export interface CandidateQuery extends Omit<AgentQuery, "stage" | "state"> {
  /** Only agents of this stage; when absent, those in production, then those in testing, then those in development. */
  stage?: Stage;
  /** Those that the asker has refused already. They are counted and named first, where they have the capability. */
  passedOver?: readonly Rejection[];
  /** The asker's own reason to leave out an agent that could do it. */
  refuse?: (agent: string) => string | undefined;
}

export interface Candidate {
  agent: string;
  state: AgentState;
  load: Load | null;
  /** How many runs the agent takes at once, where its address says so. */
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
  /** At most as many as were asked for; a random choice where more can. */
  candidates: Candidate[];
  /** The first of those that were refused. */
  rejected: Rejection[];
  /** How many were refused. */
  refused: number;
  /** How many were not looked at, because enough others can. */
  unseen: number;
}

export interface Candidates {
  /** Throws INVALID_REQUEST where the version is no range. `random` returns numbers from 0 to below 1, as Math.random does. */
  candidates(query: CandidateQuery, limit: number, random: () => number): Promise<CandidateSet>;
  /** This agent, held against the same; its stage is no reason unless it is retired or the query names another. */
  candidate(agent: string, query: CandidateQuery): Promise<Candidate | Rejection>;
}

/** How many rejected agents are named. */
export const NAMED_REJECTIONS = 20;
