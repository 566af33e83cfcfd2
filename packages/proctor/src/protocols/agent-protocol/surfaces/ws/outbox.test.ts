// A fake socket, because only a fake says exactly when it has taken what it was given.
import { describe, expect, it } from "vitest";
import type { MessageSocket, SocketClose } from "../../../../core/ports/message-socket.ts";
import { createOutbox } from "./outbox.ts";

function createSocket() {
  const sent: string[] = [];
  let stalled: Promise<boolean> | undefined;
  let give = (_open: boolean): void => undefined;
  let end = (_close: SocketClose): void => undefined;
  const socket: MessageSocket = {
    protocol: "",
    messages: { [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => undefined) }) },
    send(text) {
      sent.push(text);
      return stalled ?? Promise.resolve(true);
    },
    close: () => undefined,
    closed: new Promise((resolve) => (end = resolve)),
  };
  return {
    socket,
    sent,
    stall: () => void (stalled = new Promise((resolve) => (give = resolve))),
    drain: (open: boolean) => {
      stalled = undefined;
      give(open);
    },
    end: () => end({ code: 1006, reason: "" }),
  };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe("the outbox of a socket on /ws", () => {
  it("hands a burst over in order, however long it is", async () => {
    const { socket, sent } = createSocket();
    const outbox = createOutbox(socket, { maxWaitingChars: 1e9, onSlow: () => expect.fail("it was fast") });
    const frames = Array.from({ length: 1000 }, (_, index) => `${index}:${"x".repeat(1000)}`);
    for (const frame of frames) outbox.post(frame);
    expect(sent.length).toBeLessThan(100);
    await outbox.room();
    expect(sent).toEqual(frames);
  });

  it("waits for a reader that stalls, and goes on in order", async () => {
    const { socket, sent, stall, drain } = createSocket();
    const outbox = createOutbox(socket, {
      maxWaitingChars: 1e6,
      onSlow: () => expect.fail("within the bound"),
    });
    stall();
    const frames = Array.from({ length: 100 }, (_, index) => `${index}:${"x".repeat(10_000)}`);
    for (const frame of frames) outbox.post(frame);
    await turn();
    expect(sent.length).toBeLessThan(10);
    let hasRoom = false;
    const room = outbox.room().then(() => (hasRoom = true));
    await turn();
    expect(hasRoom).toBe(false);
    drain(true);
    await room;
    expect(sent).toEqual(frames);
  });

  it("gives up on a reader beyond the bound, once, and keeps nothing", async () => {
    const { socket, sent, stall, drain } = createSocket();
    let slow = 0;
    const outbox = createOutbox(socket, { maxWaitingChars: 100_000, onSlow: () => (slow += 1) });
    stall();
    for (let index = 0; index < 100; index += 1) outbox.post("x".repeat(10_000));
    expect(slow).toBe(1);
    const before = sent.length;
    await outbox.room();
    drain(true);
    await turn();
    expect({ slow, more: sent.length - before }).toEqual({ slow: 1, more: 0 });
  });

  it("takes one frame that is larger than the bound", async () => {
    const { socket, sent } = createSocket();
    const outbox = createOutbox(socket, { maxWaitingChars: 10, onSlow: () => expect.fail("one frame only") });
    outbox.post("a".repeat(100_000));
    outbox.post("b".repeat(100_000));
    await outbox.room();
    expect(sent.map(([first]) => first)).toEqual(["a", "b"]);
  });

  it("releases those that wait when the socket closes", async () => {
    const { socket, stall, end } = createSocket();
    const outbox = createOutbox(socket, { maxWaitingChars: 10, onSlow: () => undefined });
    stall();
    outbox.post("x");
    const room = outbox.room();
    end();
    await expect(room).resolves.toBeUndefined();
  });
});
