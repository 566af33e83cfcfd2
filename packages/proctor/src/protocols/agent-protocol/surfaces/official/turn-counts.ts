// How many steps of each task its clients have been given: "execute the next step" says nothing about which one. Only a
// convenience of who asks, so it is kept in memory; all steps of a task can be listed at any time.

export interface Turn {
  /** Steps that were shown as over, and so the number of the next. */
  given: number;
  /** The next was shown before it was over: whoever sees it again when it is has been given it. */
  early: boolean;
  /** The greatest number of a step that somebody was shown or waits for. */
  highest: number;
}

export interface TurnCounts {
  /** Undefined for a task of which none was given, as far as is known. */
  get(taskId: string): Turn | undefined;
  /** The next step is over and was shown, or somebody waits for it. */
  give(taskId: string, number: number): void;
  /** The step was shown before it was over: it is the next again, unless somebody is further by now. */
  showEarly(taskId: string, number: number): void;
  /** The step was not shown after all: the same. */
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
