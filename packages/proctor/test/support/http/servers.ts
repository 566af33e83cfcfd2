// Servers for tests: real ones on free ports, over HTTP, TLS or bare sockets, all gone when a test is over.
import { createServer, type RequestListener } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { createServer as createSocketServer, type AddressInfo, type Server, type Socket } from "node:net";
import { afterEveryTest } from "../closing.ts";
import { CERTIFICATE, PRIVATE_KEY } from "./test-certificate.ts";

export interface TestServer {
  /** `http://127.0.0.1:port`, or `https://localhost:port`. */
  url: string;
  port: number;
  /** Connections that were ever opened. */
  connections: number;
  /** Connections that are open now. */
  sockets: Set<Socket>;
  close(): Promise<void>;
}

const servers: TestServer[] = [];

afterEveryTest(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

export function serveHttp(
  listener: RequestListener,
  options: { keepAliveTimeout?: number } = {},
): Promise<TestServer> {
  return start(createServer(options, listener), "http://127.0.0.1");
}

export function serveHttps(listener: RequestListener): Promise<TestServer> {
  return start(createSecureServer({ cert: CERTIFICATE, key: PRIVATE_KEY }, listener), "https://localhost");
}

/** A server that sends exactly what the test writes. */
export function serveSocket(listener: (socket: Socket) => void): Promise<TestServer> {
  return start(createSocketServer(listener), "http://127.0.0.1");
}

/** Answers every request on a connection with the same bytes, then ends it. */
export function serveBytes(...parts: (string | Buffer)[]): Promise<TestServer> {
  return serveSocket((socket) => {
    socket.once("data", () => {
      for (const part of parts) socket.write(part);
      socket.end();
    });
  });
}

async function start(server: Server, base: string): Promise<TestServer> {
  const sockets = new Set<Socket>();
  await new Promise<void>((resolve) => void server.listen(0, new URL(base).hostname, resolve));
  const { port } = server.address() as AddressInfo;
  const started: TestServer = {
    url: `${base}:${port}`,
    port,
    connections: 0,
    sockets,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
  server.on("connection", (socket: Socket) => {
    started.connections++;
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.on("close", () => sockets.delete(socket));
  });
  servers.push(started);
  return started;
}

export interface Deferred<T> {
  promise: Promise<T>;
  resolve: (value: T) => void;
}

/** A promise that something else resolves. */
export function deferred<T = void>(): Deferred<T> {
  let resolve!: (value: T) => void;
  const promise = new Promise<T>((settle) => (resolve = settle));
  return { promise, resolve };
}

/** All connections of a server are gone. */
export async function drained({ sockets }: TestServer): Promise<void> {
  for (const socket of sockets) await new Promise((resolve) => void socket.once("close", resolve));
}
