// Forking runs: where that is possible, and doing it.
import type { ForkRequest } from "../../core/fork.ts";
import { jsonResponse } from "../../runtime/http/respond.ts";
import { runParam } from "../call.ts";
import { readBody } from "../read-body.ts";
import { routesOf, type Route } from "../route.ts";
import { ForkBody, ForkPoints } from "../schemas/fork.ts";
import { RunDocument } from "../schemas/run.ts";
import { BODY_REFUSALS, RUN_NOT_FOUND } from "./refusals.ts";
import { CREATED_HEADERS, createdResponse, SUBMIT_HEADERS, submitOptions } from "./runs.ts";

export function forkRoutes(bodyLimitBytes: number): Route[] {
  return routesOf({ tag: "Runs" }, [
    {
      id: "getForkPoints",
      at: "GET /runs/{id}/fork",
      scope: "runs:read",
      summary: "Read where a run can be forked",
      responses: {
        200: { description: "The points, none while the run has not ended.", schema: ForkPoints },
        404: RUN_NOT_FOUND,
      },
      handle: async (call) => jsonResponse({ points: await call.hub.forkPoints(runParam(call)) }),
    },
    {
      id: "forkRun",
      at: "POST /runs/{id}/fork",
      scope: "runs:write",
      summary: "Go on from a point of an ended run",
      description:
        "Makes another run in the same conversation, with the same options and limits, and with another message or agent if wanted. It knows what was said up to the point, or has the files of that step; `metadata.forked_from` says where it came from. Values of the environment were never kept: it starts without them.",
      headers: SUBMIT_HEADERS,
      body: {
        schema: ForkBody,
        required: true,
        example: { after: 12, message: "In metres, please.", agent: "writer-2" },
      },
      responses: {
        202: {
          description: "The new run, stored and queued.",
          schema: RunDocument,
          headers: CREATED_HEADERS,
        },
        400: "The body is malformed, or nothing is said next.",
        404: "There is no such run, or no agent of this name.",
        409: "The run cannot be forked there, or the agent cannot go on from there (`NOT_SUPPORTED`; `details.points` has where it can be); the conversation has a run at work (`CONVERSATION_BUSY`); the idempotency key was used with another body.",
        ...BODY_REFUSALS,
      },
      async handle(call) {
        const id = runParam(call);
        const options = submitOptions(call);
        // ForkBody is ForkRequest as a schema; JSON has no `undefined`, so no optional field holds one.
        const body = (await readBody(call.request, ForkBody, bodyLimitBytes)) as ForkRequest;
        return createdResponse(call, await call.hub.fork(id, body, options), 202);
      },
    },
  ]);
}
