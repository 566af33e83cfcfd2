// Which fields of a task may hold references. Reviews may not: their checks have texts of their own kind.
import type { JsonObject } from "../../core/json.ts";
import type { PlanTask } from "../../core/plan.ts";
import { referencesIn, type Reference } from "./references.ts";

/** Everything that must be known before the task begins. */
export function taskReferences(task: PlanTask): Reference[] {
  const { title, description, agent, capability, version, labels, input, foreach, when, conversation } = task;
  const fields = {
    title,
    description,
    agent,
    capability,
    version,
    labels,
    input,
    foreach,
    when,
    conversation,
  };
  return referencesIn(fields satisfies JsonObject);
}

/** What must be known when the task is undone, which is after it ended; paths begin with `compensate`. */
export function undoReferences({ compensate }: PlanTask): Reference[] {
  return compensate === undefined ? [] : referencesIn({ compensate });
}
