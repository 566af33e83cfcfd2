// The Hub port's promises, kept by both of its implementations on the same real parts.
import { encodeSse } from "../../src/runtime/http/encode-sse.ts";
import { readSse } from "../../src/channels/sse/read-sse.ts";
import { createHttpHub } from "../../src/hub/http-hub.ts";
import { hubCases } from "../../src/core/ports/hub.case.ts";
import { createApp } from "../../src/server/app.ts";
import { createAuth } from "../../src/server/auth.ts";
import { listen } from "../../src/server/listen.ts";
import { createMetrics } from "../../src/telemetry/metrics.ts";
import { openTestHub } from "../support/test-hub.ts";

hubCases("in this process", () => openTestHub());

hubCases("over HTTP", async () => {
  const local = await openTestHub();
  const { hub, store } = local;
  const host = "127.0.0.1";
  const token = "a-token-of-the-test";
  const app = createApp({
    encodeSse,
    hub,
    ready: () => store.ping(),
    auth: createAuth({ tokens: [token], host }),
    metrics: createMetrics(),
    log: () => undefined,
    version: "0.0.0",
    recordsOf: (id, after, limit) => store.readEvents(id, after, limit),
    watch: (listener) => store.watch(listener),
  });
  const server = await listen({ app, host, port: 0 });
  return {
    hub: createHttpHub({ url: server.url, token, readSse }),
    async close() {
      await server.close(1000);
      await local.close();
    },
  };
});
