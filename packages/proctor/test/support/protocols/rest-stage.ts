// A puppet behind a JSON endpoint that streams: what it says is the text of a frame, its response is the last one.
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { JsonObject } from "../../../src/core/json.ts";
import type { Stage } from "./puppet.ts";

const FORMS = {
  sse: { type: "text/event-stream", frame: (data: string): string => `data: ${data}\n\n` },
  lines: { type: "application/x-ndjson", frame: (data: string): string => `${data}\n` },
};

export function restStage(stream: keyof typeof FORMS): Stage {
  const { type, frame } = FORMS[stream];
  return {
    name: `REST, ${stream}`,
    carriesText: true,
    async raise(play) {
      const server = createServer((request, response) => void perform(request, response));

      async function perform(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
        const chunks: Buffer[] = [];
        for await (const chunk of incoming) chunks.push(chunk as Buffer);
        outgoing.writeHead(200, { "content-type": type });
        const stopped = once(outgoing, "close").then(() => undefined);
        const send = async (data: string): Promise<void> => {
          if (outgoing.destroyed || outgoing.write(frame(data))) return;
          await Promise.race([once(outgoing, "drain"), stopped]);
        };
        const say = (message: JsonObject | string): Promise<void> =>
          send(
            typeof message === "string" ? message : JSON.stringify({ delta: `${JSON.stringify(message)}\n` }),
          );
        const answer = (message: JsonObject | string): Promise<void> =>
          send(typeof message === "string" ? message : JSON.stringify(message));
        await play({
          request: JSON.parse(Buffer.concat(chunks).toString()) as JsonObject,
          stopped,
          event: say,
          answer,
          respond: async (message) => {
            await answer(message);
            await send("[DONE]");
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
          protocol: "rest",
          transport: "http",
          url: `http://127.0.0.1:${port}/chat`,
          options: { stream, delta: "delta", error: "error", done: "[DONE]" },
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
