// The driver of goals: to the engine an agent like any other, whose work is other runs.
import type { AgentDriver } from "../../core/ports/driver.ts";
import type { OrchestratorDeps } from "./context.ts";
import { createGoalSession } from "./goal-session.ts";

/** `deps` is a function because the hub, which is one of them, needs its drivers first. */
export function createGoalDriver(deps: () => OrchestratorDeps): AgentDriver {
  return {
    talks: { asks: ["approval"], parks: true },
    coordinates: true,
    open: (job, signals) => createGoalSession(deps(), job, signals),
  };
}
