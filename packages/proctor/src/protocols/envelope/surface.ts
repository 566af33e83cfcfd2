// Lets clients send and receive envelopes: /messages.
import { setMaxListeners } from "node:events";
import { ProctorError } from "../../core/errors.ts";
import type { Messages } from "../../core/ports/messages.ts";
import { errorResponse } from "../../runtime/http/respond.ts";
import { serveRoutes } from "../../runtime/http/serve-routes.ts";
import type { Surface, SurfaceOptions } from "../protocol.ts";
import { httpRoutes } from "./http-routes.ts";
import { inboxRoutes } from "./inbox-routes.ts";
import { socketRoute } from "./socket-route.ts";
import { TAG } from "./tag.ts";

export function createEnvelopeSurface(
  messages: Messages,
  { keepAliveMs, report }: Pick<SurfaceOptions, "keepAliveMs" | "report">,
): Surface {
  const stop = new AbortController();
  // Every stream and every poll listens to it.
  setMaxListeners(0, stop.signal);
  const options = { messages, keepAliveMs, stopping: stop.signal, report };
  const served = serveRoutes({
    routes: [...httpRoutes(options), socketRoute(options), ...inboxRoutes(options)],
    tags: { [TAG]: "Messages between agents, users and the hub, kept until they are acknowledged." },
    hint: "see /docs",
    refuse(thrown, headers) {
      if (ProctorError.is(thrown)) return errorResponse(thrown, headers);
      throw thrown;
    },
  });
  return {
    path: "/messages",
    ...served,
    grpc: async () => (await import("./grpc/surface.ts")).createGrpcRoutes(options),
    close: () => stop.abort(),
  };
}
