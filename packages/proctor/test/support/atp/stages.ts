// The four transports of ATP as stages for puppets, made from programs that are not ours: a plain process, node:http, `ws`
// and @grpc/grpc-js.
import { once } from "node:events";
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer, type AddressInfo, type Server, type Socket } from "node:net";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import * as grpc from "@grpc/grpc-js";
import { WebSocketServer, type WebSocket } from "ws";
import type { JsonObject } from "../../../src/core/json.ts";
import type { Play, Puppet, PuppetTask, Stage } from "../protocols/puppet.ts";
import { grpcPuppet } from "./grpc-puppet.ts";

const PUPPET = fileURLToPath(new URL("../../fixtures/agents/puppet.mjs", import.meta.url));

const textOf = (message: JsonObject | string): string =>
  typeof message === "string" ? message : JSON.stringify(message);

export const stdioStage: Stage = {
  name: "stdio",
  carriesText: true,
  async raise(play) {
    const server = createServer((socket) => void perform(socket));
    const port = await listenOn(server);

    async function perform(socket: Socket): Promise<void> {
      socket.on("error", () => undefined);
      const closed = new Promise<void>((resolve) => void socket.on("close", () => resolve()));
      const say = async (command: object): Promise<void> => {
        if (socket.destroyed || socket.write(`${JSON.stringify(command)}\n`)) return;
        await Promise.race([new Promise<void>((resolve) => void socket.once("drain", resolve)), closed]);
      };
      let stop = (): void => undefined;
      const stopped = new Promise<void>((resolve) => (stop = resolve));
      void closed.then(stop);
      // A reader of lines says again what went wrong with its input.
      const lines = createInterface({ input: socket }).on("error", () => undefined);
      lines.on("line", (line) => {
        const request = JSON.parse(line) as JsonObject;
        if (request["stopped"] === true) return stop();
        const task: PuppetTask = {
          request,
          stopped,
          event: (message) => say({ err: textOf(message) }),
          answer: (message) => say({ out: textOf(message) }),
          respond: async (message) => {
            await say({ out: textOf(message) });
            await say({ exit: 0 });
          },
          vanish: () => void say({ exit: 3 }),
        };
        void play(task);
      });
    }

    return {
      spec: {
        protocol: "atp",
        transport: "stdio",
        command: [process.execPath, PUPPET],
        env: { PUPPET_PORT: String(port) },
      },
      close: () => closeServer(server),
    };
  },
};

export const httpStage: Stage = {
  name: "http",
  carriesText: true,
  async raise(play) {
    const server = createHttpServer((request, response) => void perform(request, response));
    const port = await listenOn(server);

    async function perform(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
      // A hub that knows the agent looks now and then whether it is there.
      if (incoming.method !== "POST") return void outgoing.writeHead(405).end();
      const chunks: Buffer[] = [];
      for await (const chunk of incoming) chunks.push(chunk as Buffer);
      outgoing.writeHead(200, { "content-type": "text/event-stream" });
      const stopped = once(outgoing, "close").then(() => undefined);
      const frame = async (name: string, message: JsonObject | string): Promise<void> => {
        if (outgoing.destroyed) return;
        const data = textOf(message)
          .split("\n")
          .map((line) => `data: ${line}\n`)
          .join("");
        if (!outgoing.write(`event: ${name}\n${data}\n`))
          await Promise.race([once(outgoing, "drain"), stopped]);
      };
      await play({
        request: JSON.parse(Buffer.concat(chunks).toString()) as JsonObject,
        stopped,
        event: (message) => frame("event", message),
        answer: (message) => frame("response", message),
        respond: async (message) => {
          await frame("response", message);
          outgoing.end();
        },
        vanish: () => void outgoing.destroy(),
      });
    }

    return {
      spec: { protocol: "atp", transport: "http", url: `http://127.0.0.1:${port}` },
      close: () => closeServer(server),
    };
  },
};

export const socketStage: Stage = {
  name: "ws",
  carriesText: true,
  async raise(play) {
    const server = createHttpServer();
    const sockets = new WebSocketServer({ server, handleProtocols: () => "atp.v1" });
    sockets.on("connection", (socket) => attend(socket, play));
    const port = await listenOn(server);
    return {
      spec: { protocol: "atp", transport: "ws", url: `ws://127.0.0.1:${port}` },
      async close() {
        for (const socket of sockets.clients) socket.terminate();
        await closeServer(server);
      },
    };
  },
};

function attend(socket: WebSocket, play: Play): void {
  const stops = new Map<unknown, () => void>();
  socket.on("error", () => undefined);
  socket.on("close", () => stops.forEach((stop) => stop()));
  socket.on("message", (data) => {
    // Text frames arrive as buffers.
    const request = JSON.parse((data as Buffer).toString()) as JsonObject;
    if (request["type"] === "cancel") return stops.get(request["task_id"])?.();
    const send = (message: JsonObject | string): Promise<void> =>
      new Promise((resolve) => socket.send(textOf(message), () => resolve()));
    const stopped = new Promise<void>((resolve) => stops.set(request["task_id"], resolve));
    void play({
      request,
      stopped,
      event: send,
      answer: send,
      respond: send,
      vanish: () => socket.terminate(),
    });
    return undefined;
  });
}

export const grpcStage: Stage = {
  name: "grpc",
  carriesText: false,
  async raise(play): Promise<Puppet> {
    const server = new grpc.Server();
    grpcPuppet(server, play);
    const port = await new Promise<number>((resolve, reject) =>
      server.bindAsync("127.0.0.1:0", grpc.ServerCredentials.createInsecure(), (error, bound) =>
        error ? reject(error) : resolve(bound),
      ),
    );
    return {
      spec: { protocol: "atp", transport: "grpc", url: `grpc://127.0.0.1:${port}` },
      close: async () => server.forceShutdown(),
    };
  },
};

export const ATP_STAGES: readonly Stage[] = [stdioStage, httpStage, socketStage, grpcStage];

async function listenOn(server: Server): Promise<number> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  // A server on a port has an address with a port.
  return (server.address() as AddressInfo).port;
}

async function closeServer(server: Server): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  if ("closeAllConnections" in server) (server as { closeAllConnections(): void }).closeAllConnections();
  await closed;
}
