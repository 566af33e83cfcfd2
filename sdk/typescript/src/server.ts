// An agent on a port: HTTP and WebSocket side by side.
import { createServer } from "node:http";
import type { AddressInfo, Socket as Connection } from "node:net";
import type { EventStreamLimits } from "./http/event-stream.ts";
import { handleRequest } from "./http/handle-request.ts";
import { ignoreUpgrade } from "./http/ignore-upgrade.ts";
import type { AtpEvent, AtpRequest } from "./protocol/messages.ts";
import { type AgentFunction, type RunningTask, runTask } from "./task/run-task.ts";
import { answerHandshake, refusal } from "./websocket/handshake.ts";
import { createSession } from "./websocket/session.ts";
import { openSocket, type Socket, type SocketLimits } from "./websocket/socket.ts";

export interface AgentServer {
  /** Starts to listen. `port` 0, the default, takes any free one; `host` defaults to 127.0.0.1. */
  listen(port?: number, host?: string): Promise<{ url: string; host: string; port: number }>;
  /** Cancels all running tasks, tells every client, and resolves when no connection is left. */
  close(): Promise<void>;
}

export interface AgentServerOptions {
  /** Called with every task that starts. */
  onTask?(task: RunningTask): void;
  limits?: Partial<ServerLimits>;
}

export interface ServerLimits extends EventStreamLimits, SocketLimits {
  /** Milliseconds that a client has to send its whole request. */
  requestMs: number;
}

const LIMITS: ServerLimits = {
  heartbeatMs: 15_000,
  stallMs: 30_000,
  maxBufferedBytes: 64 * 1024 * 1024,
  pingMs: 15_000,
  silentMs: 30_000,
  messageMs: 30_000,
  closeMs: 2_000,
  requestMs: 30_000,
};

export function createAgentServer(agent: AgentFunction, options: AgentServerOptions = {}): AgentServer {
  const limits = { ...LIMITS, ...options.limits };
  const running = new Set<RunningTask>();
  const sockets = new Set<Socket>();
  const connections = new Set<Connection>();
  let closing: Promise<void> | undefined;
  const isStopping = (): boolean => closing !== undefined;

  function start(request: AtpRequest, send: (event: AtpEvent) => void): RunningTask {
    const task = runTask(agent, request, send);
    running.add(task);
    void task.response.then(() => running.delete(task));
    options.onTask?.(task);
    return task;
  }

  const server = createServer(
    {
      requestTimeout: limits.requestMs,
      headersTimeout: limits.requestMs,
      connectionsCheckingInterval: Math.min(1000, limits.requestMs),
      keepAlive: true,
      keepAliveInitialDelay: limits.pingMs,
      noDelay: true,
    },
    (request, response) => {
      response.once("finish", () => {
        if (isStopping()) request.socket.end();
      });
      void handleRequest(request, response, { start, isStopping, limits });
    },
  );
  server.on("connection", (connection) => {
    connections.add(connection);
    connection.once("close", () => connections.delete(connection));
  });
  server.on("upgrade", (request, connection, head) => {
    if (request.headers.upgrade?.toLowerCase() !== "websocket") {
      ignoreUpgrade(server, request, connection, head);
      return;
    }
    const { accepted, answer } = isStopping()
      ? refusal("503 Service Unavailable", "The agent is stopping")
      : answerHandshake(request);
    connection.on("error", () => connection.destroy());
    if (!accepted) return void connection.end(answer);
    connection.write(answer);
    const session = createSession({
      start,
      isStopping,
      send: (message) => socket.send(JSON.stringify(message)),
      close: (code, reason) => socket.close(code, reason),
    });
    const socket = openSocket(connection, head, limits, (text) => session.receive(text));
    sockets.add(socket);
    void socket.closed.then(() => {
      sockets.delete(socket);
      session.cancelAll("the client went away");
    });
  });

  async function stop(): Promise<void> {
    const stopped = new Promise((resolve) => server.close(resolve));
    for (const task of running) task.cancel("the agent is stopping");
    await Promise.all(Array.from(running, (task) => task.response));
    for (const socket of sockets) socket.close(1001, "the agent is stopping");
    const cut = setTimeout(() => {
      for (const connection of connections) connection.destroy();
    }, limits.closeMs);
    await stopped;
    await Promise.all(Array.from(sockets, (socket) => socket.closed));
    clearTimeout(cut);
  }

  return {
    listen: (port = 0, host = "127.0.0.1") =>
      new Promise((resolve, reject) => {
        server.once("error", reject);
        server.listen(port, host, () => {
          server.off("error", reject);
          // A server that listens on a port has an address of this kind.
          const { port } = server.address() as AddressInfo;
          resolve({ url: `http://${host.includes(":") ? `[${host}]` : host}:${port}`, host, port });
        });
      }),
    close: () => (closing ??= stop()),
  };
}
