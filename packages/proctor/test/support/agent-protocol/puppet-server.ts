// A puppet behind an Agent Protocol server: what it says is the answer to the next step, its response is the last step.
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { isJsonObject, type JsonObject } from "../../../src/core/json.ts";
import type { Play, Stage } from "../protocols/puppet.ts";

interface PuppetState {
  /** Steps that were asked for, and wait for what the puppet says. */
  waiting: ServerResponse[];
  wake: () => void;
  stop: () => void;
  files: { name: string; content: string }[];
}

export const apStage: Stage = {
  name: "Agent Protocol",
  carriesText: true,
  async raise(play) {
    const states = new Map<string, PuppetState>();
    const server = createServer((request, response) => void serve(request, response));

    async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const { pathname } = new URL(request.url ?? "", "http://puppet");
      const [id = "", what, file] = pathname.split("/").slice(5);
      const state = states.get(id);
      if (pathname === "/ap/v1/agent/tasks") {
        const body = JSON.parse(Buffer.concat(chunks).toString()) as JsonObject;
        const task_id = String(states.size + 1);
        states.set(task_id, perform(play, { ...body, task_id }));
        json(response, JSON.stringify({ ...body, task_id, artifacts: [] }));
      } else if (state && what === "steps") {
        response.on("close", () => response.writableFinished || state.stop());
        state.waiting.push(response);
        state.wake();
      } else if (state && what === "artifacts" && file === undefined) {
        const artifacts = state.files.map(entryOf);
        const pagination = {
          total_items: artifacts.length,
          total_pages: 1,
          current_page: 1,
          page_size: 100,
        };
        json(response, JSON.stringify({ artifacts, pagination }));
      } else if (state && what === "artifacts") {
        response.setHeader("content-type", "application/octet-stream");
        response.end(state.files[Number(file)]?.content);
      } else {
        response.writeHead(404).end();
      }
    }

    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    // A server on a port has an address with a port.
    const { port } = server.address() as AddressInfo;
    return {
      spec: { protocol: "ap", transport: "http", url: `http://127.0.0.1:${port}` },
      async close() {
        const closed = new Promise((resolve) => server.close(resolve));
        server.closeAllConnections();
        await closed;
      },
    };
  },
};

function perform(play: Play, request: JsonObject): PuppetState {
  const state: PuppetState = { waiting: [], wake: () => undefined, stop: () => undefined, files: [] };
  const stopped = new Promise<void>((resolve) => (state.stop = resolve));

  async function asked(): Promise<ServerResponse> {
    for (;;) {
      const response = state.waiting.shift();
      if (response) return response;
      await new Promise<void>((resolve) => (state.wake = resolve));
    }
  }

  async function say(message: JsonObject | string): Promise<void> {
    const response = await asked();
    const flushed = once(response, "close");
    json(response, typeof message === "string" ? message : JSON.stringify(named(message, state)));
    await flushed;
  }

  void play({
    request,
    stopped,
    event: say,
    answer: say,
    respond: say,
    vanish: () => void asked().then((response) => response.destroy()),
  });
  return state;
}

/** Files that the puppet hands over as it would to any protocol, as the step names them. */
function named(message: JsonObject, state: PuppetState): JsonObject {
  const artifacts = Array.isArray(message["artifacts"]) ? message["artifacts"] : [];
  for (const artifact of artifacts.filter(isJsonObject)) {
    state.files.push({ name: artifact["path"] as string, content: artifact["content"] as string });
  }
  return { ...message, ...(artifacts.length > 0 && { artifacts: state.files.map(entryOf) }) };
}

function entryOf({ name }: { name: string }, index: number): JsonObject {
  return { artifact_id: String(index), agent_created: true, file_name: name, relative_path: null };
}

function json(response: ServerResponse, text: string): void {
  response.setHeader("content-type", "application/json");
  response.end(text);
}
