// Whether the caller may have this done: by programs of its choosing only with the scope for it, and by agents that its token is for.
import { isAddress } from "../core/address.ts";
import { requireAgent, requireScope, requireUnbound, type Caller } from "../core/caller.ts";
import type { GoalRequest } from "../core/goal.ts";
import type { Plan } from "../core/plan.ts";

/** Throws SCOPE_MISSING or FORBIDDEN where the caller may not use an agent of the plan. */
export function requireDoers(
  plan: Pick<Plan, "tasks">,
  { planner, review }: Pick<GoalRequest, "planner" | "review">,
  caller: Caller,
): void {
  const named = [planner, review?.agent];
  let isOpen = planner === undefined && plan.tasks.length === 0;
  for (const task of plan.tasks) {
    for (const doer of [task, task.fallback, task.compensate]) {
      named.push(doer?.agent);
      isOpen ||= doer?.agent === undefined && doer?.capability !== undefined;
    }
    named.push(task.review?.agent);
    isOpen ||= task.review?.agent === true;
  }
  // A capability may be provided by any agent.
  if (isOpen || review?.agent === true) requireUnbound(caller);
  for (const agent of named) {
    if (typeof agent !== "string") continue;
    if (isAddress(agent)) requireScope(caller, "programs");
    else requireAgent(caller, agent);
  }
}
