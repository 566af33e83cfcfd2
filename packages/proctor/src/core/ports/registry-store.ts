// What a Store keeps for the registry besides the definitions of agents: leases, changes of state, measured answers. A promise that
// resolves means: committed to disk.
import type { Agent } from "../agent.ts";
import type { JsonObject } from "../json.ts";
import type { Page, PageRequest } from "../page.ts";
import type { AgentCommand, AgentKind, AgentState, HealthEntry, Stage } from "../registration.ts";
import type { StoredAgent } from "./store.ts";

/** What the registry keeps of an agent besides how it is reached. Agents that were added by hand have none. */
export interface StoredRegistration {
  kind: AgentKind;
  labels: Record<string, string>;
  stage: Stage;
  /** Seconds between beats. */
  interval_seconds: number;
  metadata?: JsonObject;
}

/** What is live about an agent, as far as it outlives the process. Times are epoch milliseconds. */
export interface Lease {
  agent: string;
  /** Id of the registration that holds the lease; null for an agent that never registered itself. */
  instance: string | null;
  /** When the last beat arrived that was flushed. */
  beatAt: number | null;
  /** True while the agent reports that it takes no more work. */
  draining: boolean;
  command: AgentCommand | null;
  commandedAt: number | null;
  /** The last state that was noticed, and when it began. */
  state: AgentState;
  since: number | null;
}

export interface LoadedRegistry {
  agents: { agent: Agent; registration: StoredRegistration | null }[];
  leases: Lease[];
  /** Documents of agents/measure.ts by the names of agents. */
  measures: { agent: string; document: JsonObject }[];
  /** When a hub was last known to be alive on this store. */
  aliveAt: number | null;
}

export interface NewHealthEntry {
  agent: string;
  /** When the state changed, in epoch milliseconds. */
  at: number;
  state: AgentState;
  reason: string;
}

export interface RegistryStore {
  load(): Promise<LoadedRegistry>;
  /** Resolves with a text that changes with every definition and every script tool. Absent where no other process can change them. */
  revision?: () => Promise<string>;
  /** Resolves with the leases of agents that were heard of, or got a command, then or later. */
  leasesSince(at: number): Promise<Lease[]>;
  /** Keeps the definition and the lease in one commit. Throws AGENT_EXISTS unless `replace`. */
  put(agent: StoredAgent, lease: Lease, options: { replace: boolean }): Promise<void>;
  putLease(lease: Lease): Promise<void>;
  /** Keeps when agents were last heard of, and that the hub was alive then. Agents that are gone stay gone. */
  beats(beats: readonly { agent: string; at: number }[], aliveAt: number): Promise<void>;
  /**
   * Keeps changes of state: as the present state, and in the history, of which the last thousand entries of an agent are kept. `aliveAt` is
   * null where no hub is at work, only a command.
   */
  note(entries: readonly NewHealthEntry[], aliveAt: number | null): Promise<void>;
  /** Lists the changes of an agent's state, newest first. */
  history(agent: string, page: PageRequest): Promise<Page<HealthEntry>>;
  measure(rows: readonly { agent: string; document: JsonObject }[]): Promise<void>;
}
