// Lets ATP clients drive any agent the hub knows: /atp/{agent}/execute, /execute/stream and /ws, and the gRPC service.
import { setMaxListeners } from "node:events";
import { ProctorError } from "../../core/errors.ts";
import type { Surface, SurfaceOptions } from "../protocol.ts";
import { createExecutions } from "./execution.ts";
import { createHttpSurface } from "./http/surface.ts";
import { describeAtp } from "./openapi.ts";
import { createSocketSurface } from "./websocket/surface.ts";

const PATH = /^\/atp\/([^/]+)\/(execute|execute\/stream|ws)$/;

export function createAtpSurface(setting: Omit<SurfaceOptions, "tasks">): Surface {
  const stopping = new AbortController();
  // Every waiting client listens to it.
  setMaxListeners(0, stopping.signal);
  const executions = createExecutions(setting);
  const shared = {
    executions,
    stopping: stopping.signal,
    keepAliveMs: setting.keepAliveMs,
    report: setting.report,
  };
  const http = createHttpSurface(shared);
  const socket = createSocketSurface(shared);
  return {
    path: "/atp",
    fetch(request, { traceId }) {
      const { agent, door } = locate(request);
      if (door === "ws")
        throw new ProctorError("UPGRADE_REQUIRED", "this is a WebSocket\nconnect with ws://");
      return http.fetch(request, { agent, stream: door === "execute/stream", traceId });
    },
    upgrade(request, { traceId }) {
      const { agent, door } = locate(request);
      if (door !== "ws") throw new ProctorError("NOT_FOUND", "there is no WebSocket at this path\nsee /docs");
      return socket.accept(request, { agent, traceId });
    },
    openapi: describeAtp,
    grpc: async () => (await import("./grpc/surface.ts")).createGrpcRoutes({ ...shared, hub: setting.hub }),
    close: () => stopping.abort(),
  };
}

function locate(request: Request): { agent: string; door: string } {
  const [, name = "", door = ""] = PATH.exec(new URL(request.url).pathname) ?? [];
  try {
    if (door !== "") return { agent: decodeURIComponent(name), door };
  } catch {
    // Falls through: no agent is called that.
  }
  throw new ProctorError(
    "NOT_FOUND",
    "there is nothing at this path\nagents are at /atp/{agent}/execute, /atp/{agent}/execute/stream and /atp/{agent}/ws",
  );
}
