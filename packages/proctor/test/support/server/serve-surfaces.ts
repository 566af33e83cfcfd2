// Serves surfaces over a hub on a socket, as `proctor up` does, to anybody on this machine.
import type { Hub } from "../../../src/core/ports/hub.ts";
import type { Surface } from "../../../src/protocols/protocol.ts";
import { listen, type Listening } from "../../../src/runtime/http/listen.ts";
import { createApp, type App } from "../../../src/server/app.ts";
import { createAuth } from "../../../src/server/auth.ts";
import { createMetrics } from "../../../src/telemetry/metrics.ts";

export interface Served {
  app: App;
  server: Listening;
}

export async function serveSurfaces(
  hub: Hub,
  surfaces: Surface[],
  options: Pick<Parameters<typeof listen>[0], "acceptSocket"> = {},
): Promise<Served> {
  const host = "127.0.0.1";
  const app = createApp({
    hub,
    ready: () => Promise.resolve(),
    auth: createAuth({ tokens: [], host }),
    metrics: createMetrics(),
    log: () => undefined,
    version: "0",
    mounts: surfaces,
  });
  return { app, server: await listen({ app, host, port: 0, ...options }) };
}
