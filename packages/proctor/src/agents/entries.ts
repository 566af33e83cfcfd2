// All agents in memory: by name, in the order of their names, and by what they can do.
import { createCapabilityIndex, type CapabilityIndex } from "./capability-index.ts";
import type { Entry } from "./entry.ts";

export interface Entries {
  get(name: string): Entry | undefined;
  /** Sets an entry, in place of one of the same name. */
  set(entry: Entry): void;
  delete(name: string): boolean;
  clear(): void;
  all(): Iterable<Entry>;
  /** Returns the entries in the order of their names. */
  sorted(): readonly Entry[];
  /** Returns the agents with the capability; all when none is asked for. */
  candidates(capability: string | undefined): Iterable<Entry>;
  /** The agents in pools, for a choice that looks at some of them only. */
  index: Pick<CapabilityIndex, "pools" | "poolOf" | "place">;
}

export function createEntries(): Entries {
  const byName = new Map<string, Entry>();
  const byCapability = new Map<string, Set<Entry>>();
  const index = createCapabilityIndex();
  let sorted: Entry[] | undefined;

  function remove(name: string): boolean {
    const entry = byName.get(name);
    if (entry === undefined) return false;
    for (const { name: capability } of entry.agent.capabilities ?? []) {
      const able = byCapability.get(capability);
      able?.delete(entry);
      if (able?.size === 0) byCapability.delete(capability);
    }
    index.remove(entry);
    sorted = undefined;
    return byName.delete(name);
  }

  return {
    get: (name) => byName.get(name),
    set(entry) {
      remove(entry.agent.name);
      byName.set(entry.agent.name, entry);
      for (const { name: capability } of entry.agent.capabilities ?? []) {
        const able = byCapability.get(capability) ?? new Set();
        byCapability.set(capability, able.add(entry));
      }
      index.add(entry);
      sorted = undefined;
    },
    delete: remove,
    clear() {
      byName.clear();
      byCapability.clear();
      index.clear();
      sorted = undefined;
    },
    all: () => byName.values(),
    sorted: () => (sorted ??= [...byName.values()].sort(byAgentName)),
    candidates: (capability) =>
      capability === undefined ? byName.values() : (byCapability.get(capability) ?? []),
    index,
  };
}

function byAgentName(a: Entry, b: Entry): number {
  return a.agent.name < b.agent.name ? -1 : 1;
}
