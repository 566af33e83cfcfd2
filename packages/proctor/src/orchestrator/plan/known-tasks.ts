// The tasks of a plan by their ids, for the checks of the plan.
import type { Plan, PlanTask } from "../../core/plan.ts";
import { didYouMean } from "../../core/suggest.ts";

export interface KnownTasks {
  get(id: string): PlanTask | undefined;
  /** Returns the index of the first task with this id. */
  indexOf(id: string): number;
  /** Returns the hint after an id that no task has. */
  hint(id: string): string;
}

/** Number of ids that a mistyped one is compared with; all of twenty thousand, fifty times, would take seconds. */
const COMPARED = 1000;

export function knownTasks({ tasks }: Plan): KnownTasks {
  const indexes = new Map<string, number>();
  for (const [index, { id }] of tasks.entries()) if (!indexes.has(id)) indexes.set(id, index);
  const compared = [...indexes.keys()].slice(0, COMPARED);
  const indexOf = (id: string): number => indexes.get(id) ?? -1;
  return {
    get: (id) => tasks[indexOf(id)],
    indexOf,
    hint: (id) => didYouMean(id, compared, "name the id of a task of this plan"),
  };
}
