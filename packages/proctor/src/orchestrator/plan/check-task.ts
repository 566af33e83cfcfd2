// What can be wrong with one task of a plan by itself, or with its place among the others. References and cycles are looked at elsewhere.
import { isJsonObject, type Json } from "../../core/json.ts";
import { isGroup, PLAN_LIMITS, TASK_ID, type Doer, type PlanTask, type Review } from "../../core/plan.ts";
import { quote } from "../../core/printable.ts";
import { NOT_A_CONDITION } from "./condition.ts";
import type { KnownTasks } from "./known-tasks.ts";
import { soleReference } from "./split-references.ts";

/** Reports a problem; `path` is relative to the task. */
export type Report = (path: string, message: string) => void;

/** Fields that a group may have; all others are about work, which a group does not have. */
const GROUP_FIELDS = new Set(["id", "title", "description", "dependsOn", "parentId"]);
const ID_FORM = "write a letter, then up to 63 letters, digits, _ or -";

export function checkTask(task: PlanTask, index: number, known: KnownTasks, report: Report): void {
  const { id, dependsOn = [] } = task;
  const first = known.indexOf(id);
  if (!TASK_ID.test(id)) report("id", `${quote(id)} is no id: ${ID_FORM}`);
  else if (first !== index) report("id", `tasks[${first}] has the id ${quote(id)} already; choose another`);
  if (dependsOn.length > PLAN_LIMITS.dependencies)
    report(
      "dependsOn",
      `a task depends on at most ${PLAN_LIMITS.dependencies} others; depend on a group of them`,
    );
  else for (const [at, other] of dependsOn.entries()) checkKnown(other, `dependsOn[${at}]`, known, report);
  checkParent(task, known, report);
  if (isGroup(task)) return checkGroup(task, report);
  checkInput(task.input, "input", report);
  checkForeach(task, report);
  checkFailure(task, report);
  if (typeof task.when === "string" && soleReference(task.when) === undefined)
    report("when", NOT_A_CONDITION);
  if (task.review !== undefined) checkReview(task.review, report);
}

function checkKnown(id: string, path: string, known: KnownTasks, report: Report): void {
  if (known.get(id) === undefined) report(path, `there is no task ${quote(id)}; ${known.hint(id)}`);
}

function checkParent({ parentId }: PlanTask, known: KnownTasks, report: Report): void {
  if (parentId === undefined) return;
  const parent = known.get(parentId);
  if (parent === undefined) checkKnown(parentId, "parentId", known, report);
  else if (!isGroup(parent))
    report(
      "parentId",
      `${quote(parentId)} does work itself, and a parent is a group: a task with neither agent nor capability`,
    );
}

function checkGroup(task: PlanTask, report: Report): void {
  for (const field of Object.keys(task)) {
    if (GROUP_FIELDS.has(field) || task[field] === undefined) continue;
    report(
      field,
      `a task with neither agent nor capability is a group, which has no "${field}"; name who does it, or remove this`,
    );
  }
}

/** Reports an input that is not an object, which agents need. */
function checkInput(input: Json | undefined, path: string, report: Report): void {
  if (input === undefined || input === null || isJsonObject(input) || soleReference(input) !== undefined)
    return;
  report(path, "must be an object, with names for its values, or one reference alone that leads to one");
}

function checkForeach({ foreach }: PlanTask, report: Report): void {
  if (foreach === undefined) return;
  if (Array.isArray(foreach)) {
    if (foreach.length > PLAN_LIMITS.items)
      report("foreach", `a list has at most ${PLAN_LIMITS.items} items`);
  } else if (soleReference(foreach) === undefined) {
    report("foreach", "must be a list, or one reference alone that leads to a list");
  }
}

function checkFailure(task: PlanTask, report: Report): void {
  const { on_failure: policy, fallback, compensate } = task;
  if (compensate !== undefined) {
    checkDoer(compensate, "compensate", report);
    checkInput(compensate.input, "compensate.input", report);
  }
  if (fallback === undefined) {
    if (policy === "fallback" && task.capability === undefined)
      report("on_failure", 'nobody else can be found without a capability; add "fallback" or "capability"');
    return;
  }
  if (policy !== "fallback")
    report("fallback", 'is used only with "on_failure: fallback"; add that, or remove this');
  checkDoer(fallback, "fallback", report);
  const isOther = fallback.capability !== undefined && fallback.capability !== task.capability;
  if (fallback.agent !== undefined && fallback.agent === task.agent && !isOther)
    report("fallback.agent", `${quote(fallback.agent)} is the agent that has failed; name another one`);
}

function checkDoer({ agent, capability }: Doer, path: string, report: Report): void {
  if (agent === undefined && capability === undefined)
    report(path, 'says not who does it; add "agent" or "capability"');
}

function checkReview({ checks = [], agent, human }: Review, report: Report): void {
  if (checks.length > 0 || agent !== undefined || human === true) return;
  report("review", 'nobody looks at the output; add "checks", "agent" or "human: true"');
}
