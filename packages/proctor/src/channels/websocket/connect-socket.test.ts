import { once } from "node:events";
import { createServer as createHttpServer, type RequestListener } from "node:http";
import { createServer as createTcpServer, type AddressInfo, type Server, type Socket } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { WebSocketServer, type ServerOptions, type WebSocket } from "ws";
import { networkError, SocketConnectError } from "./connect-error.ts";
import { connectSocket, type ConnectOptions } from "./connect-socket.ts";

const opened: (() => unknown)[] = [];

afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close();
});

const LIMITS = { connectTimeoutMs: 5000, maxMessageBytes: 1000 };

async function port(server: Server): Promise<number> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => sockets.add(socket));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  opened.push(() => {
    for (const socket of sockets) socket.destroy();
    return new Promise((resolve) => server.close(resolve));
  });
  return (server.address() as AddressInfo).port;
}

async function peer(options: ServerOptions = {}): Promise<{ url: string; server: WebSocketServer }> {
  const http = createHttpServer();
  const server = new WebSocketServer({ server: http, ...options });
  return { url: `ws://127.0.0.1:${await port(http)}/agent`, server };
}

async function failure(options: Partial<ConnectOptions> & { url: string }): Promise<SocketConnectError> {
  const error: unknown = await connectSocket({ ...LIMITS, ...options }).then(
    () => "connected",
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof SocketConnectError))
    throw new Error(`expected a SocketConnectError, got ${String(error)}`);
  return error;
}

describe("connecting a WebSocket", () => {
  it("agrees on a subprotocol and sends the headers", async () => {
    const { url, server } = await peer({ handleProtocols: () => "atp.v1" });
    const asked = once(server, "connection") as Promise<
      [WebSocket, { headers: Record<string, string>; url: string }]
    >;
    const socket = await connectSocket({
      ...LIMITS,
      url: `${url}?x=1#part`,
      protocols: ["other", "atp.v1"],
      headers: { authorization: "Bearer t", "sec-websocket-version": "1" },
    });
    const [, request] = await asked;
    expect(socket.protocol).toBe("atp.v1");
    expect(request.url).toBe("/agent?x=1");
    expect(request.headers["authorization"]).toBe("Bearer t");
    expect(request.headers["sec-websocket-extensions"]).toBeUndefined();
    socket.close(1000, "done");
    expect(await socket.closed).toMatchObject({ code: 1000 });
  });

  it("offers no subprotocol when it was given none", async () => {
    const { url } = await peer();
    const socket = await connectSocket({ ...LIMITS, url });
    expect(socket.protocol).toBe("");
    socket.close(1000, "");
    await socket.closed;
  });

  it("says that nobody listens", async () => {
    const server = createTcpServer();
    const free = await port(server);
    await new Promise((resolve) => server.close(resolve));
    expect(await failure({ url: `ws://127.0.0.1:${free}` })).toMatchObject({
      kind: "unreachable",
      code: "ECONNREFUSED",
      message: "the connection was refused",
    });
  });

  it("says that a name is not known", async () => {
    const error = await failure({ url: "ws://no-such-host.invalid" });
    expect(error.kind).toBe("unreachable");
    expect(error.code).toMatch(/^(ENOTFOUND|EAI_AGAIN)$/);
  });

  it("gives up after its time, even when the answer drips", async () => {
    const server = createTcpServer((socket) => {
      socket.on("error", () => {});
      const timer = setInterval(() => socket.write("H"), 10);
      socket.on("close", () => clearInterval(timer));
      socket.write("HTTP/1.1 101 Switching Protocols\r\nX-Slow: ");
    });
    const error = await failure({ url: `ws://127.0.0.1:${await port(server)}`, connectTimeoutMs: 150 });
    expect(error.kind).toBe("timeout");
  });

  it("gives up when told to, before and while it connects", async () => {
    const server = createTcpServer();
    const url = `ws://127.0.0.1:${await port(server)}`;
    expect((await failure({ url, signal: AbortSignal.abort() })).kind).toBe("aborted");
    const stop = new AbortController();
    const arrived = once(server, "connection") as Promise<[Socket]>;
    const failed = failure({ url, signal: stop.signal });
    const [socket] = await arrived;
    const closed = once(socket, "close");
    socket.on("error", () => {});
    socket.resume();
    stop.abort();
    expect((await failed).kind).toBe("aborted");
    await closed;
  });

  it("says that the peer hung up", async () => {
    const server = createTcpServer((socket) => socket.once("data", () => socket.destroy()));
    expect(await failure({ url: `ws://127.0.0.1:${await port(server)}` })).toMatchObject({
      kind: "unreachable",
    });
  });

  it("says that the peer does not speak TLS", async () => {
    const url = `wss://127.0.0.1:${await port(createHttpServer())}`;
    expect((await failure({ url })).kind).toBe("tls");
  });

  const statuses: [string, RequestListener, object][] = [
    ["a status", (_, response) => response.writeHead(503).end("later"), { kind: "status", status: 503 }],
    ["success without an upgrade", (_, response) => response.end("hi"), { kind: "status", status: 200 }],
    [
      "a redirect, which it does not follow",
      (_, response) => response.writeHead(307, { location: "ws://elsewhere/" }).end(),
      { kind: "redirect", status: 307, location: "ws://elsewhere/" },
    ],
  ];
  it.each(statuses)("reports %s", async (_name, listener, expected) => {
    const url = `ws://127.0.0.1:${await port(createHttpServer(listener))}`;
    expect(await failure({ url })).toMatchObject(expected);
  });

  it.each([
    ["none", false as const, "no-subprotocol"],
    ["another", "other.v9", "wrong-subprotocol"],
  ])("tells that the peer chose %s of the subprotocols", async (_name, chosen, kind) => {
    const { url } = await peer({ handleProtocols: () => chosen });
    expect((await failure({ url, protocols: ["atp.v1"] })).kind).toBe(kind);
  });

  it.each([
    ["garbage", "SSH-2.0-OpenSSH\r\n\r\n"],
    [
      "a handshake with the wrong digest",
      "HTTP/1.1 101 X\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: x\r\n\r\n",
    ],
    ["headers without end", `HTTP/1.1 101 X\r\n${"A: b\r\n".repeat(20_000)}`],
  ])("reports %s", async (_name, bytes) => {
    const server = createTcpServer((socket) => {
      socket.on("error", () => {});
      socket.once("data", () => socket.write(bytes));
    });
    expect((await failure({ url: `ws://127.0.0.1:${await port(server)}` })).kind).toBe("handshake");
  });

  it.each([
    ["header", { url: "ws://127.0.0.1:1", headers: { "x-bad": "a\r\nb" } }],
    ["scheme", { url: "ftp://127.0.0.1" }],
    ["address", { url: "nothing" }],
  ])("refuses an impossible %s", async (_name, options) => {
    expect((await failure(options)).kind).toBe("invalid");
  });

  it.each([
    ["DEPTH_ZERO_SELF_SIGNED_CERT", "tls"],
    ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", "tls"],
    ["CERT_HAS_EXPIRED", "tls"],
    ["ERR_TLS_CERT_ALTNAME_INVALID", "tls"],
    ["EHOSTUNREACH", "unreachable"],
    ["EAI_AGAIN", "unreachable"],
    ["SOMETHING_NEW", "unreachable"],
  ])("reports %s as %s", (code, kind) => {
    const error = networkError(Object.assign(new Error("as the system says"), { code }));
    expect(error).toMatchObject({ kind, code });
    expect(error.message).not.toBe("");
  });
});
