// Everything about a plan that can be wrong before anything has run, each with its place and what to do. Who can do the tasks is for the router.
import type { JsonObject } from "../../core/json.ts";
import { pathText } from "../../core/path-text.ts";
import { isGroup, PLAN_LIMITS, type Plan, type PlanProblem, type PlanTask } from "../../core/plan.ts";
import { quote } from "../../core/printable.ts";
import { checkDoers, checkReferences } from "./check-references.ts";
import { checkTask, type Report } from "./check-task.ts";
import { findCycles } from "./find-cycles.ts";
import { buildGraph } from "./graph.ts";
import { knownTasks, type KnownTasks } from "./known-tasks.ts";
import { referencesIn } from "./references.ts";
import { taskReferences, undoReferences } from "./task-references.ts";

/** Number of problems that are reported: people read no more, and a planner gets all of them. */
export const MAX_PLAN_PROBLEMS = 50;
/** Number of tasks of a cycle that are named. */
const NAMED = 10;

/** Returns the problems of a plan. Given parameters are checked; in a template they may also say who does a task. */
export function checkPlan(plan: Plan, params?: JsonObject, isTemplate = false): PlanProblem[] {
  const { tasks, output } = plan;
  if (tasks.length === 0)
    return [{ path: "tasks", message: "there is nothing to do; a plan has at least one task" }];
  if (tasks.length > PLAN_LIMITS.tasks)
    return [
      {
        path: "tasks",
        message: `a plan has at most ${PLAN_LIMITS.tasks} tasks, and this one ${tasks.length}`,
      },
    ];
  const problems: PlanProblem[] = [];
  const report: Report = (path, message) => {
    if (problems.length < MAX_PLAN_PROBLEMS) problems.push({ path, message });
  };
  const known = knownTasks(plan);
  for (const [index, task] of tasks.entries()) {
    if (problems.length >= MAX_PLAN_PROBLEMS) return problems;
    const inTask: Report = (path, message) => report(`tasks[${index}].${path}`, message);
    checkTask(task, index, known, inTask);
    checkDoers(task, isTemplate, inTask);
    const references = [...taskReferences(task), ...undoReferences(task)];
    checkReferences(references, { known, params, hasItems: task.foreach !== undefined }, inTask);
  }
  if (output !== undefined)
    checkReferences(referencesIn(output, ["output"]), { known, params, hasItems: false }, report);
  checkNesting(plan, known, report);
  checkUndoing(plan, report);
  checkCycles(plan, known, report);
  return problems;
}

function checkNesting({ tasks }: Plan, known: KnownTasks, report: Report): void {
  const parents = new Set(tasks.map(({ parentId }) => parentId));
  const depths = new Map<string, number>();
  for (const [index, task] of tasks.entries()) {
    if (isGroup(task) && !parents.has(task.id))
      report(
        `tasks[${index}]`,
        `${quote(task.id)} has neither agent nor capability, and no members; name who does it, or give it members by "parentId"`,
      );
    // Among tasks that are nested too deeply, only the outermost are reported.
    if (depthOf(task, known, depths) === PLAN_LIMITS.depth + 1)
      report(`tasks[${index}].parentId`, `tasks are nested at most ${PLAN_LIMITS.depth} deep`);
  }
}

/** Returns the number of groups around the task; groups that contain themselves are reported as cycles. */
function depthOf(task: PlanTask, known: KnownTasks, depths: Map<string, number>): number {
  const chain: string[] = [];
  const met = new Set<string>();
  let depth = -1;
  for (let at: PlanTask | undefined = task; at !== undefined && !met.has(at.id);) {
    const before = depths.get(at.id);
    if (before !== undefined) {
      depth = before;
      break;
    }
    chain.push(at.id);
    met.add(at.id);
    at = at.parentId === undefined ? undefined : known.get(at.parentId);
  }
  for (const id of chain.toReversed()) depths.set(id, ++depth);
  return depths.get(task.id) ?? depth;
}

function checkUndoing({ tasks }: Plan, report: Report): void {
  if (tasks.some(({ compensate }) => compensate !== undefined)) return;
  const index = tasks.findIndex(({ on_failure: policy }) => policy === "compensate");
  if (index !== -1)
    report(
      `tasks[${index}].on_failure`,
      'nothing can be undone: no task says how to undo it by "compensate"',
    );
}

function checkCycles(plan: Plan, known: KnownTasks, report: Report): void {
  for (const cycle of findCycles(buildGraph(plan), MAX_PLAN_PROBLEMS)) {
    const { path, names } = placeOf(cycle, plan, known);
    const [first = ""] = names;
    const shown =
      names.length > NAMED ? [...names.slice(0, NAMED), `… (${names.length - NAMED} more)`] : names;
    report(
      path,
      `tasks wait for each other: ${[...shown, first].join(" → ")}; remove one of these dependencies`,
    );
  }
}

/** Rotates the cycle so that it begins with the plan's first task that names the next one, and returns the path where it does. */
function placeOf(
  cycle: readonly string[],
  { tasks }: Plan,
  known: KnownTasks,
): { path: string; names: readonly string[] } {
  const steps = cycle.map((id, at) => ({
    at,
    index: known.indexOf(id),
    next: cycle[(at + 1) % cycle.length] ?? id,
  }));
  for (const { at, index, next } of steps.sort((a, b) => a.index - b.index)) {
    const task = tasks[index];
    const field = task && fieldNaming(task, next);
    if (field !== undefined)
      return { path: `tasks[${index}].${field}`, names: [...cycle.slice(at), ...cycle.slice(0, at)] };
  }
  return { path: "tasks", names: cycle };
}

function fieldNaming(task: PlanTask, other: string): string | undefined {
  const at = task.dependsOn?.indexOf(other) ?? -1;
  if (at !== -1) return `dependsOn[${at}]`;
  const reference = taskReferences(task).find((found) => found.kind === "task" && found.task === other);
  if (reference !== undefined) return pathText(reference.at);
  return task.parentId === other ? "parentId" : undefined;
}
