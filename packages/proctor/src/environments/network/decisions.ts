// Counts the decisions of a proxy by `host:port`.

export interface Decisions {
  allowed: Record<string, number>;
  refused: Record<string, number>;
}

interface DecisionCounter {
  count(kind: keyof Decisions, name: string): void;
  /** Returns a copy of the counts. */
  read(): Decisions;
}

/** Number of names that are counted, because a client that asks for ever new ones must not fill our memory. */
const MAX_NAMES = 1000;
const OTHERS = "(others)";

export function createDecisionCounter(): DecisionCounter {
  const counts = { allowed: new Map<string, number>(), refused: new Map<string, number>() };
  return {
    count(kind, name) {
      const map = counts[kind];
      const key = map.has(name) || map.size < MAX_NAMES ? name : OTHERS;
      map.set(key, (map.get(key) ?? 0) + 1);
    },
    read: () => ({
      allowed: Object.fromEntries(counts.allowed),
      refused: Object.fromEntries(counts.refused),
    }),
  };
}
