// Runs: start, cancel, pause, resume.
import { jsonResponse } from "../../runtime/http/respond.ts";
import { runParam } from "../call.ts";
import type { ResponseDescription } from "../../runtime/http/route.ts";
import type { Route } from "../route.ts";
import { ReasonBody, RunDocument } from "../schemas/run.ts";
import { RUN_NOT_FOUND } from "./refusals.ts";
import { steer, type Verb } from "./steer.ts";

export function runControlRoutes(bodyLimitBytes: number): Route[] {
  const route = (
    verb: Verb,
    summary: string,
    description: string,
    repeated?: ResponseDescription,
  ): Route => ({
    id: `${verb}Run`,
    method: "POST",
    path: `/runs/{id}/${verb}`,
    scope: "runs:write",
    tag: "Runs",
    summary,
    description,
    body: { schema: ReasonBody, required: false, example: { reason: "no longer needed" } },
    responses: {
      ...(repeated && { 200: repeated }),
      202: { description: "The run, with the request recorded.", schema: RunDocument },
      400: { description: "The body is malformed." },
      404: RUN_NOT_FOUND,
      409: { description: "The run's status does not allow this." },
      504: { description: "The process that carries out the run did not react in time (`OWNER_SILENT`)." },
    },
    async handle(call) {
      const { run, status } = await steer(call, verb, runParam(call), bodyLimitBytes);
      return jsonResponse(run, status);
    },
  });
  return [
    {
      id: "startRun",
      method: "POST",
      path: "/runs/{id}/start",
      scope: "runs:write",
      tag: "Runs",
      summary: "Start a prepared run",
      description: "One that was created with `?start=false`. Starting a run again changes nothing.",
      responses: {
        202: { description: "The run, queued or further.", schema: RunDocument },
        404: RUN_NOT_FOUND,
      },
      handle: async (call) => jsonResponse(await call.hub.start(runParam(call)), 202),
    },
    route(
      "cancel",
      "Cancel a run",
      "The agent is asked to stop and, after a grace, made to. What it had sent is kept. Cancelling a cancelled run changes nothing.",
      { description: "The run was cancelled before and is as it was.", schema: RunDocument },
    ),
    route("pause", "Pause a run", "The agent is held and its clock stands still."),
    route("resume", "Resume a paused run", "The agent goes on where it was held."),
  ];
}
