import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import { connect, type AddressInfo, type Socket } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { acceptSocket, type AcceptOptions } from "./accept-socket.ts";
import { connectSocket } from "./connect-socket.ts";
import type { WebSocketChannel } from "./wrap-socket.ts";

const opened: (() => unknown)[] = [];

afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close();
});

const MAX = 100_000;

/** A server that accepts every socket; `next()` is the next of them. */
async function server(options: Partial<AcceptOptions> = {}) {
  const http = createServer();
  const raws = new Set<Socket>();
  const waiting: ((socket: WebSocketChannel) => void)[] = [];
  const accepted: WebSocketChannel[] = [];
  http.on("connection", (raw) => raws.add(raw));
  http.on("upgrade", (request, socket, head) => {
    const made = acceptSocket({
      request,
      socket,
      head,
      protocol: undefined,
      maxMessageBytes: MAX,
      ...options,
    });
    if (made === undefined) return;
    const resolve = waiting.shift();
    if (resolve) resolve(made);
    else accepted.push(made);
  });
  http.listen(0, "127.0.0.1");
  await once(http, "listening");
  opened.push(() => {
    for (const raw of raws) raw.destroy();
    return new Promise((resolve) => http.close(resolve));
  });
  const { port } = http.address() as AddressInfo;
  return {
    port,
    url: `ws://127.0.0.1:${port}/`,
    next: (): Promise<WebSocketChannel> =>
      new Promise((resolve) => {
        const ready = accepted.shift();
        if (ready) resolve(ready);
        else waiting.push(resolve);
      }),
    openSockets: () => [...raws].filter((raw) => !raw.destroyed).length,
  };
}

async function client(url: string, options = {}): Promise<WebSocket> {
  const ws = new WebSocket(url, options);
  ws.on("error", () => {});
  opened.push(() => ws.terminate());
  await once(ws, "open");
  return ws;
}

const OPENING = [
  "GET / HTTP/1.1",
  "Host: x",
  "Upgrade: websocket",
  "Connection: Upgrade",
  "Sec-WebSocket-Version: 13",
  "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
];

/** A client that writes whatever bytes it likes. */
async function dial(port: number): Promise<Socket> {
  const raw = connect(port, "127.0.0.1");
  raw.on("error", () => {});
  opened.push(() => raw.destroy());
  raw.write([...OPENING, "", ""].join("\r\n"));
  const [chunk] = (await once(raw, "data")) as [Buffer];
  expect(chunk.toString()).toMatch(/^HTTP\/1\.1 101 /);
  return raw;
}

/** One frame of a client, masked as it must be. */
function frame(first: number, payload: Buffer | string, claimedLength?: number): Buffer {
  const data = Buffer.from(payload);
  const length = claimedLength ?? data.length;
  const head = Buffer.alloc(length < 126 ? 2 : length < 65536 ? 4 : 10);
  head[0] = first;
  if (length < 126) head[1] = length | 0x80;
  else if (length < 65536) {
    head[1] = 126 | 0x80;
    head.writeUInt16BE(length, 2);
  } else {
    head[1] = 127 | 0x80;
    head.writeBigUInt64BE(BigInt(length), 2);
  }
  const mask = randomBytes(4);
  for (const [index, byte] of data.entries()) data[index] = byte ^ (mask[index % 4] ?? 0);
  return Buffer.concat([head, mask, data]);
}

async function collect(socket: WebSocketChannel, count = Infinity): Promise<string[]> {
  const texts: string[] = [];
  if (count === 0) return texts;
  for await (const text of socket.messages) {
    texts.push(text);
    if (texts.length >= count) break;
  }
  return texts;
}

/** How much the peer still has to send when that no longer changes. */
async function stuckAt(ws: WebSocket): Promise<number> {
  let before = -1;
  const isStuck = (): boolean => {
    const still = ws.bufferedAmount === before;
    before = ws.bufferedAmount;
    return still;
  };
  await expect.poll(isStuck, { interval: 150 }).toBe(true);
  return before;
}

describe("messages of a WebSocket", () => {
  it("go both ways in order, whole, and end with the close", async () => {
    const { url, next } = await server();
    const ours = await connectSocket({ url, connectTimeoutMs: 5000, maxMessageBytes: MAX });
    const theirs = await next();
    const texts = Array.from({ length: 500 }, (_, index) => `${index} grüße 😀 ${"x".repeat(index)}`);
    for (const text of texts) void ours.send(text);
    expect(await collect(theirs, 500)).toEqual(texts);
    for (const text of texts) expect(await theirs.send(text)).toBe(true);
    theirs.close(4000, "enough");
    expect(await collect(ours)).toEqual(texts);
    expect(await ours.closed).toEqual({ code: 4000, reason: "enough" });
    expect(await theirs.closed).toEqual({ code: 4000, reason: "enough" });
    expect(await ours.send("late")).toBe(false);
    expect(await theirs.send("late")).toBe(false);
  });

  it("come whole out of fragments", async () => {
    const { port, next } = await server();
    const raw = await dial(port);
    raw.write(Buffer.concat([frame(0x01, "a"), frame(0x00, "b"), frame(0x89, "ping"), frame(0x80, "c")]));
    expect(await collect(await next(), 1)).toEqual(["abc"]);
  });

  it("sent in one turn reach the system in one write", async () => {
    const { port, next } = await server();
    const raw = await dial(port);
    const socket = await next();
    for (let index = 0; index < 100; index++) void socket.send("x");
    const [chunk] = (await once(raw, "data")) as [Buffer];
    expect(chunk).toHaveLength(300);
  });
});

