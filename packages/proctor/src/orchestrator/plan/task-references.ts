// Which fields of a task may hold references. Reviews may not: their checks have texts of their own kind.
import type { PlanTask } from "../../core/plan.ts";
import { referencesIn, type Reference } from "./references.ts";

const FIELDS = [
  "title",
  "description",
  "agent",
  "capability",
  "version",
  "labels",
  "input",
  "foreach",
  "when",
  "conversation",
] as const satisfies (keyof PlanTask)[];

/** Everything that must be known before the task begins. */
export function taskReferences(task: PlanTask): Reference[] {
  return FIELDS.flatMap((field) => fieldReferences(task, field));
}

/** What must be known when the task is undone, which is after it ended. */
export function undoReferences(task: PlanTask): Reference[] {
  return fieldReferences(task, "compensate");
}

function fieldReferences(task: PlanTask, field: string): Reference[] {
  const value = task[field];
  return value === undefined ? [] : referencesIn(value, [field]);
}
