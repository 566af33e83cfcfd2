// How many steps of each task its clients have been given: "execute the next step" says nothing about which one. Only a
// convenience of who asks, so it is kept in memory; all steps of a task can be listed at any time.

export interface TurnCounts {
  /** Undefined for a task of which none was given, as far as is known. */
  get(taskId: string): number | undefined;
  set(taskId: string, count: number): void;
}

const MAX_TASKS = 10_000;

export function createTurnCounts(): TurnCounts {
  // In the order of their last use.
  const counts = new Map<string, number>();
  return {
    get: (taskId) => counts.get(taskId),
    set(taskId, count) {
      counts.delete(taskId);
      counts.set(taskId, count);
      if (counts.size <= MAX_TASKS) return;
      const [oldest] = counts.keys();
      if (oldest !== undefined) counts.delete(oldest);
    },
  };
}
