// Tells clients what happens to tasks, live: document 003, "WebSocket Events". What happens on a socket is serve-socket.ts.
import { setMaxListeners } from "node:events";
import { ProctorError } from "../../../../core/errors.ts";
import type { Surface } from "../../../protocol.ts";
import { createFeeds, type FeedsSetting } from "./feeds.ts";
import { describeWs } from "./openapi.ts";
import { DEFAULT_LIMITS, serveSocket, type SocketLimits } from "./serve-socket.ts";

export interface WsSetting extends FeedsSetting {
  limits?: Partial<SocketLimits>;
}

const PATH = "/ws";

export function createWsSurface(setting: WsSetting): Surface {
  const { hub } = setting;
  const limits = { ...DEFAULT_LIMITS, ...setting.limits };
  const feeds = createFeeds(setting);
  const stopping = new AbortController();
  // Every socket listens to it.
  setMaxListeners(0, stopping.signal);
  return {
    path: PATH,
    fetch(request) {
      if (new URL(request.url).pathname !== PATH) throw notFound();
      throw new ProctorError("UPGRADE_REQUIRED", "this is a WebSocket\nconnect with ws://");
    },
    upgrade(request) {
      if (new URL(request.url).pathname !== PATH) throw notFound();
      if (stopping.signal.aborted) throw new ProctorError("SHUTTING_DOWN", "the hub is stopping");
      return {
        protocols: [],
        serve: (socket) => serveSocket(socket, { hub, feeds, limits, stopping: stopping.signal }),
      };
    },
    openapi: describeWs,
    close: () => stopping.abort(),
  };
}

function notFound(): ProctorError {
  return new ProctorError("NOT_FOUND", "there is nothing at this path\ntask events are at /ws");
}
