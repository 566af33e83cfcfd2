// Whether some agent can do each task of a plan: checked once for each capability, before anything is done.
import type { Plan, PlanProblem } from "../../core/plan.ts";
import type { Router } from "../route/contract.ts";

export async function checkCapabilities(router: Pick<Router, "route">, plan: Plan): Promise<PlanProblem[]> {
  const problems: PlanProblem[] = [];
  const asked = new Set<string>();
  for (const [index, { capability, version, agent }] of plan.tasks.entries()) {
    if (capability === undefined || agent !== undefined) continue;
    const name = `${capability}@${version ?? ""}`;
    if (asked.has(name)) continue;
    asked.add(name);
    const { considered, refused, rejected } = await router.route({
      capability,
      ...(version !== undefined && { version }),
    });
    // An agent that is down now may be back when it is needed.
    if (considered > 0 || refused > 0) continue;
    const why = rejected[0]?.reason;
    problems.push({
      path: `tasks[${index}].capability`,
      message: `no agent has the capability "${capability}"${version === undefined ? "" : ` in version ${version}`}${why === undefined ? "" : `: ${why}`}`,
    });
  }
  return problems;
}
