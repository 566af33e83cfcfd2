// One goal as its page follows it: the document, its plan and its sub-tasks. The log of the goal says when something changed; then the
// documents are read again, a large one less often.
import { signal, type ReadonlySignal } from "@preact/signals";
import { hub } from "../../api/hub.ts";
import type { Goal, Plan, Subtask } from "../../api/gen/schema.ts";
import { watchRun } from "../../api/live.ts";
import { soonAfterEvents } from "../../state/soon-after-events.ts";

const PAGE = 1000;

export interface GoalState {
  goal: ReadonlySignal<Goal | undefined>;
  plan: ReadonlySignal<Plan | null>;
  subtasks: ReadonlySignal<readonly Subtask[]>;
  error: ReadonlySignal<unknown>;
  load: () => Promise<void>;
  close(): void;
}

export function openGoal(id: string): GoalState {
  const goal = signal<Goal | undefined>(undefined);
  const plan = signal<Plan | null>(null);
  const subtasks = signal<readonly Subtask[]>([]);
  const error = signal<unknown>(undefined);
  const stop = new AbortController();
  let isLoading = false;
  let isStale = false;
  let rest: ReturnType<typeof setTimeout> | undefined;

  async function read(): Promise<void> {
    const next = await hub.goal(id, stop.signal);
    if (next.plan !== null && plan.peek() === null) plan.value = await hub.plan(id, stop.signal);
    const found: Subtask[] = [];
    for (let cursor: string | undefined, first = true; first || cursor !== undefined; first = false) {
      const page = await hub.subtasks(id, { cursor, limit: PAGE }, stop.signal);
      found.push(...page.items);
      cursor = page.next_cursor ?? undefined;
    }
    subtasks.value = found;
    goal.value = next;
    error.value = undefined;
  }

  async function load(): Promise<void> {
    if (isLoading) {
      isStale = true;
      return;
    }
    isLoading = true;
    isStale = false;
    const began = performance.now();
    try {
      await read();
    } catch (cause) {
      if (!stop.signal.aborted) error.value = cause;
    }
    // A goal that takes long to read is read half of the time at most.
    clearTimeout(rest);
    rest = setTimeout(() => {
      isLoading = false;
      if (isStale && !stop.signal.aborted) void load();
    }, performance.now() - began);
  }

  const unwatch = watchRun(id);
  const off = soonAfterEvents(
    () => void load(),
    ({ run_id }) => run_id === id,
  );
  void load();
  return {
    goal,
    plan,
    subtasks,
    error,
    load,
    close() {
      off();
      unwatch();
      clearTimeout(rest);
      stop.abort();
    },
  };
}
