// The agents that the hub knows, who can do what, and how they are: document 004, section 3. In this process (agents/), and over
// HTTP (hub/).
import type { Caller } from "../caller.ts";
import type { Page, PageRequest } from "../page.ts";
import type {
  AgentCommand,
  AgentQuery,
  AgentSearch,
  Beat,
  BeatAnswer,
  HealthEntry,
  JudgedRun,
  Registered,
  RegisteredAgent,
  Registration,
  RegistryChange,
  SearchResult,
} from "../registration.ts";

export interface Registry {
  /** Registers an agent. Throws INVALID_REQUEST, AGENT_EXISTS (the name is another's), FORBIDDEN. */
  register(registration: Registration, caller?: Caller): Promise<Registered>;
  /** Changes the given fields and leaves the others. */
  update(
    name: string,
    changes: Partial<Omit<Registration, "name">>,
    caller?: Caller,
  ): Promise<RegisteredAgent>;
  /** Throws AGENT_NOT_FOUND, LEASE_LOST (another instance holds the lease, or the beat is from the past), RATE_LIMITED. */
  beat(name: string, beat: Beat, caller?: Caller): BeatAnswer | Promise<BeatAnswer>;
  deregister(name: string, caller?: Caller): Promise<void>;
  command(name: string, command: AgentCommand, caller?: Caller): Promise<RegisteredAgent>;
  get(name: string): Promise<RegisteredAgent>;
  list(query: AgentQuery & PageRequest): Promise<Page<RegisteredAgent>>;
  /** Finds agents, best candidates first: by state, then by load. */
  search(query: AgentSearch): Promise<SearchResult>;
  /**
   * Counts the verdicts of tests about runs of registered agents, each run once. Runs that are not known, have not ended, or whose end says
   * nothing about their agent are left out. Throws INVALID_REQUEST, and FORBIDDEN for a caller that is bound to an agent.
   */
  judged(verdicts: readonly JudgedRun[], caller?: Caller): Promise<{ counted: number }>;
  /** Lists the changes of an agent's state, newest first. */
  history(name: string, page: PageRequest): Promise<Page<HealthEntry>>;
  /**
   * Yields changes after this sequence, then new ones. `undefined`, and a sequence that is too old or of another start of the hub, begin with
   * one `registered` per agent, of which only the last has a sequence to come back to.
   */
  watch(after: number | undefined, signal: AbortSignal): AsyncIterable<RegistryChange>;
}
