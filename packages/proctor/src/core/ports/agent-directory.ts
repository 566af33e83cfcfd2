// Turns a client's name or address of an agent into how to reach it, and keeps the agents that have a name.
import type { Agent, AgentSpec } from "../agent.ts";
import type { Page, PageRequest } from "../page.ts";
import type { NewAgent } from "./hub.ts";

export interface ResolvedAgent {
  /** The name or the address that `Run.agent` shows. */
  label: string;
  /** The spec with its real secrets. */
  spec: AgentSpec;
}

export interface AgentDirectory {
  /** Throws AGENT_NOT_FOUND, UNKNOWN_SCHEME or INVALID_REQUEST. */
  resolve(agent: string | AgentSpec): Promise<ResolvedAgent>;
  add(agent: NewAgent, options?: { replace?: boolean }): Promise<Agent>;
  get(name: string): Promise<Agent>;
  list(page: PageRequest): Promise<Page<Agent>>;
  remove(name: string): Promise<void>;
}
