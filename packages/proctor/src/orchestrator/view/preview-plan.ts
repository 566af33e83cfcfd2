// What a plan would do, without doing it.
import type { PlanPreview, RouteDecision } from "../../core/goal.ts";
import { isJsonObject } from "../../core/json.ts";
import { isGroup, type Plan, type PlanProblem } from "../../core/plan.ts";
import { referencesIn } from "../plan/references.ts";
import type { Router } from "../route/contract.ts";

/** Number of tasks whose routes are shown. */
const MAX_ROUTES = 200;

export async function previewPlan(
  router: Pick<Router, "route">,
  plan: Plan,
  problems: PlanProblem[],
): Promise<PlanPreview> {
  const routes: Record<string, RouteDecision> = {};
  for (const task of plan.tasks.filter((each) => !isGroup(each)).slice(0, MAX_ROUTES)) {
    const { agent, capability, version, labels, input } = task;
    const isKnown = isJsonObject(input) && referencesIn(input).length === 0;
    routes[task.id] = await router.route({
      ...(agent !== undefined && { agent }),
      ...(capability !== undefined && { capability }),
      ...(version !== undefined && { version }),
      ...(labels && { labels }),
      ...(isKnown && { input }),
    });
  }
  return { plan, problems, routes };
}
