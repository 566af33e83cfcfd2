// What the registry knows of an agent besides how it is reached: document 004, section 3. States are derived when they are read
// (agents/), never stored.
import type { Agent, AgentSpec } from "./agent.ts";
import type { AgentProfile } from "./agent-profile.ts";
import type { Json, JsonObject } from "./json.ts";

/** `leased` agents beat, `probed` ones are asked, `managed` ones are programs that Proctor starts. */
export type AgentKind = "leased" | "probed" | "managed";
export const AGENT_STATES = ["unknown", "online", "suspect", "offline", "draining"] as const;
export type AgentState = (typeof AGENT_STATES)[number];
export const STAGES = ["development", "testing", "production", "retired"] as const;
export type Stage = (typeof STAGES)[number];

/** How busy an agent says it is. */
export interface Load extends JsonObject {
  /** Number of tasks at work. */
  active?: number;
  /** Number of tasks that the agent takes at once. */
  capacity?: number;
  /** Number of tasks that wait. */
  queued?: number;
}

/** Commands that the answer to a beat carries. */
export const AGENT_COMMANDS = ["drain", "stop", "resume"] as const;
export type AgentCommand = (typeof AGENT_COMMANDS)[number];

/** Seconds between beats: the default and the limits. A lease lasts three intervals. */
export const BEAT_SECONDS = { default: 30, min: 5, max: 3600 } as const;
export const LEASE_INTERVALS = 3;
/** Intervals after the last beat for which an agent counts as online. */
export const ONLINE_INTERVALS = 1.5;

export interface Registration extends AgentProfile {
  /** The agent's id. */
  name: string;
  /** Address of the agent; the hub's inbox of envelopes when absent. */
  endpoint?: string;
  /** The long form of `endpoint`. */
  spec?: AgentSpec;
  labels?: Record<string, string>;
  stage?: Stage;
  /** Whether the agent is probed instead of sending beats; true for one that is registered by a plain URL, unless this says false. */
  probe?: boolean;
  /** Seconds between beats, 30 when absent; the lease is three times as long. */
  interval_seconds?: number;
  metadata?: JsonObject;
}

export interface Registered {
  agent: RegisteredAgent;
  /** Id of this registration; beats carry it, so that those of a replaced one are refused. */
  instance: string;
  lease_seconds: number;
  interval_seconds: number;
  /** False where the agent was registered before, and is a new instance now. */
  created: boolean;
  /** The agent-bound token; absent where the agent came with one of its own. */
  token?: string;
}

export interface Beat {
  /** Id of the registration; when absent, the beat is accepted without a check. */
  instance?: string;
  load?: Load;
  /** The agent's own report of its health; anything but `ok` is shown. */
  health?: string;
  /** The agent's own report that it takes no more work. */
  draining?: boolean;
  /** Number of the beat, growing with every beat of an instance; a smaller one than before is refused. */
  sequence?: number;
}

export interface BeatAnswer {
  state: AgentState;
  lease_seconds: number;
  interval_seconds: number;
  commands: AgentCommand[];
}

export interface AgentHealth {
  state: AgentState;
  /** When the state was entered, as far as it is known. */
  since: string | null;
  /** When the agent was last heard of: a beat, a probe or a run that it answered. */
  seen_at: string | null;
  load: Load | null;
  /** What is wrong according to the agent, a probe or a run. */
  trouble: string | null;
  /** Measured over the runs that have ended since the hub has known the agent. */
  measured: MeasuredAnswers;
}

export interface MeasuredAnswers {
  runs: number;
  completed: number;
  /** Moving average of the latency, in milliseconds; null before the first run. */
  latency_ms: number | null;
  /** Moving average of the share of completed runs; null before the first run. */
  success_rate: number | null;
  cost_usd: number | null;
  /** Number of runs that a test judged. */
  judged: number;
  /** Moving average of the share of judged runs that passed; null before the first verdict. */
  quality: number | null;
}

/** What a test found about a run. */
export interface JudgedRun {
  run_id: string;
  passed: boolean;
}

export interface RegisteredAgent extends Agent {
  kind: AgentKind;
  labels: Record<string, string>;
  stage: Stage;
  health: AgentHealth;
  metadata?: JsonObject;
}

/** One change of an agent's state, for its history. */
export interface HealthEntry {
  at: string;
  state: AgentState;
  reason: string;
}

export interface AgentQuery {
  capability?: string;
  /** Range in the notation of npm, checked against the capability's version, or the agent's where it has none. */
  version?: string;
  /** An input; only agents whose capability takes it match. */
  input?: Json;
  labels?: Record<string, string>;
  stage?: Stage;
  state?: readonly AgentState[];
}

export interface AgentSearch extends AgentQuery {
  /** Most matches that are listed, 100 when absent; as many rejected agents are named. */
  limit?: number;
}

export interface AgentMatch {
  agent: RegisteredAgent;
  /** Name of the capability that matched; null where the search names none. */
  capability: string | null;
}

export interface SearchResult {
  matches: AgentMatch[];
  /** Number of agents that match, listed or not. */
  total: number;
  /** Agents that have the capability and were left out, each with the reason. */
  rejected: { agent: string; reason: string }[];
}

export interface RegistryChange {
  /** Sequence of the change, one more than the one before, since the hub started. */
  sequence: number;
  at: string;
  type: "registered" | "updated" | "state" | "removed";
  agent: string;
  /** The agent after the change; absent for one that was removed. */
  document?: RegisteredAgent;
}