describe("back-pressure on a WebSocket", () => {
  it("holds a sender until the peer reads", async () => {
    const { url, next } = await server();
    const ws = await client(url);
    const socket = await next();
    ws.pause();
    const text = "x".repeat(64 * 1024);
    let sent = 0;
    let stuck = socket.send(text);
    while (await Promise.race([stuck, new Promise<false>((resolve) => setTimeout(resolve, 100, false))])) {
      sent += 1;
      stuck = socket.send(text);
    }
    // What the two kernels buffer, and no more of ours than the mark.
    expect(sent * text.length).toBeLessThan(32 * 1024 * 1024);
    ws.resume();
    expect(await stuck).toBe(true);
  });

  it("holds the peer while nobody reads", async () => {
    const { url, next } = await server({ maxMessageBytes: 1024 * 1024 });
    const ws = await client(url);
    const socket = await next();
    const text = "y".repeat(64 * 1024);
    const total = 1000;
    for (let index = 0; index < total; index++) ws.send(text);
    // Far more was sent than anything but us could hold.
    expect(await stuckAt(ws)).toBeGreaterThan(20 * 1024 * 1024);
    expect(await collect(socket, total)).toHaveLength(total);
  });

  it("ends a wait when the socket breaks", async () => {
    const { url, next } = await server();
    const ws = await client(url);
    const socket = await next();
    ws.pause();
    const text = "x".repeat(1024 * 1024);
    let last = socket.send(text);
    for (let index = 0; index < 40; index++) last = socket.send(text);
    ws.terminate();
    expect(await last).toBe(false);
    expect((await socket.closed).code).toBe(1006);
  });
});

describe("a peer that breaks the rules of WebSocket", () => {
  const CLOSE = 0x88;

  async function closeCode(raw: Socket): Promise<number> {
    let received = Buffer.alloc(0);
    for await (const chunk of raw as AsyncIterable<Buffer>) {
      received = Buffer.concat([received, chunk]);
      if (received.length >= 4) break;
    }
    expect(received[0]).toBe(CLOSE);
    return received.readUInt16BE(2);
  }

  it.each([
    ["a binary frame", frame(0x82, "x"), 1003],
    ["text that is not UTF-8", frame(0x81, Buffer.from([0xff, 0xfe])), 1007],
    ["a message that is too long, by its head alone", frame(0x81, "x", MAX + 1), 1009],
    ["a length beyond all numbers", Buffer.from([0x81, 0xff, ...Array<number>(8).fill(0xff)]), 1009],
    ["a frame without a mask", Buffer.from([0x81, 1, 120]), 1002],
    ["an unknown opcode", frame(0x83, "x"), 1002],
    ["reserved bits", frame(0xc1, "x"), 1002],
    ["a continuation of nothing", frame(0x80, "x"), 1002],
    ["a control frame in pieces", frame(0x09, "x"), 1002],
    ["a long ping", frame(0x89, "x".repeat(126)), 1002],
    ["an impossible close code", frame(0x88, Buffer.from([3, 237])), 1002],
  ])("by %s is told so", async (_name, bytes, code) => {
    const { port, next } = await server();
    const raw = await dial(port);
    const socket = await next();
    const told = closeCode(raw);
    raw.write(Buffer.concat([frame(0x81, "before"), bytes, frame(0x81, "after")]));
    expect(await told).toBe(code);
    expect(await collect(socket)).toEqual(["before"]);
    const end = await socket.closed;
    expect(end.code).toBe(code);
    expect(end.fault).toEqual(expect.any(String));
  });

  it("by fragments that add up to too much is told so", async () => {
    const { port, next } = await server();
    const raw = await dial(port);
    const socket = await next();
    raw.write(frame(0x01, "x".repeat(60_000)));
    raw.write(frame(0x00, "x".repeat(60_000)));
    expect(await closeCode(raw)).toBe(1009);
    raw.destroy();
    expect((await socket.closed).code).toBe(1009);
  });

  it("by fragments without end is told so", async () => {
    const { port, next } = await server();
    const raw = await dial(port);
    const socket = await next();
    raw.write(frame(0x01, ""));
    const empty = frame(0x00, "");
    for (let index = 0; index < 20; index++) raw.write(Buffer.concat(Array<Buffer>(1000).fill(empty)));
    expect(await closeCode(raw)).toBe(1008);
    raw.destroy();
    await socket.closed;
  });

  it("with a malformed handshake is refused, and the socket closed", async () => {
    const { port, openSockets } = await server();
    const raw = connect(port, "127.0.0.1");
    raw.on("error", () => {});
    raw.write([...OPENING.slice(0, 5), "Sec-WebSocket-Key: short", "", ""].join("\r\n"));
    const [chunk] = (await once(raw, "data")) as [Buffer];
    expect(chunk.toString()).toMatch(/^HTTP\/1\.1 400 /);
    await expect.poll(openSockets).toBe(0);
  });
});

