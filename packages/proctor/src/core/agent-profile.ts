// What a registered agent says of itself, for people and programs that choose one. How it is reached is agent.ts.
import type { JsonObject } from "./json.ts";

export interface AgentProfile {
  description?: string;
  /** The agent's own version. */
  version?: string;
  capabilities?: Capability[];
}

/** Something that an agent offers to do: document 004, section 2.2. */
export interface Capability extends JsonObject {
  name: string;
  description?: string;
  /** JSON Schema of the capability's input. */
  parameters?: JsonObject;
  /** JSON Schema of the capability's output. */
  returns?: JsonObject;
  /** The capability's own version; when absent, the agent's version counts. */
  version?: string;
  /** True when doing it twice does no more than doing it once: such work may be given to another agent after a crash. */
  idempotent?: boolean;
  /** What one call may cost, as far as the agent knows. */
  cost?: CostHints;
  /** What happens to an output that does not fit `returns`: a violation of the run when absent. */
  on_mismatch?: "violation" | "fail";
  tags?: string[];
  /** Requests that people may send to the agent. */
  examples?: string[];
}

export interface CostHints extends JsonObject {
  usd?: number;
  tokens?: number;
  seconds?: number;
}

/** Returns how the agent is reached, and nothing else. */
export function withoutProfile<T extends AgentProfile>(agent: T): Omit<T, keyof AgentProfile> {
  const { description: _, version: __, capabilities: ___, ...rest } = agent;
  return rest;
}
