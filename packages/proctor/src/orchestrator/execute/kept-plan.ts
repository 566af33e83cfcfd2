// The plan that a goal carries out, from where it is kept.
import { ProctorError } from "../../core/errors.ts";
import { PLAN_ARTIFACT } from "../../core/goal.ts";
import type { Plan } from "../../core/plan.ts";
import type { OrchestratorDeps } from "./context.ts";
import { readOutput } from "./read-output.ts";

/** Resolves with the plan that was stored for a goal. */
export async function keptPlan(deps: Pick<OrchestratorDeps, "hub">, goalId: string): Promise<Plan> {
  const run = await deps.hub.run(goalId);
  const artifact = run.artifacts.findLast(
    (each) => each.type === "structured" && each.name === PLAN_ARTIFACT,
  );
  if (artifact === undefined) throw new ProctorError("PLAN_INVALID", `goal ${goalId} has no plan`);
  const plan = await readOutput(deps.hub, { ...run, artifacts: [artifact] });
  // Only plans that were checked are kept under this name.
  return plan as Plan;
}
