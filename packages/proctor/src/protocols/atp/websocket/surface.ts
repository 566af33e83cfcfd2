// Lets clients drive any agent the hub knows over a WebSocket: /atp/{agent}/ws. What happens on it is serve-tasks.ts.
import { z } from "zod";
import { ProctorError } from "../../../core/errors.ts";
import { originOf, type TraceOrigin } from "../../../core/trace.ts";
import type { Route } from "../../../runtime/http/route.ts";
import {
  ATP_TAG,
  AtpCancel,
  AtpEventBody,
  AtpRequestBody,
  AtpResponseBody,
  AtpResume,
} from "../route-schemas.ts";
import type { AtpSurfaceOptions } from "../surface-options.ts";
import { serveTasks } from "./serve-tasks.ts";
import { SUBPROTOCOL } from "./subprotocol.ts";

export function socketRoute({ executions, stopping, report }: AtpSurfaceOptions): Route {
  return {
    id: "connectAtp",
    method: "GET",
    path: "/atp/{agent}/ws",
    scope: "runs:write",
    tag: ATP_TAG,
    summary: "Give an agent tasks over a WebSocket",
    description:
      "Subprotocol `atp.v1`, one JSON object per text frame, many tasks on one socket. A browser sends its token as `access_token`.",
    query: z.strictObject({ access_token: z.string().optional().describe("The bearer token.") }),
    responses: {
      101: { description: "It is a WebSocket from here on." },
      404: { description: "There is no agent of this name." },
      426: { description: "The request does not ask for a WebSocket." },
    },
    socket: {
      sends: z.union([AtpRequestBody, AtpCancel, AtpResume]),
      hears: z.union([AtpEventBody, AtpResponseBody]),
    },
    accept({ request, params, caller }) {
      if (stopping.aborted) throw new ProctorError("SHUTTING_DOWN", "the hub is stopping");
      const keep = keepsTasks(request);
      // Tasks of one socket share a trace only where the client has one; otherwise each gets its own.
      const opened = request.headers.get("traceparent");
      const origin = (named?: string): TraceOrigin => originOf(named ?? opened);
      const agent = params["agent"] ?? "";
      return {
        protocols: [SUBPROTOCOL],
        serve: (socket) => serveTasks(socket, { executions, stopping, agent, caller, keep, origin, report }),
      };
    },
  };
}

function keepsTasks(request: Request): boolean {
  const choice = new URL(request.url).searchParams.get("on_disconnect") ?? "cancel";
  if (choice === "keep" || choice === "cancel") return choice === "keep";
  throw new ProctorError("INVALID_REQUEST", 'on_disconnect must be "keep" or "cancel"');
}
