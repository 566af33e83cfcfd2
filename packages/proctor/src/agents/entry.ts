// One agent in memory: its definition, its lease, and what is known of it only while the hub lives.
import { isHubTool } from "../core/address.ts";
import type { Agent } from "../core/agent.ts";
import type { Lease, StoredRegistration } from "../core/ports/registry-store.ts";
import { BEAT_SECONDS, type AgentKind, type Load } from "../core/registration.ts";
import { emptyMeasures, type Measures } from "./measures.ts";

export interface Entry {
  agent: Agent;
  /** The registration; null for an agent that was added by hand. */
  registration: StoredRegistration | null;
  lease: Lease;
  load: Load | null;
  trouble: string | null;
  /** Sequence of the last beat that had one. */
  sequence: number | null;
  /** Number of beats of the second that began at `windowStart`. */
  beats: number;
  windowStart: number;
  /** Number of probes that failed one after the other, and when the last one was answered. */
  failedProbes: number;
  answeredAt: number | null;
  measures: Measures;
}

export function newEntry(
  agent: Agent,
  registration: StoredRegistration | null,
  lease: Lease = newLease(agent.name),
  measures: Measures = emptyMeasures(),
): Entry {
  return {
    agent,
    registration,
    lease,
    measures,
    load: null,
    trouble: null,
    sequence: null,
    beats: 0,
    windowStart: 0,
    failedProbes: 0,
    answeredAt: null,
  };
}

export function newLease(agent: string): Lease {
  return {
    agent,
    instance: null,
    beatAt: null,
    draining: false,
    command: null,
    commandedAt: null,
    state: "unknown",
    since: null,
  };
}

/** Returns the kind: an agent that was added by hand is managed where it is a program or a tool of the hub, and probed where it has a URL. */
export function kindOf({ agent, registration }: Pick<Entry, "agent" | "registration">): AgentKind {
  if (registration !== null) return registration.kind;
  const isHere = agent.command !== undefined || agent.transport === "file" || isHubTool(agent.address);
  return isHere ? "managed" : "probed";
}

export function intervalMs({ registration }: Entry): number {
  return (registration?.interval_seconds ?? BEAT_SECONDS.default) * 1000;
}
