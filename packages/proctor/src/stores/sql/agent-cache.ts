// Caches the agents that were read last, because every run needs one. Only for a database that has one writer.
import type { StoredAgent } from "../../core/ports/store.ts";

interface AgentCache {
  read: (name: string) => Promise<StoredAgent | undefined>;
  /** To be called after a commit that changed the agent. */
  remove: (name: string) => void;
  clear: () => void;
}

const MAX_AGENTS = 1000;

export function createAgentCache(load: AgentCache["read"], soleWriter: boolean): AgentCache {
  if (!soleWriter) return { read: load, remove: () => undefined, clear: () => undefined };
  const known = new Map<string, StoredAgent>();
  let changes = 0;
  return {
    async read(name) {
      const found = known.get(name);
      if (found) return found;
      const before = changes;
      const agent = await load(name);
      // A change while it was being read may have made it old.
      if (agent && changes === before) known.set(name, agent);
      if (known.size > MAX_AGENTS) known.clear();
      return agent;
    },
    remove(name) {
      changes++;
      known.delete(name);
    },
    clear() {
      changes++;
      known.clear();
    },
  };
}
