import { once } from "node:events";
import { describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import { body, openRaw, openServer, type RawConnection } from "./open-server.ts";
import { type Message, request, TASK_ID } from "./run-agent.ts";
import {
  ACCEPT,
  CLOSED_FRAMES,
  closeCodeOf,
  frame,
  framesOf,
  HANDSHAKE,
  REFUSED_HANDSHAKES,
} from "../../atp-cases/frames.ts";
import { expectEvents, expectResponse } from "../../atp-cases/schemas.ts";

interface Client {
  socket: WebSocket;
  messages: Message[];
  /** Resolves with the response of the task with this id. */
  response: (id?: string) => Promise<Message>;
  closed: Promise<{ code: number; reason: string }>;
}

async function openClient(
  port: number,
  protocol: string[] = ["atp.v1"],
  path = "/any/path",
): Promise<Client> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, protocol);
  const messages: Message[] = [];
  socket.on("message", (data) => messages.push(JSON.parse((data as Buffer).toString("utf8")) as Message));
  socket.on("error", () => undefined);
  const closed = once(socket, "close").then(([code, reason]) => ({
    code: code as number,
    reason: String(reason),
  }));
  await once(socket, "open");
  return {
    socket,
    messages,
    closed,
    async response(id = TASK_ID) {
      for (;;) {
        const found = messages.find(({ task_id, status }) => task_id === id && status !== undefined);
        if (found) return found;
        await once(socket, "message");
      }
    },
  };
}

async function openRawSocket(port: number): Promise<RawConnection> {
  const raw = openRaw(port, `${HANDSHAKE}\r\n`);
  const [answer] = (await once(raw.socket, "data")) as [Buffer];
  expect(answer.toString()).toContain(ACCEPT);
  return raw;
}

describe("tasks on a WebSocket", () => {
  test("many share it, each with strict messages, its own numbers and its own response", async () => {
    const { port } = await openServer();
    const { socket, messages, response } = await openClient(port);
    expect(socket.protocol).toBe("atp.v1");
    const ids = Array.from(
      { length: 50 },
      (_, index) => `00000000-0000-4000-8000-${String(index).padStart(12, "0")}`,
    );
    for (const id of ids) socket.send(body("many", id, { count: 20, id }));
    for (const id of ids) {
      const last = await response(id);
      expectResponse(last);
      expect(last).toMatchObject({ status: "completed", artifacts: [{ data: { id } }] });
      expectEvents(messages.filter((message) => message.task_id === id && message.status === undefined));
    }
    socket.close(1000);
  });

  test("cancel ends one of them, and its response still comes", async () => {
    const { port, started } = await openServer();
    const { socket, response, messages } = await openClient(port);
    socket.send(body("wait", "one"));
    socket.send(body("wait", "two"));
    await Promise.all([started("one"), started("two")]);
    socket.send(JSON.stringify({ type: "cancel", task_id: "nobody" }));
    socket.send(JSON.stringify({ type: "cancel", task_id: "one", reason: "enough" }));
    const cancelled = await response("one");
    expect(cancelled).toMatchObject({ status: "cancelled", error: "enough" });
    expect(cancelled).not.toHaveProperty("error_code");
    expect(messages.filter(({ status }) => status !== undefined)).toHaveLength(1);
    socket.close();
  });

  test("a second request with the id of a task that runs is refused; after its end the id is free", async () => {
    const { port, started } = await openServer();
    const { socket, messages, response } = await openClient(port);
    socket.send(body("wait", TASK_ID));
    await started(TASK_ID);
    socket.send(body("echo", TASK_ID));
    expect(await response()).toMatchObject({
      status: "failed",
      error_code: "INVALID_REQUEST",
      error_details: { field: "task_id" },
    });
    messages.length = 0;
    socket.send(JSON.stringify({ type: "cancel", task_id: TASK_ID }));
    expect(await response()).toMatchObject({ status: "cancelled" });
    messages.length = 0;
    socket.send(body("echo", TASK_ID));
    expect(await response()).toMatchObject({ status: "completed" });
    socket.close();
  });

  test.for([
    ["no JSON", "{", "00000000-0000-0000-0000-000000000000", ""],
    ["an unknown type", JSON.stringify({ type: "resume", task_id: TASK_ID, after: 1 }), TASK_ID, "type"],
    [
      "a cancel of nothing",
      JSON.stringify({ type: "cancel" }),
      "00000000-0000-0000-0000-000000000000",
      "task_id",
    ],
    ["another major", JSON.stringify({ ...request("echo"), version: "2.0" }), TASK_ID, "version"],
  ] as const)("answers %s with INVALID_REQUEST and stays open", async ([, text, id, field]) => {
    const { port } = await openServer();
    const { socket, response } = await openClient(port);
    socket.send(text);
    const refusal = await response(id);
    expectResponse(refusal);
    expect(refusal).toMatchObject({
      status: "failed",
      error_code: "INVALID_REQUEST",
      error_details: { field },
    });
    socket.send(body("echo", "later"));
    expect(await response("later")).toMatchObject({ status: "completed" });
    socket.close();
  });

  test("a client that goes away cancels its tasks, with a close or without", async () => {
    const { port, started, aborted } = await openServer();
    const polite = await openClient(port);
    polite.socket.send(body("wait", "polite"));
    const rude = await openClient(port);
    rude.socket.send(body("wait", "rude"));
    await Promise.all([started("polite"), started("rude")]);
    polite.socket.close(1000, "done");
    rude.socket.terminate();
    await Promise.all([aborted("polite"), aborted("rude")]);
    expect((await polite.closed).code).toBe(1000);
  });

  test("a server that stops cancels, answers, and closes with 1001", async () => {
    const { port, started, close } = await openServer();
    const { socket, messages, closed } = await openClient(port);
    socket.send(body("wait", TASK_ID));
    await started(TASK_ID);
    await close();
    expect((await closed).code).toBe(1001);
    expect(messages.at(-1)).toMatchObject({ task_id: TASK_ID, status: "cancelled" });
  });
});

