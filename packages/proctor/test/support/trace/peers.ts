// Peers that answer nothing of use, and keep the `traceparent` of the first request that reaches them.
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import { createServer as createHttp2Server, type ServerHttp2Session } from "node:http2";
import type { AddressInfo } from "node:net";
import { WebSocketServer } from "ws";

export interface TracePeer {
  port: number;
  /** What the first request named; empty where it named nothing. */
  seen: Promise<string>;
  close(): Promise<void>;
}

interface Mail {
  seen: Promise<string>;
  keep: (traceparent: unknown) => void;
}

function createMail(): Mail {
  let keep: Mail["keep"] = () => undefined;
  const seen = new Promise<string>((resolve) => {
    keep = (traceparent) => resolve(typeof traceparent === "string" ? traceparent : "");
  });
  return { seen, keep };
}

/** `path`: only requests to it count. */
export async function openHttpPeer(path?: string): Promise<TracePeer> {
  const { seen, keep } = createMail();
  const server = createServer((request, response) => {
    if (path === undefined || request.url?.startsWith(path)) keep(headerOf(request.headers));
    request.resume().on("end", () => response.writeHead(500).end());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: portOf(server.address()),
    seen,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

export async function openGrpcPeer(): Promise<TracePeer> {
  const { seen, keep } = createMail();
  const sessions = new Set<ServerHttp2Session>();
  const server = createHttp2Server();
  server.on("session", (session) => void sessions.add(session));
  server.on("stream", (stream, headers) => {
    keep(headers["traceparent"]);
    stream.on("error", () => undefined);
    stream.respond(
      { ":status": 200, "content-type": "application/grpc", "grpc-status": "12" },
      { endStream: true },
    );
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: portOf(server.address()),
    seen,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const session of sessions) session.destroy();
      await closed;
    },
  };
}

/** Runs share a socket, so what counts is in the metadata of the request. */
export async function openSocketPeer(): Promise<TracePeer> {
  const { seen, keep } = createMail();
  const server = new WebSocketServer({ port: 0, host: "127.0.0.1" });
  server.on("connection", (socket) => {
    socket.on("message", (data: Buffer) => {
      const { metadata } = JSON.parse(data.toString()) as { metadata?: { traceparent?: string } };
      keep(metadata?.traceparent);
      socket.close();
    });
  });
  await once(server, "listening");
  return {
    port: portOf(server.address()),
    seen,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

function headerOf(headers: IncomingHttpHeaders): unknown {
  return headers["traceparent"];
}

function portOf(address: AddressInfo | string | null): number {
  // A server on a port has an address with a port.
  return (address as AddressInfo).port;
}
