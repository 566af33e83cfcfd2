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

/** Fields in which references to an item are allowed; all others are resolved once for all items. */
const ITEM_FIELDS = new Set(["title", "description", "input"]);

export interface Scope {
  known: KnownTasks;
  /** Parameters of the goal; undefined where they are not known. */
  params?: JsonObject | undefined;
  /** True when the task has a `foreach`, and therefore items. */
  hasItems: boolean;
}

export function checkReferences(references: readonly Reference[], scope: Scope, report: Report): void {
  for (const reference of references) {
    const wrong = problemOf(reference, scope);
    if (wrong !== undefined) report(pathText(reference.at), `${reference.text} ${wrong}`);
  }
}

/** Reports references in texts that say who does the task. What only looks like one, such as a shell variable, is ordinary text. */
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
