// The Hub port's promises, kept by both of its implementations on the same real parts.
import { readSse } from "../../src/channels/sse/read-sse.ts";
import { createHttpHub } from "../../src/hub/http-hub.ts";
import { hubCases } from "../../src/core/ports/hub.case.ts";
import { verifyInTests } from "../../src/core/ports/judging-hub.case.ts";
import { createApp } from "../../src/server/app.ts";
import { createLogReader } from "../../src/engine/log-reader.ts";
import { systemClock } from "../../src/runtime/time/system-clock.ts";
import { createAuth } from "../../src/server/auth.ts";
import { listen } from "../../src/runtime/http/listen.ts";
import { createMetrics } from "../../src/telemetry/metrics.ts";
import { openTestHub } from "../support/test-hub.ts";

hubCases("in this process", () => openTestHub({ verify: verifyInTests }));

hubCases("over HTTP", async () => {
  const local = await openTestHub({ verify: verifyInTests });
  const { hub, store } = local;
  const log = createLogReader(store, systemClock);
  const host = "127.0.0.1";
  const token = "a-token-of-the-test";
  const app = createApp({
    hub,
    ready: () => store.ping(),
    auth: createAuth({ tokens: [token], host }),
    metrics: createMetrics(),
    log: () => undefined,
    version: "0.0.0",
    recordsOf: (id, after, limit) => store.readEvents(id, after, limit),
    until: (id, look, signal) => log.until(id, look, signal),
  });
  const server = await listen({ app, host, port: 0 });
  const remote = createHttpHub({ url: server.url, token, readSse });
  return {
    hub: remote,
    async close() {
      await remote.close();
      await server.close(1000);
      await local.close();
    },
  };
});