describe("closing a WebSocket", () => {
  it("cuts a peer that never answers the goodbye, even while nobody reads", async () => {
    const { port, next, openSockets } = await server();
    const raw = await dial(port);
    const socket = await next();
    const flood = Buffer.concat(Array<Buffer>(100).fill(frame(0x81, "x".repeat(5000))));
    raw.write(flood);
    socket.close(1001, "bye");
    expect((await socket.closed).code).toBe(1006);
    await expect.poll(openSockets).toBe(0);
  });

  it("finds the peer's goodbye behind messages that nobody wants", async () => {
    const { url, next } = await server();
    const ws = await client(url);
    const socket = await next();
    for (let index = 0; index < 600; index++) ws.send("x".repeat(50_000));
    expect(await stuckAt(ws)).toBeGreaterThan(0);
    socket.close(1000, "");
    expect((await socket.closed).code).toBe(1000);
  });

  it("cuts reasons to what a frame holds, between characters", async () => {
    const { url, next } = await server();
    const ws = await client(url);
    const closed = once(ws, "close") as Promise<[number, Buffer]>;
    (await next()).close(1000, "ö".repeat(100));
    const [, reason] = await closed;
    expect(reason.toString()).toBe("ö".repeat(61));
  });

  it("reports a connection that broke without a close frame", async () => {
    const { port, next } = await server();
    const raw = await dial(port);
    const socket = await next();
    raw.resetAndDestroy();
    expect(await socket.closed).toEqual({ code: 1006, reason: "" });
    expect(await collect(socket)).toEqual([]);
  });

  it("still gives what came before the end", async () => {
    const { url, next } = await server();
    const ws = await client(url);
    ws.send("one");
    ws.send("two");
    ws.close(1000);
    const socket = await next();
    await socket.closed;
    expect(await collect(socket)).toEqual(["one", "two"]);
  });
});

describe("keeping a WebSocket alive", () => {
  it("answers pings, of a flood only some, and keeps nothing", async () => {
    const { port, next } = await server();
    const raw = await dial(port);
    const socket = await next();
    const pings = Buffer.concat(Array<Buffer>(1000).fill(frame(0x89, "p".repeat(125))));
    // The peer floods and reads nothing.
    raw.pause();
    for (let index = 0; index < 200; index++) raw.write(pings);
    raw.write(frame(0x81, "done"));
    expect(await collect(socket, 1)).toEqual(["done"]);
    raw.resume();
    let received = 0;
    raw.on("data", (chunk: Buffer) => (received += chunk.length));
    await expect.poll(() => received).toBeGreaterThan(126);
    expect(received).toBeLessThan(200 * 1000 * 127 * 0.1);
  });

  it("echoes what a ping says", async () => {
    const { url, next } = await server();
    const ws = await client(url);
    await next();
    const pong = once(ws, "pong") as Promise<[Buffer]>;
    ws.ping("hello");
    expect((await pong)[0].toString()).toBe("hello");
  });

  it("drops a peer that leaves two pings unanswered", async () => {
    const { url, next } = await server({ keepAliveMs: 30 });
    const ws = await client(url, { autoPong: false });
    const socket = await next();
    let pings = 0;
    ws.on("ping", () => (pings += 1));
    expect((await socket.closed).code).toBe(1006);
    expect(pings).toBe(2);
  });

  it("keeps one that answers, and one that we do not read", async () => {
    const { url, next } = await server({ keepAliveMs: 20 });
    const ws = await client(url);
    const socket = await next();
    let pings = 0;
    ws.on("ping", () => (pings += 1));
    await expect.poll(() => pings).toBeGreaterThan(5);
    for (let index = 0; index < 20; index++) ws.send("x".repeat(50_000));
    await expect.poll(() => pings).toBeGreaterThan(12);
    expect(await collect(socket, 20)).toHaveLength(20);
    socket.close(1000, "");
    expect((await socket.closed).code).toBe(1000);
  });
});

it("the handshake of a WebSocket has the digest of RFC 6455", async () => {
  const { port } = await server();
  const raw = connect(port, "127.0.0.1");
  opened.push(() => raw.destroy());
  raw.write([...OPENING, "", ""].join("\r\n"));
  const [chunk] = (await once(raw, "data")) as [Buffer];
  const digest = createHash("sha1")
    .update("AAAAAAAAAAAAAAAAAAAAAA==258EAFA5-E914-47DA-95CA-C5AB0DC85B11")
    .digest("base64");
  expect(chunk.toString()).toContain(`Sec-WebSocket-Accept: ${digest}`);
});
