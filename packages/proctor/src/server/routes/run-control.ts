// Runs: start, cancel, pause, resume.
import { jsonResponse } from "../../runtime/http/respond.ts";
import { runParam } from "../call.ts";
import { routesOf, type Route } from "../route.ts";
import { RunDocument } from "../schemas/run.ts";
import { RUN_NOT_FOUND } from "./refusals.ts";
import { steeringRoutes } from "./steer.ts";

const SHARED = { tag: "Runs", scope: "runs:write" } as const;

export function runControlRoutes(bodyLimitBytes: number): Route[] {
  return [
    ...routesOf(SHARED, [
      {
        id: "startRun",
        at: "POST /runs/{id}/start",
        summary: "Start a prepared run",
        description: "One that was created with `?start=false`. Starting a run again changes nothing.",
        responses: {
          202: { description: "The run, queued or further.", schema: RunDocument },
          404: RUN_NOT_FOUND,
        },
        handle: async (call) => jsonResponse(await call.hub.start(runParam(call)), 202),
      },
    ]),
    ...steeringRoutes({
      shared: SHARED,
      noun: "run",
      schema: RunDocument,
      idOf: runParam,
      show: (run) => run,
      says: {
        cancel:
          "The agent is asked to stop and, after a grace, made to. What it had sent is kept. Cancelling a cancelled run changes nothing.",
        pause: "The agent is held and its clock stands still.",
        resume: "The agent goes on where it was held.",
      },
      bodyLimitBytes,
    }),
  ];
}
