// Models as puppets: an event is a call of a function, after which the model is asked again; a response is what it says in the end.
import type { ServerResponse } from "node:http";
import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { isJsonObject, type JsonObject } from "../../../src/core/json.ts";
import type { Play, Stage } from "../protocols/puppet.ts";

interface Chat {
  /** Requests that wait for what the puppet says. */
  waiting: ServerResponse[];
  wake: () => void;
  stop: () => void;
}

export const openaiStage: Stage = {
  name: "chat completions",
  carriesText: true,
  async raise(play) {
    const chats = new Map<string, Chat>();
    const server = createServer((request, response) => void serve(request, response));

    async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const body = JSON.parse(Buffer.concat(chunks).toString()) as JsonObject;
      const known = chatIdIn(body);
      const id = known ?? String(chats.size + 1);
      const chat = chats.get(id) ?? perform(play, { ...body, chat_id: id });
      chats.set(id, chat);
      response.on("close", () => response.writableFinished || chat.stop());
      chat.waiting.push(response);
      chat.wake();
    }

    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    // A server on a port has an address with a port.
    const { port } = server.address() as AddressInfo;
    return {
      spec: { protocol: "openai", transport: "http", url: `http://127.0.0.1:${port}/v1#puppet` },
      async close() {
        const closed = new Promise((resolve) => server.close(resolve));
        server.closeAllConnections();
        await closed;
      },
    };
  },
};

/** The ids of calls begin with that of their chat. */
function chatIdIn({ messages }: JsonObject): string | undefined {
  const last = Array.isArray(messages) ? messages.at(-1) : undefined;
  const id = isJsonObject(last) ? last["tool_call_id"] : undefined;
  return typeof id === "string" ? id.split("/")[0] : undefined;
}

function perform(play: Play, request: JsonObject): Chat {
  const chat: Chat = { waiting: [], wake: () => undefined, stop: () => undefined };
  const stopped = new Promise<void>((resolve) => (chat.stop = resolve));

  async function asked(): Promise<ServerResponse> {
    for (;;) {
      const response = chat.waiting.shift();
      if (response) return response;
      await new Promise<void>((resolve) => (chat.wake = resolve));
    }
  }

  async function say(message: JsonObject | string): Promise<void> {
    const response = await asked();
    const flushed = once(response, "close");
    response.setHeader("content-type", "application/json");
    response.end(typeof message === "string" ? message : JSON.stringify(message));
    await flushed;
  }

  async function cutAll(): Promise<never> {
    for (;;) (await asked()).destroy();
  }

  void play({
    request,
    stopped,
    event: say,
    answer: say,
    respond: say,
    // A request on a kept connection that breaks at once comes again, on another.
    vanish: () => void cutAll(),
  });
  return chat;
}
