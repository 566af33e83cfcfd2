// How an agent is, derived from what is known of it and the time. Nothing here is stored, and nothing here has effects.
import { isHubTool } from "../core/address.ts";
import { LEASE_INTERVALS, ONLINE_INTERVALS, type AgentState } from "../core/registration.ts";
import { intervalMs, kindOf, type Entry } from "./entry.ts";

/** The life of this hub, and the end of the one before, in epoch milliseconds. */
export interface Life {
  startedAt: number;
  /** When a hub was last known to be alive before this one; null when none was. */
  aliveAt: number | null;
}

export interface Derived {
  state: AgentState;
  /** When the state began, as far as it is known. */
  since: number | null;
  /** When the state changes unless something is heard of the agent; null when it does not. */
  dueAt: number | null;
  reason: string;
  /** True while only the hub's own restart made the state unknown: nothing happened to the agent. */
  quiet?: true;
}

/** Failed probes in a row after which an agent counts as offline. */
const OFFLINE_AFTER = 3;

/** Returns whether an agent in this state gets no work. */
export function isDown(state: AgentState): boolean {
  return state === "offline" || state === "draining";
}

export function stateOf(entry: Entry, life: Life, now: number): Derived {
  const plain = plainState(entry, life, now);
  const why = drainingBy(entry);
  if (why === undefined || plain.state === "offline") return plain;
  return { ...plain, state: "draining", since: entry.lease.commandedAt ?? plain.since, reason: why };
}

function plainState(entry: Entry, life: Life, now: number): Derived {
  switch (kindOf(entry)) {
    case "leased":
      return leasedState(entry, life, now);
    case "probed":
      return probedState(entry);
    case "managed":
      return managedState(entry);
  }
}

function leasedState(entry: Entry, life: Life, now: number): Derived {
  const { beatAt } = entry.lease;
  if (beatAt === null) return lasting("unknown", null, "it has never beaten");
  const interval = intervalMs(entry);
  const leaseMs = LEASE_INTERVALS * interval;
  const suspectAt = beatAt + ONLINE_INTERVALS * interval;
  const offlineAt = beatAt + leaseMs;
  if (beatAt >= life.startedAt) {
    if (now < suspectAt) return { state: "online", since: beatAt, dueAt: suspectAt, reason: "it beats" };
    if (now < offlineAt) {
      const reason = `no beat for ${ONLINE_INTERVALS} intervals`;
      return { state: "suspect", since: suspectAt, dueAt: offlineAt, reason };
    }
    return lasting("offline", offlineAt, "its lease has run out");
  }
  // The time without a hub does not count against an agent.
  if ((life.aliveAt ?? beatAt) >= offlineAt) return lasting("offline", offlineAt, "its lease has run out");
  const graceEnd = life.startedAt + leaseMs;
  if (now >= graceEnd) return lasting("offline", graceEnd, "no beat since the hub started again");
  const reason = "the hub started again and has not heard of it yet";
  return { state: "unknown", since: life.startedAt, dueAt: graceEnd, reason, quiet: true };
}

function probedState({ failedProbes, answeredAt, trouble }: Entry): Derived {
  if (failedProbes >= OFFLINE_AFTER) {
    return lasting("offline", null, `${OFFLINE_AFTER} probes failed: ${trouble ?? "no answer"}`);
  }
  if (failedProbes > 0) return lasting("suspect", null, `a probe failed: ${trouble ?? "no answer"}`);
  if (answeredAt === null) return lasting("unknown", null, "it was not asked yet");
  return lasting("online", answeredAt, "it answers");
}

function managedState({ agent, measures }: Entry): Derived {
  if (isHubTool(agent.address)) return lasting("online", Date.parse(agent.created_at), "the hub runs it");
  if (measures.answered === true) return lasting("online", measures.answered_at, "it answered its last run");
  const why = measures.runs === 0 ? "it had no run yet" : "it did not answer its last run";
  return lasting("unknown", null, why);
}

function drainingBy({ lease }: Entry): string | undefined {
  if (lease.command === "drain" || lease.command === "stop") return `it was told to ${lease.command}`;
  return lease.draining ? "it says that it takes no more work" : undefined;
}

function lasting(state: AgentState, since: number | null, reason: string): Derived {
  return { state, since, dueAt: null, reason };
}
