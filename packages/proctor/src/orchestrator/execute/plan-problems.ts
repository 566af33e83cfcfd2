// Everything that keeps a plan from being carried out: what it says, its checks, and what nobody can do.
import type { JsonObject } from "../../core/json.ts";
import type { Plan, PlanProblem } from "../../core/plan.ts";
import { checkPlan } from "../plan/check-plan.ts";
import { checkCapabilities } from "./check-capabilities.ts";
import type { OrchestratorDeps } from "./context.ts";

export async function planProblems(
  { checkProblems, router }: Pick<OrchestratorDeps, "checkProblems" | "router">,
  plan: Plan,
  params?: JsonObject,
): Promise<PlanProblem[]> {
  const problems = [...checkPlan(plan, params), ...((await checkProblems?.(plan)) ?? [])];
  // Capabilities are only checked for a plan that is otherwise valid.
  return problems.length > 0 ? problems : checkCapabilities(router, plan);
}
