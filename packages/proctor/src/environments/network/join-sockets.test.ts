import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { joinSockets } from "./join-sockets.ts";

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

/** Both ends of a connection. */
async function pair(): Promise<[near: Socket, far: Socket]> {
  const server = createServer({ allowHalfOpen: true });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const accepted = once(server, "connection") as Promise<[Socket]>;
  const { port } = server.address() as AddressInfo;
  const near = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
  const [[far]] = await Promise.all([accepted, once(near, "connect")]);
  closers.push(() => (near.destroy(), far.destroy(), server.close()));
  return [near, far];
}

/** Everything until its end, which closes nothing. */
async function readAll(socket: Socket): Promise<string> {
  let text = "";
  socket.on("data", (chunk: Buffer) => (text += chunk.toString()));
  await once(socket, "end");
  return text;
}

/** Whatever comes before it. */
const closeOf = (socket: Socket): Promise<void> =>
  new Promise((resolve) => void socket.once("close", () => resolve()));

/** It hears the end, in order or not. */
function over(socket: Socket): Promise<void> {
  socket.on("error", () => {}).on("end", () => socket.end());
  return closeOf(socket.resume());
}

/** What two strangers hold in their hands, with the joint between them. */
async function joined(idleMs = 60_000): Promise<{ left: Socket; right: Socket; inner: Socket[] }> {
  const [left, innerLeft] = await pair();
  const [innerRight, right] = await pair();
  joinSockets(innerLeft, innerRight, idleMs);
  return { left, right, inner: [innerLeft, innerRight] };
}

describe("two sockets that are joined", () => {
  it("carry bytes both ways, and the end of each way by itself", async () => {
    const { left, right, inner } = await joined();
    const closed = inner.map(closeOf);
    left.end("to the right");
    expect(await readAll(right)).toBe("to the right");
    right.end("to the left, later");
    expect(await readAll(left)).toBe("to the left, later");
    await Promise.all(closed);
  });

  it.each(["left", "right"] as const)("end together when the %s one is cut off", async (side) => {
    const { left, right, inner } = await joined();
    const [cut, other] = side === "left" ? [left, right] : [right, left];
    const ended = over(other);
    const closed = inner.map(closeOf);
    cut.resetAndDestroy();
    await Promise.all([ended, ...closed]);
  });

  it("end together when one of them was cut off before", async () => {
    const [left, innerLeft] = await pair();
    const [innerRight, right] = await pair();
    const gone = closeOf(innerLeft);
    innerLeft.destroy();
    await gone;
    const ended = over(right);
    joinSockets(innerLeft, innerRight, 60_000);
    await ended;
    left.destroy();
  });

  it("are given up when nothing moves, also when one end was said and the other never comes", async () => {
    const { left, right, inner } = await joined(50);
    const closed = inner.map(closeOf);
    right.resume();
    left.end();
    await Promise.all(closed);
  });

  it("hold the one back that sends faster than the other reads", async () => {
    const { left, right } = await joined();
    const piece = Buffer.alloc(1024 * 1024);
    let sent = 0;
    while (left.write(piece) || left.writableLength < 64 * piece.length) {
      sent += piece.length;
      if (sent > 512 * piece.length) break;
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(sent).toBeLessThan(200 * piece.length);
    let received = 0;
    right.on("data", (chunk: Buffer) => (received += chunk.length));
    left.end();
    await once(right, "end");
    expect(received).toBeGreaterThanOrEqual(sent);
  });
});
