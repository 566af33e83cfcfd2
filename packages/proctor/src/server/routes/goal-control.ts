// Goals: cancel, pause, resume, with the scope of goals alone.
import type { Goals } from "../../core/ports/goals.ts";
import { pathParam } from "../call.ts";
import type { Route } from "../route.ts";
import { GoalDocument } from "../schemas/goal.ts";
import { steeringRoutes } from "./steer.ts";

export function goalControlRoutes(goals: Goals, bodyLimitBytes: number): Route[] {
  return steeringRoutes({
    shared: { tag: "Goals", scope: "goals:write", unbound: true },
    noun: "goal",
    schema: GoalDocument,
    async idOf(call) {
      // A scope for goals does not cover other runs.
      const { id } = await goals.get(pathParam(call, "id"));
      call.runId = id;
      return id;
    },
    show: ({ id }) => goals.get(id),
    says: {
      cancel: "All of its runs are asked to stop at once. Cancelling a cancelled goal changes nothing.",
      pause: "Its runs are paused, and those that are queued do not start.",
      resume: "Its runs go on where they were held.",
    },
    bodyLimitBytes,
  });
}
