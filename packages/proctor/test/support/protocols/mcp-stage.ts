// A puppet that is an MCP server over streamable HTTP: what it says are notifications in the stream of a call, its response is the result.
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { JsonObject } from "../../../src/core/json.ts";
import type { Stage } from "./puppet.ts";

const SESSION = "session-1";

export function mcpStage(): Stage {
  return {
    name: "MCP, streamable HTTP",
    carriesText: true,
    async raise(play) {
      const server = createServer((request, response) => void perform(request, response));

      async function perform(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
        const chunks: Buffer[] = [];
        for await (const chunk of incoming) chunks.push(chunk as Buffer);
        if (incoming.method !== "POST") return void outgoing.writeHead(204).end();
        const message = JSON.parse(Buffer.concat(chunks).toString()) as JsonObject;
        const { id, method } = message;
        if (method === "initialize") {
          outgoing.writeHead(200, { "content-type": "application/json", "mcp-session-id": SESSION });
          const result = { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo: {} };
          return void outgoing.end(JSON.stringify({ jsonrpc: "2.0", id, result }));
        }
        if (id === undefined) return void outgoing.writeHead(202).end();
        await call(message, outgoing);
      }

      async function call({ id = null, params }: JsonObject, outgoing: ServerResponse): Promise<void> {
        outgoing.writeHead(200, { "content-type": "text/event-stream" });
        const left = once(outgoing, "close").then(() => undefined);
        const send = async (message: JsonObject | string): Promise<void> => {
          const data = typeof message === "string" ? message : JSON.stringify({ jsonrpc: "2.0", ...message });
          if (outgoing.destroyed || outgoing.write(`event: message\ndata: ${data}\n\n`)) return;
          await Promise.race([once(outgoing, "drain"), left]);
        };
        const answer = (message: JsonObject | string): Promise<void> =>
          send(typeof message === "string" ? message : { id, result: message });
        await play({
          request: params as JsonObject,
          stopped: left,
          event: (message) =>
            send(
              typeof message === "string"
                ? message
                : { method: "notifications/message", params: { level: "info", data: message } },
            ),
          answer,
          respond: async (message) => {
            await answer(message);
            outgoing.end();
          },
          vanish: () => void outgoing.destroy(),
        });
      }

      server.listen(0, "127.0.0.1");
      await once(server, "listening");
      // A server on a port has an address with a port.
      const { port } = server.address() as AddressInfo;
      return {
        spec: {
          protocol: "mcp",
          transport: "http",
          url: `http://127.0.0.1:${port}/mcp`,
          options: { tool: "play", arguments: { task: "{task}", input: "{input}" } },
        },
        async close() {
          const closed = new Promise((resolve) => server.close(resolve));
          server.closeAllConnections();
          await closed;
        },
      };
    },
  };
}
