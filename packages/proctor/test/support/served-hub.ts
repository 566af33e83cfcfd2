// A test hub behind a real server, and the Hub over HTTP that talks to it.
import { readSse } from "../../src/channels/sse/read-sse.ts";
import type { Hub } from "../../src/core/ports/hub.ts";
import { createHttpHub } from "../../src/hub/http-hub.ts";
import { listen } from "../../src/runtime/http/listen.ts";
import { createApp } from "../../src/server/app.ts";
import { createAuth } from "../../src/server/auth.ts";
import { createMetrics } from "../../src/telemetry/metrics.ts";
import { openTestHub, type TestHub, type TestHubOptions } from "./test-hub.ts";

export interface ServedHub {
  /** The hub behind the server. */
  local: TestHub;
  /** The same hub, over HTTP. */
  hub: Hub;
  url: string;
  token: string;
  close(): Promise<void>;
}

/** Without `tokens`, the server wants the one that is returned. */
export async function openServedHub(
  options: TestHubOptions & { tokens?: string[] } = {},
): Promise<ServedHub> {
  const local = await openTestHub(options);
  const { store, reader } = local;
  const host = "127.0.0.1";
  const token = "a-token-of-the-test";
  const app = createApp({
    hub: local.hub,
    ready: () => store.ping(),
    auth: createAuth({ tokens: options.tokens ?? [token], host }),
    metrics: createMetrics(),
    log: () => undefined,
    version: "0.0.0",
    recordsOf: (id, after, limit) => store.readEvents(id, after, limit),
    until: (id, look, signal) => reader.until(id, look, signal),
  });
  const server = await listen({ app, host, port: 0 });
  const hub = createHttpHub({ url: server.url, token, readSse });
  return {
    local,
    hub,
    url: server.url,
    token,
    async close() {
      await hub.close();
      await server.close(1000);
      await local.close();
    },
  };
}
