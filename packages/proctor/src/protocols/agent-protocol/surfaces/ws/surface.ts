// Sends clients what happens to tasks, live: document 003, "WebSocket Events". What happens on a socket is serve-socket.ts.
import { setMaxListeners } from "node:events";
import { z } from "zod";
import { ProctorError } from "../../../../core/errors.ts";
import { errorResponse } from "../../../../runtime/http/respond.ts";
import type { Route } from "../../../../runtime/http/route.ts";
import { serveRoutes } from "../../../../runtime/http/serve-routes.ts";
import type { Surface } from "../../../protocol.ts";
import { ClientFrames } from "./client-frame.ts";
import { createFeeds, type FeedsOptions } from "./feeds.ts";
import { DEFAULT_LIMITS, serveSocket, type SocketLimits } from "./serve-socket.ts";
import { ServerFrames } from "./server-frame.ts";

interface WsOptions extends FeedsOptions {
  limits?: Partial<SocketLimits>;
}

const TAG = "Task API, live";

export function createWsSurface(options: WsOptions): Surface {
  const { hub } = options;
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const feeds = createFeeds(options);
  const stopping = new AbortController();
  // Every socket listens to it.
  setMaxListeners(0, stopping.signal);
  const route: Route = {
    id: "connectTaskEvents",
    method: "GET",
    path: "/ws",
    scope: "runs:read",
    tag: TAG,
    summary: "Hear the events of tasks over a WebSocket",
    description:
      "One JSON object per text frame. Subscribe to a task, or to `*`, and every event of it is told. A browser sends its token as `access_token`.",
    query: z.strictObject({ access_token: z.string().optional().describe("The bearer token.") }),
    responses: {
      101: { description: "It is a WebSocket from here on." },
      426: { description: "The request does not ask for a WebSocket." },
    },
    socket: { sends: ClientFrames, hears: ServerFrames },
    accept() {
      if (stopping.signal.aborted) throw new ProctorError("SHUTTING_DOWN", "the hub is stopping");
      return {
        protocols: [],
        serve: (socket) => serveSocket(socket, { hub, feeds, limits, stopping: stopping.signal }),
      };
    },
  };
  const served = serveRoutes({
    routes: [route],
    tags: { [TAG]: "What happens to tasks, told as it happens." },
    hint: "task events are at /ws",
    unbound: true,
    refuse(thrown, headers) {
      if (!ProctorError.is(thrown)) throw thrown;
      return errorResponse(thrown, headers);
    },
  });
  return { path: "/ws", ...served, close: () => stopping.abort() };
}
