// Lets ATP clients drive any agent the hub knows: /atp/{agent}/execute, /execute/stream and /ws, and the gRPC service.
import { setMaxListeners } from "node:events";
import { ProctorError } from "../../core/errors.ts";
import { serveRoutes, type ServedRoutes } from "../../runtime/http/serve-routes.ts";
import type { Surface, SurfaceOptions } from "../protocol.ts";
import { createExecutions } from "./execution.ts";
import { ATP_JSON } from "./http/media.ts";
import { httpRoutes, refuse } from "./http/surface.ts";
import { ATP_TAG } from "./route-schemas.ts";
import type { AtpSurfaceOptions } from "./surface-options.ts";
import { socketRoute } from "./websocket/surface.ts";

export function createAtpSurface(options: SurfaceOptions): Surface {
  const { hub, keepAliveMs, report } = options;
  const stopping = new AbortController();
  // Every client that waits listens to it.
  setMaxListeners(0, stopping.signal);
  const shared = { executions: createExecutions(options), stopping: stopping.signal, keepAliveMs, report };
  return {
    path: "/atp",
    ...serveAtp(shared),
    grpc: async () => (await import("./grpc/surface.ts")).createGrpcRoutes({ ...shared, hub }),
    close: () => stopping.abort(),
  };
}

export function serveAtp(options: AtpSurfaceOptions): ServedRoutes {
  return serveRoutes({
    routes: [...httpRoutes(options), socketRoute(options)],
    tags: { [ATP_TAG]: "Agent Task Protocol: any agent that the hub knows, for clients that speak ATP." },
    hint: "agents are at /atp/{agent}/execute, /atp/{agent}/execute/stream and /atp/{agent}/ws",
    refuse(thrown, headers) {
      // Only a wrong method is refused in ATP's form here: on any other path, it is not known that a task was meant.
      if (!ProctorError.is(thrown) || thrown.code !== "METHOD_NOT_ALLOWED") throw thrown;
      return refuse(thrown, { type: ATP_JSON, taskId: undefined }, headers);
    },
  });
}
