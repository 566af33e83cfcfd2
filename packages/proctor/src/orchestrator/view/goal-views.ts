// What is shown of goals. The folds of the last ones are kept and read on, so that looking at a goal again costs what is new.
import { createGoalFold, isSettled, type GoalFold, type GoalState } from "../../core/fold-goal.ts";
import { SUBTASK_STATUSES, type Goal, type SubtaskStatus } from "../../core/goal.ts";
import type { Hub } from "../../core/ports/hub.ts";
import { readLog } from "../../core/read-log.ts";
import { createSerial } from "../../core/serial.ts";
import { isTerminal, type Run } from "../../core/run.ts";

export interface GoalViews {
  goal(run: Run): Promise<Goal>;
  state(id: string): Promise<GoalState>;
}

interface Kept {
  fold: GoalFold;
  after: number;
}

/** Number of sub-tasks up to which the folds of the last goals together are kept. */
const MAX_KEPT_SUBTASKS = 5000;

export function createGoalViews(hub: Pick<Hub, "events" | "tally">): GoalViews {
  const kept = new Map<string, Kept>();
  const serial = createSerial();

  function state(id: string): Promise<GoalState> {
    return serial(id, async () => {
      const at = kept.get(id) ?? { fold: createGoalFold(), after: -1 };
      kept.delete(id);
      for await (const event of readLog(hub, id, at.after)) {
        at.fold.add(event);
        at.after = event.sequence;
      }
      kept.set(id, at);
      forgetOldest();
      return at.fold.state;
    });
  }

  function forgetOldest(): void {
    let subtasks = 0;
    for (const { fold } of kept.values()) subtasks += fold.state.subtasks.size + 1;
    for (const [id, { fold }] of kept) {
      if (subtasks <= MAX_KEPT_SUBTASKS) return;
      kept.delete(id);
      subtasks -= fold.state.subtasks.size + 1;
    }
  }

  return {
    state,
    async goal(run) {
      const { plan, subtasks, items } = await state(run.id);
      const asked = run.options.goal ?? {};
      // Every status of the catalogue has a count.
      const counts = Object.fromEntries(SUBTASK_STATUSES.map((status) => [status, 0])) as Goal["counts"];
      for (const { key, status } of subtasks.values())
        if (!items.has(key)) counts[shownStatus(run, status)] += 1;
      const known = Object.values(counts).reduce((sum, count) => sum + count, 0);
      const expanded = [...items.values()].reduce((sum, count) => sum + count - 1, 0);
      const waiting = Math.max(0, (plan?.work ?? 0) + expanded - known);
      counts[shownStatus(run, "waiting")] += waiting;
      return {
        id: run.id,
        goal: run.task.description,
        status: run.status,
        plan,
        counts,
        budget: asked.budget ?? {},
        spent: await hub.tally(run.id),
        questions: run.questions,
        failure: run.failure,
        artifacts: run.artifacts,
        rerun_of: asked.rerun?.of ?? null,
        conversation_id: run.conversation_id,
        trace_id: run.trace_id,
        created_at: run.created_at,
        started_at: run.started_at,
        ended_at: run.ended_at,
      };
    },
  };
}

/** Returns the status to show: a sub-task that had not settled when the goal ended never will. */
export function shownStatus({ status: ofGoal }: Pick<Run, "status">, status: SubtaskStatus): SubtaskStatus {
  return isTerminal(ofGoal) && !isSettled(status) ? "cancelled" : status;
}
