// Goals: cancel, pause, resume, with the scope of goals alone.
import type { Goals } from "../../core/ports/goals.ts";
import type { ResponseDescription } from "../../runtime/http/route.ts";
import { jsonResponse } from "../../runtime/http/respond.ts";
import { pathParam } from "../call.ts";
import type { Route } from "../route.ts";
import { GoalDocument } from "../schemas/goal.ts";
import { ReasonBody } from "../schemas/run.ts";
import { steer, type Verb } from "./steer.ts";

export function goalControlRoutes(goals: Goals, bodyLimitBytes: number): Route[] {
  const route = (
    verb: Verb,
    summary: string,
    description: string,
    repeated?: ResponseDescription,
  ): Route => ({
    id: `${verb}Goal`,
    method: "POST",
    path: `/goals/{id}/${verb}`,
    scope: "goals:write",
    unbound: true,
    tag: "Goals",
    summary,
    description,
    body: { schema: ReasonBody, required: false, example: { reason: "no longer needed" } },
    responses: {
      ...(repeated && { 200: repeated }),
      202: { description: "The goal, with the request recorded.", schema: GoalDocument },
      400: { description: "The body is malformed." },
      404: { description: "There is no such goal." },
      409: { description: "The goal's status does not allow this." },
      504: { description: "The process that carries out the goal did not react in time (`OWNER_SILENT`)." },
    },
    async handle(call) {
      // A scope for goals is none for other runs.
      const { id } = await goals.get(pathParam(call, "id"));
      call.runId = id;
      const { status } = await steer(call, verb, id, bodyLimitBytes);
      return jsonResponse(await goals.get(id), status);
    },
  });
  return [
    route(
      "cancel",
      "Cancel a goal",
      "All of its runs are asked to stop at once. Cancelling a cancelled goal changes nothing.",
      { description: "The goal was cancelled before and is as it was.", schema: GoalDocument },
    ),
    route("pause", "Pause a goal", "Its runs are paused, and those that are queued do not start."),
    route("resume", "Resume a paused goal", "Its runs go on where they were held."),
  ];
}
