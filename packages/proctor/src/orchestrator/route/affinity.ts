// Which agent had the earlier runs of a conversation. What was not asked for longest is forgotten first.
import { createOldestKey } from "../../core/oldest-key.ts";

export interface Affinity {
  get(key: string): string | undefined;
  set(key: string, agent: string): void;
}

/** Number of conversations that are remembered. */
export const MAX_AFFINITIES = 10_000;

export function createAffinity(): Affinity {
  const agents = new Map<string, string>();
  const oldestKey = createOldestKey(agents);

  function set(key: string, agent: string): void {
    if (!agents.delete(key) && agents.size >= MAX_AFFINITIES) {
      const oldest = oldestKey();
      if (oldest !== undefined) agents.delete(oldest);
    }
    agents.set(key, agent);
  }

  return {
    get(key) {
      const agent = agents.get(key);
      if (agent !== undefined) set(key, agent);
      return agent;
    },
    set,
  };
}
