// How many steps of each task its clients have been given: "execute the next step" says nothing about which one. Only a
// convenience for clients, so it is kept in memory; all steps of a task can be listed at any time.

export interface Turn {
  /** Number of steps that were shown as over, which is also the number of the next. */
  given: number;
  /** True when the next step was shown before it was over; showing it again when it is over counts as giving it. */
  early: boolean;
  /** The greatest number of a step that a client was shown or waits for. */
  highest: number;
}

export interface TurnCounts {
  /** Returns the counts of a task; undefined when no step of it was given since the hub started. */
  get(taskId: string): Turn | undefined;
  /** Counts the step as given: it is over and was shown, or a client waits for it. */
  give(taskId: string, number: number): void;
  /** Makes a step that was shown before it was over the next again, unless a client is further by now. */
  showEarly(taskId: string, number: number): void;
  /** Makes a step that was not shown after all the next again, unless a client is further by now. */
  takeBack(taskId: string, number: number): void;
}

const MAX_TASKS = 10_000;
const NONE: Turn = { given: 0, early: false, highest: -1 };

export function createTurnCounts(): TurnCounts {
  // In the order of their last use.
  const turns = new Map<string, Turn>();

  function set(taskId: string, turn: Turn): void {
    turns.delete(taskId);
    turns.set(taskId, turn);
    if (turns.size <= MAX_TASKS) return;
    const [oldest] = turns.keys();
    if (oldest !== undefined) turns.delete(oldest);
  }

  function back(taskId: string, number: number, early: boolean): void {
    const { given, highest } = turns.get(taskId) ?? NONE;
    if (given > number + 1) return;
    set(taskId, { given: number, early, highest: Math.max(highest, number) });
  }

  return {
    get: (taskId) => turns.get(taskId),
    give(taskId, number) {
      const { highest } = turns.get(taskId) ?? NONE;
      set(taskId, { given: number + 1, early: false, highest: Math.max(highest, number) });
    },
    showEarly: (taskId, number) => back(taskId, number, true),
    takeBack: (taskId, number) => back(taskId, number, false),
  };
}
