// An agent of the registry as all readers see it.
import type { RegisteredAgent } from "../core/registration.ts";
import { kindOf, type Entry } from "./entry.ts";
import { stateOf, type Derived, type Life } from "./state.ts";

export function describeEntry(entry: Entry, life: Life, now: number): RegisteredAgent {
  const { agent, registration, load, measures } = entry;
  const derived = stateOf(entry, life, now);
  const { runs, completed, latency_ms, success_rate, cost_usd, judged, quality } = measures;
  return {
    ...agent,
    kind: kindOf(entry),
    labels: registration?.labels ?? {},
    stage: registration?.stage ?? "production",
    ...(registration?.metadata && { metadata: registration.metadata }),
    health: {
      state: derived.state,
      since: sinceWhen(entry, derived),
      seen_at: isoTime(seenAt(entry)),
      load,
      trouble: entry.trouble ?? measures.trouble,
      measured: { runs, completed, latency_ms, success_rate, cost_usd, judged, quality },
    },
  };
}

/** Returns when the state began; a change that was noticed began when it was noticed first. */
export function sinceWhen({ lease }: Entry, { state, since }: Derived): string | null {
  return isoTime(state === lease.state ? (lease.since ?? since) : since);
}

function seenAt({ lease, answeredAt, measures }: Entry): number | null {
  const times = [lease.beatAt, answeredAt, measures.answered_at].filter((time) => time !== null);
  return times.length === 0 ? null : Math.max(...times);
}

function isoTime(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}
