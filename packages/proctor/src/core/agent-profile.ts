// What a registered agent says of itself, for people and programs that choose one. How it is reached is agent.ts.
import type { JsonObject } from "./json.ts";

export interface AgentProfile {
  description?: string;
  /** The agent's own version. */
  version?: string;
  capabilities?: Capability[];
}

/** Document 004, section 2.2. */
export interface Capability extends JsonObject {
  name: string;
  description?: string;
  /** JSON Schema of its input. */
  parameters?: JsonObject;
  /** JSON Schema of its output. */
  returns?: JsonObject;
  tags?: string[];
  /** Things that one may ask it for. */
  examples?: string[];
}

/** How the agent is reached, and nothing else. */
export function withoutProfile<T extends AgentProfile>(agent: T): Omit<T, keyof AgentProfile> {
  const { description: _, version: __, capabilities: ___, ...rest } = agent;
  return rest;
}
