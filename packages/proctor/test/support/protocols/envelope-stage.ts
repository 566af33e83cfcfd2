// A puppet that speaks envelopes over HTTP: what it says is a stream of envelopes, as server-sent events or as lines.
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { JsonObject } from "../../../src/core/json.ts";
import type { Stage } from "./puppet.ts";

const FORMS = {
  "event stream": { type: "text/event-stream", frame: (data: string): string => `data: ${data}\n\n` },
  lines: { type: "application/x-ndjson", frame: (data: string): string => `${data}\n` },
};

export function envelopeStage(form: keyof typeof FORMS): Stage {
  const { type, frame } = FORMS[form];
  return {
    name: `envelopes, ${form}`,
    carriesText: true,
    async raise(play) {
      /** How the tasks that are at work are told to stop, by the ids of their requests. */
      const stops = new Map<unknown, () => void>();
      const server = createServer((request, response) => void perform(request, response));

      async function perform(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
        const chunks: Buffer[] = [];
        for await (const chunk of incoming) chunks.push(chunk as Buffer);
        const request = JSON.parse(Buffer.concat(chunks).toString()) as JsonObject;
        if (request["action"] === "cancel") {
          outgoing.writeHead(202).end();
          stops.get(request["inReplyTo"])?.();
          return;
        }
        outgoing.writeHead(200, { "content-type": type });
        const left = once(outgoing, "close").then(() => undefined);
        const stopped = new Promise<void>((resolve) => stops.set(request["id"], resolve));
        const send = async (message: JsonObject | string): Promise<void> => {
          const data = typeof message === "string" ? message : JSON.stringify(message);
          if (outgoing.destroyed || outgoing.write(frame(data))) return;
          await Promise.race([once(outgoing, "drain"), left]);
        };
        await play({
          request,
          stopped: Promise.race([stopped, left]),
          event: send,
          answer: send,
          respond: async (message) => {
            await send(message);
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
        spec: { protocol: "envelope", transport: "http", url: `http://127.0.0.1:${port}/inbox` },
        async close() {
          const closed = new Promise((resolve) => server.close(resolve));
          server.closeAllConnections();
          await closed;
        },
      };
    },
  };
}
