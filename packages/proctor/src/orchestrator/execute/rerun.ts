// A goal that does a part of another one again: the plan with its changes, and what is taken over as it was.
import type { Rerun } from "../../core/goal.ts";
import { isGroup, type Plan, type PlanTask } from "../../core/plan.ts";
import { createGoalFold } from "../../core/fold-goal.ts";
import { readLog } from "../../core/read-log.ts";
import { beginOf, buildGraph } from "../plan/graph.ts";
import type { GoalContext } from "./context.ts";
import { keptPlan } from "./kept-plan.ts";

export async function applyRerun({ deps }: Pick<GoalContext, "deps">, rerun: Rerun): Promise<Plan> {
  const plan = await keptPlan(deps, rerun.of);
  return changePlan(plan, rerun.changes);
}

/** Applies changes to tasks. A change to an agent without a capability means that agent, whatever capabilities it has. */
export function changePlan(plan: Plan, changes: Rerun["changes"] = {}): Plan {
  const tasks = plan.tasks.map((task): PlanTask => {
    const change = Object.hasOwn(changes, task.id) ? changes[task.id] : undefined;
    if (change === undefined) return task;
    const { capability, version, agent, ...rest } = task;
    if (change.agent !== undefined) return { ...rest, ...change };
    return {
      ...rest,
      ...(agent !== undefined && change.capability === undefined && { agent }),
      ...(capability !== undefined && { capability }),
      ...(version !== undefined && { version }),
      ...change,
    };
  });
  return { ...plan, tasks };
}

/** Records as settled the tasks that the other goal completed and this one does not repeat. */
export async function takeOver(context: GoalContext, plan: Plan, rerun: Rerun): Promise<void> {
  const { deps, fold } = context;
  const again = downstream(plan, rerun.from);
  const other = createGoalFold();
  for await (const event of readLog(deps.hub, rerun.of)) other.add(event);
  const before = other.state;
  for (const task of plan.tasks) {
    if (again.has(task.id) || fold.state.subtasks.get(task.id)?.status !== undefined) continue;
    const items = before.items.get(task.id);
    const keys =
      items === undefined ? [] : Array.from({ length: items }, (_, index) => `${task.id}[${index}]`);
    const whole = before.subtasks.get(task.id);
    if (whole === undefined || (whole.status !== "completed" && whole.status !== "skipped")) continue;
    if (items !== undefined)
      await context.record({ type: "subtask.expanded", payload: { task: task.id, items } });
    for (const key of [...keys, task.id]) {
      const { status = "completed", outputRunId } = before.subtasks.get(key) ?? {};
      await context.record({
        type: "subtask.settled",
        payload: {
          key,
          status,
          ...(outputRunId != null && { run_id: outputRunId }),
          reason: `taken over from goal ${rerun.of}`,
        },
      });
    }
  }
}

/** Returns the ids of these tasks and of everything that waits for them. */
function downstream(plan: Plan, from: readonly string[]): Set<string> {
  const { nodes, tasks } = buildGraph(plan);
  // A group is repeated from its beginning, with all of its members.
  const begins = from.map((id) => {
    const task = tasks.get(id);
    return task !== undefined && isGroup(task) ? beginOf(id) : id;
  });
  const found = new Set(begins);
  const stack = [...begins];
  for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
    for (const dependent of nodes.get(at)?.dependents ?? []) {
      if (found.has(dependent)) continue;
      found.add(dependent);
      stack.push(dependent);
    }
  }
  return found;
}
