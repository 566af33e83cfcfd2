import { once } from "node:events";
import { constants, createServer, type ServerHttp2Stream } from "node:http2";
import { createServer as createHttpServer } from "node:http";
import { createServer as createSocketServer, type AddressInfo, type Server, type Socket } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import type { JsonObject } from "../../../core/json.ts";
import { encodeMessage } from "./encode.ts";
import { drive, TASK_ID } from "../../../../test/support/atp/drive-grpc.ts";
import { EventSchema, ExecuteResponseSchema } from "./gen/atp/v1/agent_pb.ts";

const GRPC = { ":status": 200, "content-type": "application/grpc+proto" };

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

describe("a gRPC agent that cannot be reached", () => {
  it("is UNREACHABLE when nobody listens", async () => {
    const server = createSocketServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    server.close();
    await once(server, "close");
    const { end } = await drive(`grpc://127.0.0.1:${port}`);
    expect(end.failure).toMatchObject({ code: "UNREACHABLE", details: { reason: "ECONNREFUSED" } });
    const again = await drive(`grpc://127.0.0.1:${port}`);
    expect(again.end.failure?.code).toBe("UNREACHABLE");
  });

  it("is UNREACHABLE when its name is not known", async () => {
    const { end } = await drive("grpc://agent.invalid:1");
    expect(end.failure?.code).toBe("UNREACHABLE");
  });

  it("is UNREACHABLE when it refuses the call before it looks at it", async () => {
    const url = await serveHttp2((stream) => stream.close(constants.NGHTTP2_REFUSED_STREAM));
    expect((await drive(url)).end.failure?.code).toBe("UNREACHABLE");
  });
});

describe("a gRPC connection that breaks after the task was sent", () => {
  it("is CONNECTION_LOST before anything was heard", async () => {
    const url = await serveSockets((socket) => socket.once("data", () => socket.destroy()));
    expect((await drive(url)).end.failure?.code).toBe("CONNECTION_LOST");
  });

  it.each<[string, (stream: ServerHttp2Stream) => unknown]>([
    ["the socket is cut", () => cut()],
    ["the session ends", (stream) => stream.session?.destroy()],
    ["the stream is reset", (stream) => stream.close(constants.NGHTTP2_INTERNAL_ERROR)],
    ["the stream is cancelled", (stream) => stream.close(constants.NGHTTP2_CANCEL)],
    ["the stream ends without a status", (stream) => stream.end()],
  ])("is CONNECTION_LOST in the middle, and what came is kept: %s", async (_, breakOff) => {
    const url = await serveHttp2((stream) => {
      stream.on("error", () => undefined);
      stream.respond(GRPC);
      stream.write(envelope(streamed(1, event(0))), () => setImmediate(() => breakOff(stream)));
    });
    const { end, types } = await drive(url);
    expect(types).toEqual(["progress"]);
    expect(end.failure?.code).toBe("CONNECTION_LOST");
  });

  it("does not spoil the next call", async () => {
    let calls = 0;
    const url = await serveHttp2((stream) => {
      if (++calls === 1) cut();
      else answer(stream, envelope(streamed(2, response())));
    });
    expect((await drive(url)).end.failure?.code).toBe("CONNECTION_LOST");
    expect((await drive(url)).end.status).toBe("completed");
  });
});

describe("a silent gRPC agent", () => {
  it.each<[string, () => Promise<string>]>([
    ["does not even speak HTTP/2", () => serveSockets(() => undefined)],
    ["never answers", () => serveHttp2(() => undefined)],
    ["answers with headers alone", () => serveHttp2((stream) => stream.respond(GRPC))],
  ])("can be stopped: it %s", async (_, serve) => {
    const url = await serve();
    for (const how of ["cancel", "kill"] as const) {
      const { end } = await drive(url, { [how]: AbortSignal.timeout(50), driver: { cancelTimeoutMs: 50 } });
      expect(end).toEqual({ status: "cancelled" });
    }
  });
});

