import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it } from "vitest";
import { HANG_MS } from "../../../../test/support/eventually.ts";
import { createHttpClient } from "../../../channels/http/client.ts";
import { createCaller, MAX_FRAMES, NOBODY } from "./caller.ts";

it(
  "a stream of an agent under trial that never ends is left after so many frames",
  { timeout: HANG_MS },
  async () => {
    const status = { statusUpdate: { taskId: "t", contextId: "c", status: { state: "TASK_STATE_WORKING" } } };
    const frame = `data: ${JSON.stringify({ jsonrpc: "2.0", id: 1, result: status })}\n\n`;
    const server = createServer((_, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      const more = (): void => {
        while (response.writable && response.write(frame.repeat(100)));
      };
      response.on("drain", more);
      more();
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    // A server on a port has an address of this kind.
    const { port } = server.address() as AddressInfo;
    const url = new URL(`http://127.0.0.1:${port}/`);
    const spoken = { url: url.href, protocolBinding: "JSONRPC", protocolVersion: "1.0" };
    const caller = createCaller({
      http: createHttpClient(),
      identity: NOBODY,
      timeoutMs: HANG_MS,
      signal: new AbortController().signal,
      hideUrl: ({ href }) => href,
      extensions: () => [],
    });
    const endpoint = {
      interface: spoken,
      binding: "JSONRPC" as const,
      version: "1.0" as const,
      url,
      name: "JSON-RPC 1.0",
      mayHaveCredentials: true,
    };
    const heard = await caller.listen(endpoint, (service, call) => service.subscribe({ id: "t" }, call));
    expect(heard).toMatchObject({ ended: "broken", timedOut: false });
    expect(heard.error?.message).toContain(`more than ${MAX_FRAMES} frames`);
    server.closeAllConnections();
    server.close();
  },
);
