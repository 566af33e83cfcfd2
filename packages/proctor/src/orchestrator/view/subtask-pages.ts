// The sub-tasks of a goal, in the order of its plan; the items of a `foreach` after their task.
import { ProctorError } from "../../core/errors.ts";
import type { GoalState } from "../../core/fold-goal.ts";
import type { Subtask } from "../../core/goal.ts";
import { DEFAULT_PAGE_LIMIT, type Page, type PageRequest } from "../../core/page.ts";
import type { Plan, PlanTask } from "../../core/plan.ts";
import type { Run } from "../../core/run.ts";
import { shownStatus } from "./goal-views.ts";

export function pageOfSubtasks(
  run: Run,
  plan: Plan,
  state: GoalState,
  { cursor, limit = DEFAULT_PAGE_LIMIT }: PageRequest,
): Page<Subtask> {
  const start = cursor === undefined ? 0 : placeOf(cursor);
  const items: Subtask[] = [];
  let at = 0;
  for (const [task, key] of keysOf(plan, state)) {
    if (at >= start + limit) return { items, next_cursor: `${at}` };
    if (at >= start) items.push(describe(run, task, key, state));
    at += 1;
  }
  return { items, next_cursor: null };
}

function* keysOf({ tasks }: Plan, { items }: GoalState): Generator<[PlanTask, string]> {
  for (const task of tasks) {
    yield [task, task.id];
    for (let index = 0; index < (items.get(task.id) ?? 0); index++) yield [task, `${task.id}[${index}]`];
  }
}

function describe(run: Run, task: PlanTask, key: string, { subtasks }: GoalState): Subtask {
  const found = subtasks.get(key);
  return {
    key,
    task: task.id,
    title: task.title ?? null,
    parent_id: task.parentId ?? null,
    depends_on: task.dependsOn ?? [],
    status: shownStatus(run, found?.status ?? "waiting"),
    attempts: found?.attempts ?? [],
    reason: found?.reason ?? null,
    output_run_id: found?.outputRunId ?? null,
  };
}

function placeOf(cursor: string): number {
  if (/^\d{1,9}$/.test(cursor)) return Number(cursor);
  throw new ProctorError("INVALID_CURSOR", "the cursor was not issued by this list");
}