describe("a gRPC agent that breaks the protocol", () => {
  it("is no HTTP/2 server", async () => {
    const http = createHttpServer((_request, response) => response.end("hello"));
    expect((await drive(await listening(http))).end.failure?.code).toBe("INVALID_RESPONSE");
    const garbage = await serveSockets((socket) => socket.write("\0\x01\xff garbage ".repeat(100)));
    expect((await drive(garbage)).end.failure?.code).toBe("INVALID_RESPONSE");
  });

  it.each([
    [{ ":status": 503 }, "HTTP_ERROR"],
    [{ ":status": 404 }, "HTTP_ERROR"],
    [{ ":status": 200, "content-type": "text/html" }, "WRONG_CONTENT_TYPE"],
    [{ ":status": 200 }, "WRONG_CONTENT_TYPE"],
    [{ ...GRPC, "grpc-encoding": "secret" }, "INVALID_RESPONSE"],
  ])("is no gRPC server: %o", async (headers, code) => {
    const url = await serveHttp2((stream) => {
      stream.respond(headers);
      stream.end("<h1>hello</h1>");
    });
    expect((await drive(url)).end.failure?.code).toBe(code);
  });

  it.each<[string, Buffer]>([
    ["a message that claims to be 4 GB large", Buffer.from([0, 255, 255, 255, 255])],
    ["a message of random bytes", envelope(Buffer.from("ffffffffffffffff", "hex"))],
    ["half a message", envelope(Buffer.alloc(100)).subarray(0, 50)],
    [
      "a compressed message that is not compressed",
      Buffer.concat([Buffer.from([1]), envelope(Buffer.alloc(4)).subarray(1)]),
    ],
  ])("sends %s", async (_, bytes) => {
    const url = await serveHttp2((stream) => answer(stream, bytes));
    expect((await drive(url)).end.failure?.code).toBe("INVALID_RESPONSE");
  });

  it("sends a message above the limit", async () => {
    const url = await serveHttp2((stream) =>
      answer(stream, envelope(streamed(2, response({ pad: "x".repeat(2000) })))),
    );
    const { end } = await drive(url, { driver: { maxMessageBytes: 1000 } });
    expect(end.failure?.code).toBe("INVALID_RESPONSE");
    expect((await drive(url)).end.status).toBe("completed");
  });

  it("sends an event that cannot be read, which is a violation and not the end", async () => {
    const broken = Buffer.from([0x0a, 3, 0x0a, 200, 1]);
    const url = await serveHttp2((stream) =>
      answer(stream, Buffer.concat([envelope(broken), envelope(streamed(2, response()))])),
    );
    const { end, rules } = await drive(url);
    expect(rules).toEqual(["atp.grpc.message"]);
    expect(end.status).toBe("completed");
  });

  it("says OK where its response cannot be used", async () => {
    const url = await serveHttp2((stream) =>
      answer(stream, envelope(streamed(2, { ...response(), status: "done" }))),
    );
    expect((await drive(url)).end.failure?.code).toBe("INVALID_RESPONSE");
  });
});

/** ExecuteStreamResponse with one of its parts. */
function streamed(part: 1 | 2, json: JsonObject): Buffer {
  const bytes = encodeMessage(part === 1 ? EventSchema : ExecuteResponseSchema, json);
  const size =
    bytes.length < 128 ? [bytes.length] : [(bytes.length % 128) | 128, Math.floor(bytes.length / 128)];
  return Buffer.concat([Buffer.from([part * 8 + 2, ...size]), bytes]);
}

/** gRPC over HTTP/2, "Length-Prefixed-Message". */
function envelope(message: Uint8Array): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt32BE(message.length, 1);
  return Buffer.concat([head, message]);
}

function answer(stream: ServerHttp2Stream, bytes: Buffer): void {
  stream.on("error", () => undefined);
  stream.on("wantTrailers", () => stream.sendTrailers({ "grpc-status": "0" }));
  stream.respond(GRPC, { waitForTrailers: true });
  stream.end(bytes);
}

function event(sequence: number): JsonObject {
  const timestamp = "2025-01-21T10:30:45.123Z";
  return { version: "1.0", task_id: TASK_ID, timestamp, sequence, event_type: "progress", payload: {} };
}

function response(extra: JsonObject = {}): JsonObject {
  return { version: "1.0", task_id: TASK_ID, status: "completed", artifacts: [], metrics: {}, ...extra };
}

function serveHttp2(onStream: (stream: ServerHttp2Stream) => unknown): Promise<string> {
  const server = createServer();
  server.on("session", (session) => session.on("error", () => undefined));
  server.on("stream", (stream) => {
    stream.on("error", () => undefined);
    onStream(stream);
  });
  return listening(server);
}

function serveSockets(onSocket: (socket: Socket) => unknown): Promise<string> {
  const server = createSocketServer((socket) => {
    socket.on("error", () => undefined);
    onSocket(socket);
  });
  return listening(server);
}

const sockets = new Set<Socket>();

/** Every connection, at once. */
function cut(): void {
  for (const socket of sockets) socket.destroy();
}

async function listening(server: Server): Promise<string> {
  server.on("connection", (socket: Socket) => sockets.add(socket));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  closers.push(cut, () => server.close());
  return `grpc://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
