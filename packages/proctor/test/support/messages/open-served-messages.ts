// The inboxes of a test hub behind a real server, and the Messages over HTTP that talk to them.
import { readSse } from "../../../src/channels/sse/read-sse.ts";
import { acceptSocket } from "../../../src/channels/websocket/accept-socket.ts";
import type { Messages } from "../../../src/core/ports/messages.ts";
import { createHttpPlatform } from "../../../src/hub/http-platform.ts";
import { createEnvelopeSurface } from "../../../src/protocols/envelope/surface.ts";
import { listen } from "../../../src/runtime/http/listen.ts";
import { createApp } from "../../../src/server/app.ts";
import { createAuth } from "../../../src/server/auth.ts";
import { createMetrics } from "../../../src/telemetry/metrics.ts";
import { openTestMessages, type TestMessages, type TestMessagesOptions } from "./open-test-messages.ts";

export interface ServedMessages {
  local: TestMessages;
  /** The same inboxes, over HTTP. */
  messages: Messages;
  url: string;
  close(): Promise<void>;
}

export async function openServedMessages(options: TestMessagesOptions = {}): Promise<ServedMessages> {
  const local = await openTestMessages(options);
  const { store, reader } = local;
  const host = "127.0.0.1";
  const surface = createEnvelopeSurface(local.messages, {
    keepAliveMs: 15_000,
    report: (problem) => void local.problems.push(problem),
  });
  const app = createApp({
    hub: local.hub,
    ready: () => store.ping(),
    auth: createAuth({ tokens: [], host }),
    metrics: createMetrics(),
    log: () => undefined,
    version: "0.0.0",
    recordsOf: (id, after, limit) => store.readEvents(id, after, limit),
    until: (id, look, signal) => reader.until(id, look, signal),
    mounts: [surface],
  });
  const server = await listen({
    app,
    host,
    port: 0,
    acceptSocket: (upgrade) =>
      acceptSocket({ ...upgrade, maxMessageBytes: 16 * 1024 * 1024, keepAliveMs: 15_000 }),
  });
  const { messages } = createHttpPlatform({ url: server.url, readSse });
  return {
    local,
    messages,
    url: server.url,
    async close() {
      app.endStreams();
      await server.close(1000);
      await local.close();
    },
  };
}
