// What can be wrong with the references of a plan, before anything has run.
import { findByPath } from "../../core/json-path.ts";
import type { JsonObject } from "../../core/json.ts";
import { pathText } from "../../core/path-text.ts";
import { isGroup } from "../../core/plan.ts";
import { quote } from "../../core/printable.ts";
import { didYouMean } from "../../core/suggest.ts";
import type { Report } from "./check-task.ts";
import type { KnownTasks } from "./known-tasks.ts";
import type { Reference } from "./references.ts";

export interface Scope {
  known: KnownTasks;
  /** The parameters of the goal, where they are known. */
  params?: JsonObject | undefined;
  /** Whether there are items: the task has a `foreach`. */
  hasItems: boolean;
}

export function checkReferences(references: readonly Reference[], scope: Scope, report: Report): void {
  for (const reference of references) {
    const wrong = problemOf(reference, scope);
    if (wrong !== undefined) report(pathText(reference.at), `${reference.text} ${wrong}`);
  }
}

function problemOf(reference: Reference, { known, params, hasItems }: Scope): string | undefined {
  switch (reference.kind) {
    case "none":
      return `is no reference: ${reference.reason}`;
    case "task": {
      const task = known.get(reference.task);
      if (task === undefined)
        return `refers to nothing: there is no task ${quote(reference.task)}; ${known.hint(reference.task)}`;
      return isGroup(task) ? "refers to a group, which has no output; refer to its members" : undefined;
    }
    case "params": {
      if (params === undefined || findByPath(params, reference.path).length > 0) return undefined;
      const [first] = reference.path;
      const name = first?.kind === "key" ? first.key : "";
      return `refers to nothing: no such parameter is given; ${didYouMean(name, Object.keys(params), "give it a value or a default")}`;
    }
    case "item":
    case "index":
      // What is repeated is known before there are items.
      return hasItems && reference.at[0] !== "foreach"
        ? undefined
        : `refers to nothing: only a task with "foreach" has items, and only its other fields can use them`;
    case "goal":
      return undefined;
    default:
      return reference satisfies never;
  }
}
