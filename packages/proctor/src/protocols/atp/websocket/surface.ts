// Lets clients drive any agent the hub knows over a WebSocket: /atp/{agent}/ws. What happens on it is serve-tasks.ts.
import { ProctorError } from "../../../core/errors.ts";
import { parseTraceparent } from "../../../core/trace.ts";
import type { SocketService } from "../../../runtime/http/route.ts";
import type { AtpSurfaceOptions } from "../surface-setting.ts";
import { serveTasks } from "./serve-tasks.ts";
import { SUBPROTOCOL } from "./subprotocol.ts";

export interface SocketSurface {
  /** Throws a ProctorError when the socket is refused. */
  accept(request: Request, call: { agent: string; traceId: string }): SocketService | Response;
}

export function createSocketSurface(setting: AtpSurfaceOptions): SocketSurface {
  const { executions, stopping } = setting;
  return {
    accept(request, { agent }) {
      if (stopping.aborted) throw new ProctorError("SHUTTING_DOWN", "the hub is stopping");
      const keep = keepsTasks(request);
      // Tasks of one socket share a trace only where the client has one; otherwise each gets its own.
      const traceId = parseTraceparent(request.headers.get("traceparent") ?? undefined)?.traceId;
      return {
        protocols: [SUBPROTOCOL],
        serve: (socket) =>
          serveTasks(socket, {
            executions,
            stopping,
            agent,
            keep,
            traceId,
            report: (problem, runId) => setting.report(problem, runId),
          }),
      };
    },
  };
}

function keepsTasks(request: Request): boolean {
  const choice = new URL(request.url).searchParams.get("on_disconnect") ?? "cancel";
  if (choice === "keep" || choice === "cancel") return choice === "keep";
  throw new ProctorError("INVALID_REQUEST", 'on_disconnect must be "keep" or "cancel"');
}
