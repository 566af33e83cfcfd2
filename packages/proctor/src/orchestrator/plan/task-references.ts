// Which fields of a task may hold references. Who does a task may not depend on what agents answer: it is checked, and allowed, before
// anything runs. Reviews hold none either: their checks have texts of their own kind.
import type { Json } from "../../core/json.ts";
import type { Doer, PlanTask } from "../../core/plan.ts";
import { referencesIn, type Reference } from "./references.ts";

const FIELDS = ["title", "description", "input", "foreach", "when"] as const;
const DOER_FIELDS = ["agent", "capability", "version"] as const satisfies (keyof Doer)[];

/** Returns the references that must be resolved before the task begins. */
export function taskReferences(task: PlanTask): Reference[] {
  return FIELDS.flatMap((field) => fieldReferences(task[field], [field]));
}

/** Returns the references that must be resolved when the task is undone, which is after it ended. */
export function undoReferences({ compensate }: PlanTask): Reference[] {
  if (compensate === undefined) return [];
  const { description, input } = compensate;
  return [
    ...fieldReferences(description, ["compensate", "description"]),
    ...fieldReferences(input, ["compensate", "input"]),
  ];
}

/** Changes the texts of a task that say who does it, or what belongs together. The only references there are a template's parameters. */
export function mapDoers(task: PlanTask, change: (text: string, path: string) => string): PlanTask {
  const { labels, conversation, fallback, compensate, review } = task;
  return {
    ...task,
    ...mapDoer(task, "", change),
    ...(conversation !== undefined && { conversation: change(conversation, "conversation") }),
    ...(labels && {
      labels: Object.fromEntries(
        Object.entries(labels).map(([key, text]) => [key, change(text, `labels.${key}`)]),
      ),
    }),
    ...(fallback && { fallback: { ...fallback, ...mapDoer(fallback, "fallback.", change) } }),
    ...(compensate && { compensate: { ...compensate, ...mapDoer(compensate, "compensate.", change) } }),
    ...(typeof review?.agent === "string" && {
      review: { ...review, agent: change(review.agent, "review.agent") },
    }),
  };
}

function mapDoer(doer: Doer, prefix: string, change: (text: string, path: string) => string): Doer {
  const changed: Doer = {};
  for (const field of DOER_FIELDS) {
    const text = doer[field];
    if (text !== undefined) changed[field] = change(text, `${prefix}${field}`);
  }
  return changed;
}

function fieldReferences(value: Json | undefined, at: readonly string[]): Reference[] {
  return value === undefined ? [] : referencesIn(value, at);
}
