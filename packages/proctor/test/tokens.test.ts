// Tokens in this process and over HTTP keep the same promises.
import { readSse } from "../src/channels/sse/read-sse.ts";
import { tokensCases } from "../src/core/ports/tokens.case.ts";
import { createHttpPlatform } from "../src/hub/http-platform.ts";
import { listen } from "../src/runtime/http/listen.ts";
import { createApp } from "../src/server/app.ts";
import { createAuth } from "../src/server/auth.ts";
import { createMetrics } from "../src/telemetry/metrics.ts";
import { openTestAccess } from "./support/open-test-access.ts";

tokensCases("in this process", openTestAccess);

tokensCases("over HTTP", async () => {
  const access = await openTestAccess();
  const host = "127.0.0.1";
  const token = "of-whoever-runs-the-hub";
  const app = createApp({
    hub: access.hub.hub,
    ready: () => Promise.resolve(),
    auth: createAuth({ tokens: [token], authority: access.authority, host }),
    metrics: createMetrics(),
    log: () => undefined,
    version: "0.0.0",
    platform: { tokens: access.tokens },
  });
  const server = await listen({ app, host, port: 0 });
  return {
    tokens: createHttpPlatform({ url: server.url, token, readSse }).tokens,
    async close() {
      await server.close(0);
      await access.close();
    },
  };
});