describe("the WebSocket handshake of a TypeScript agent", () => {
  test("chooses atp.v1 among several subprotocols, and accepts none", async () => {
    const { port } = await openServer();
    const several = await openClient(port, ["other", "atp.v1"]);
    const none = await openClient(port, [], "/");
    expect([several.socket.protocol, none.socket.protocol]).toEqual(["atp.v1", ""]);
    several.socket.close();
    none.socket.close();
  });

  test.for(REFUSED_HANDSHAKES)("refuses %s", async ([, head, status]) => {
    const { port } = await openServer();
    const { received } = openRaw(port, `${head}\r\n`);
    expect((await received).toString()).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  });
});

describe("WebSocket frames to a TypeScript agent", () => {
  test("a message may arrive in fragments, cut at every byte, with pings in between", async () => {
    const { port } = await openServer();
    const { socket, received } = await openRawSocket(port);
    socket.setNoDelay(true);
    const text = body("echo", "cut", { text: "caf\u00e9 \u{1f600}" });
    const bytes = Buffer.from(text);
    const frames = [
      frame(1, bytes.subarray(0, 30), { final: false }),
      frame(9, "ping"),
      ...Array.from(bytes.subarray(30), (byte) => frame(0, Buffer.from([byte]), { final: false })),
      frame(0, ""),
    ];
    for (const byte of Buffer.concat(frames)) socket.write(Buffer.from([byte]));
    let answered = "";
    while (!answered.includes('"status"')) answered += String((await once(socket, "data"))[0]);
    socket.write(frame(8, Buffer.from([3, 232])));
    const got = framesOf(await received);
    const response = JSON.parse(String(got.find(({ opcode }) => opcode === 1)?.payload)) as Message;
    expect(response.artifacts).toMatchObject([{ data: { text: "caf\u00e9 \u{1f600}" } }]);
    expect(got.find(({ opcode }) => opcode === 10)?.payload.toString()).toBe("ping");
    expect(got.find(({ opcode }) => opcode === 8)?.payload.readUInt16BE(0)).toBe(1000);
  });

  test("a message and its answer may be large", async () => {
    const { port } = await openServer();
    const { socket, response } = await openClient(port);
    const text = "x".repeat(5_000_000);
    socket.send(body("echo", TASK_ID, { text }));
    expect((await response()).artifacts).toEqual([{ type: "structured", name: "result", data: { text } }]);
    socket.close();
  });

  test.for(CLOSED_FRAMES)("%s is answered with its close code", async ([, bytes, code]) => {
    const { port } = await openServer();
    const { socket, received } = await openRawSocket(port);
    socket.write(bytes);
    expect(closeCodeOf(await received)).toBe(code);
  });

  test("fragments that add up to more than 10 MB are closed with 1009", async () => {
    const { port } = await openServer();
    const { socket, received } = await openRawSocket(port);
    const part = "x".repeat(4 * 1024 * 1024);
    socket.write(frame(1, part, { final: false }));
    socket.write(frame(0, part, { final: false }));
    socket.write(frame(0, part, { final: false }));
    expect(closeCodeOf(await received)).toBe(1009);
  });

  test("a peer that answers no ping is dropped, and its tasks cancelled", async () => {
    const { port, aborted } = await openServer({ pingMs: 20, silentMs: 60 });
    const { socket, received } = await openRawSocket(port);
    socket.write(frame(1, body("wait", "silent")));
    await aborted("silent");
    expect(framesOf(await received).some(({ opcode }) => opcode === 9)).toBe(true);
  });

  test("a peer that is slow to read, but reads, is kept", async () => {
    const { port, tasks } = await openServer({ pingMs: 10, silentMs: 50, stallMs: 1000 });
    const { socket, messages } = await openClient(port);
    socket.send(body("flood", "slow"));
    const pings = { count: 0 };
    socket.on("ping", () => pings.count++);
    while (messages.length < 21) await once(socket, "message");
    while (pings.count < 10) await once(socket, "ping");
    expect(tasks[0]?.signal.aborted).toBe(false);
    socket.terminate();
  });

  test("a message that takes too long is closed with 1008", async () => {
    const { port } = await openServer({ messageMs: 50 });
    const { socket, received } = await openRawSocket(port);
    socket.write(frame(1, "{}").subarray(0, 7));
    expect(closeCodeOf(await received)).toBe(1008);
  });

  test.for([
    ["for too long", { stallMs: 50 }],
    ["while too much waits for it", { maxBufferedBytes: 1024 * 1024 }],
  ] as const)("a peer that reads nothing %s is dropped", async ([, limits]) => {
    const { port, aborted } = await openServer(limits);
    const { socket } = await openRawSocket(port);
    socket.write(frame(1, body("flood", "stalled")));
    socket.pause();
    await aborted("stalled");
  });

  test("more tasks than a socket may have close it with 1013", async () => {
    const { port, aborted } = await openServer();
    const { socket, closed } = await openClient(port);
    for (let count = 0; count <= 10_000; count++) socket.send(body("wait", `task ${count}`));
    expect((await closed).code).toBe(1013);
    await aborted("task 9999");
  });
});
