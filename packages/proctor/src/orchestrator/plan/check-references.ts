// What can be wrong with the references of a plan, before anything has run.
import { findByPath } from "../../core/json-path.ts";
import type { JsonObject } from "../../core/json.ts";
import { pathText } from "../../core/path-text.ts";
import { isGroup, type PlanTask } from "../../core/plan.ts";
import { quote } from "../../core/printable.ts";
import { didYouMean } from "../../core/suggest.ts";
import type { Report } from "./check-task.ts";
import type { KnownTasks } from "./known-tasks.ts";
import { referencesIn, type Reference } from "./references.ts";
import { mapDoers } from "./task-references.ts";

/** Everything else is looked at once for all items. */
const ITEM_FIELDS = new Set(["title", "description", "input"]);

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

/** Texts that hold no references: what looks like one and is none, such as a variable in a command line, is text like any other. */
export function checkDoers(task: PlanTask, isTemplate: boolean, report: Report): void {
  mapDoers(task, (text, path) => {
    for (const { kind, text: shown } of referencesIn(text)) {
      if (kind === "none" || (kind === "params" && isTemplate)) continue;
      report(path, `${shown} cannot stand here: who does a task is known before anything runs`);
    }
    return text;
  });
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
      if (!hasItems) return 'refers to nothing: only a task with "foreach" has items';
      if (ITEM_FIELDS.has(String(reference.at[0]))) return undefined;
      return "refers to nothing: items are known to the title, the description and the input alone";
    case "goal":
      return undefined;
    default:
      return reference satisfies never;
  }
}
