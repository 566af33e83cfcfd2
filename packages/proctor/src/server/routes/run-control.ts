// Runs: start, cancel, pause, resume.
import type { Hub } from "../../core/ports/hub.ts";
import { isTerminal, type Run } from "../../core/run.ts";
import { readOptionalJson } from "../../runtime/http/read-json.ts";
import { jsonResponse } from "../../runtime/http/respond.ts";
import { runParam } from "../call.ts";
import type { ResponseDescription } from "../../runtime/http/route.ts";
import type { Route } from "../route.ts";
import { ReasonBody, RunDocument } from "../schemas/run.ts";
import { validate } from "../../runtime/http/validate.ts";
import { RUN_NOT_FOUND } from "./refusals.ts";

export function runControlRoutes(bodyLimitBytes: number): Route[] {
  const route = (
    verb: "cancel" | "pause" | "resume",
    summary: string,
    description: string,
    act: (hub: Hub, id: string, reason: string | undefined) => Promise<Run>,
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
      const { request, hub } = call;
      const id = runParam(call);
      const body = await readOptionalJson(request, { limitBytes: bodyLimitBytes });
      const { reason } = validate(ReasonBody, body === undefined ? {} : body, "body");
      const before = await hub.run(id);
      const run = await act(hub, id, reason);
      return jsonResponse(run, isTerminal(before.status) ? 200 : 202);
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
      (hub, id, reason) => hub.cancel(id, reason),
      { description: "The run was cancelled before and is as it was.", schema: RunDocument },
    ),
    route("pause", "Pause a run", "The agent is held and its clock stands still.", (hub, id) =>
      hub.pause(id),
    ),
    route("resume", "Resume a paused run", "The agent goes on where it was held.", (hub, id) =>
      hub.resume(id),
    ),
  ];
}
