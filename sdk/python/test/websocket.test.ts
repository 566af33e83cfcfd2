// The Python package over WebSocket, driven by the `ws` package: docs/reference/atp.md, "WebSocket".
import { once } from "node:events";
import { beforeAll, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import {
  type Message,
  NO_PYTHON,
  request,
  requestWith,
  type Server,
  startServer,
  TASK_ID,
} from "./python-agent.ts";
import { expectEvents, expectResponse } from "../../atp-cases/schemas.ts";

interface Client {
  socket: WebSocket;
  send: (message: Message | string) => void;
  /** Resolves with the first message for which `fits` returns true. */
  next: (fits: (message: Message) => boolean) => Promise<Message>;
  messages: Message[];
  closed: Promise<{ code: number; reason: string }>;
}

async function connect(url: string, protocols: string[] = ["atp.v1"]): Promise<Client> {
  const socket = new WebSocket(`${url.replace("http", "ws")}/any/path?x=1`, protocols);
  const messages: Message[] = [];
  const looks = new Set<() => void>();
  socket.on("message", (data: Buffer) => {
    // The tests check the fields of the message one by one.
    messages.push(JSON.parse(data.toString()) as Message);
    for (const look of looks) look();
  });
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    socket.once("close", (code, reason) => resolve({ code, reason: reason.toString() }));
  });
  await once(socket, "open");
  return {
    socket,
    messages,
    closed,
    send: (message) => socket.send(typeof message === "string" ? message : JSON.stringify(message)),
    next: (fits) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          const found = messages.find(fits);
          if (found !== undefined) resolve(found);
        };
        looks.add(look);
        look();
        void closed.then(({ code }) => reject(new Error(`closed with ${code}: ${JSON.stringify(messages)}`)));
      }),
  };
}

const isResponse = (message: Message): boolean => "status" in message;
const isEvent = (message: Message): boolean => "event_type" in message;

describe.skipIf(NO_PYTHON)("a Python agent over WebSocket", () => {
  let server: Server;
  beforeAll(async () => {
    server = await startServer({ max_tasks: 3 });
  });

  it("answers with events and the response, in the subprotocol atp.v1", async () => {
    const client = await connect(server.url, ["other", "atp.v1"]);
    expect(client.socket.protocol).toBe("atp.v1");
    client.send(request("everything"));
    expectResponse(await client.next(isResponse));
    expectEvents(client.messages.slice(0, -1));
    expect(client.messages).toHaveLength(8);
    client.socket.close(1000);
    expect(await client.closed).toMatchObject({ code: 1000 });
  });

  it("accepts a client without subprotocols and refuses one with others", async () => {
    const client = await connect(server.url, []);
    expect(client.socket.protocol).toBe("");
    client.socket.close(4001, "bye");
    expect(await client.closed).toMatchObject({ code: 4001 });
    await expect(connect(server.url, ["atp.v2"])).rejects.toThrow("400");
  });

  it("refuses pages from elsewhere", async () => {
    const socket = new WebSocket(server.url.replace("http", "ws"), { origin: "https://evil.example" });
    const [error] = (await once(socket, "error").catch((thrown: unknown) => [thrown])) as [Error];
    expect(error.message).toContain("403");
  });

  it("runs many tasks on one socket, each with its own sequence, and cancels one of them", async () => {
    const client = await connect(server.url);
    client.send(request("wait", { task_id: "a" }));
    await client.next((message) => message["task_id"] === "a");
    client.send(request("everything", { task_id: "b" }));
    await client.next((message) => message["task_id"] === "b" && isResponse(message));
    const sequences = client.messages
      .filter((message) => message["task_id"] === "b" && isEvent(message))
      .map((message) => message["sequence"]);
    expect(sequences).toEqual([0, 1, 2, 3, 4, 5, 6]);
    client.send({ type: "cancel", task_id: "a", reason: "enough" });
    client.send({ type: "cancel", task_id: "a" });
    client.send({ type: "cancel", task_id: "never heard of" });
    const cancelled = await client.next((message) => message["task_id"] === "a" && isResponse(message));
    expect(cancelled).toMatchObject({ status: "cancelled", error: "enough" });
    client.send(request("hello", { task_id: "a" }));
    await client.next((message) => message["task_id"] === "a" && message["status"] === "completed");
    expect(client.messages.filter(isResponse)).toHaveLength(3);
    client.socket.close();
    await client.closed;
  });

  it("refuses a second task with the id of a running one, which continues", async () => {
    const client = await connect(server.url);
    client.send(request("wait"));
    await client.next(isEvent);
    client.send(request("hello"));
    expect(await client.next(isResponse)).toMatchObject({
      task_id: TASK_ID,
      status: "failed",
      error_code: "INVALID_REQUEST",
      error_details: { field: "task_id" },
    });
    client.send({ type: "cancel", task_id: TASK_ID });
    await client.next((message) => message["status"] === "cancelled");
    client.socket.terminate();
  });

  it.each([
    ["{", {}],
    ["[]", {}],
    ['{"type":"resume","task_id":"x","after":1}', { task_id: "x" }],
    ['{"type":"cancel"}', {}],
    [
      '{"version":"1.0","task_id":"x","task":{}}',
      { task_id: "x", error_details: { field: "task.description" } },
    ],
    ['{"version":"2.0","task_id":"x","task":{"description":"x"}}', { error_details: { field: "version" } }],
  ])("answers %s with INVALID_REQUEST and stays open", async (text, expected) => {
    const client = await connect(server.url);
    client.send(text);
    const response = await client.next(isResponse);
    expect(response).toMatchObject({ status: "failed", error_code: "INVALID_REQUEST", ...expected });
    expect(response["task_id"]).toMatch(/^(?:x|0{8}-0{4}-0{4}-0{4}-0{12})$/);
    client.send(request("hello", { task_id: "next" }));
    await client.next((message) => message["status"] === "completed");
    client.socket.terminate();
  });

  it("answers pings", async () => {
    const client = await connect(server.url);
    client.socket.ping("are you there");
    const [payload] = (await once(client.socket, "pong")) as [Buffer];
    expect(payload.toString()).toBe("are you there");
    client.socket.terminate();
  });

  it("takes a message in fragments", async () => {
    const client = await connect(server.url);
    const text = JSON.stringify(request("hällo"));
    for (const character of text) client.socket.send(Buffer.from(character), { fin: false, binary: false });
    client.socket.send("", { fin: true });
    expect(await client.next(isResponse)).toMatchObject({ status: "completed" });
    client.socket.terminate();
  });

  it.each([
    ["a binary frame", 1003, (socket: WebSocket) => socket.send(Buffer.from([1]), { binary: true })],
    [
      "text that is not UTF-8",
      1007,
      (socket: WebSocket) => socket.send(Buffer.from([0xff]), { binary: false }),
    ],
    ["11 MB", 1009, (socket: WebSocket) => socket.send("x".repeat(11_000_000))],
    [
      "a reserved close code",
      1002,
      (socket: WebSocket) => rawSocket(socket).write(masked(0x88, [0x03, 0xee])),
    ],
  ])("closes on %s with %i", async (_, code, offend) => {
    const client = await connect(server.url);
    client.send(request("wait", { task_id: `offender ${code}` }));
    await client.next(isEvent);
    offend(client.socket);
    expect(await client.closed).toMatchObject({ code });
    await server.printed("stderr", new RegExp(`offender ${code} was cancelled`));
  });

  it("closes with 1013 when there are too many tasks", async () => {
    const client = await connect(server.url);
    for (let index = 0; index < 4; index++) client.send(request("wait", { task_id: `crowd ${index}` }));
    expect(await client.closed).toMatchObject({ code: 1013 });
    await server.printed("stderr", /crowd 2 was cancelled/);
  });

  it("answers with an error when a response is too large for a message", async () => {
    const client = await connect(server.url);
    client.send(request("large 11000000"));
    const response = await client.next(isResponse);
    expectResponse(response);
    expect(response).toMatchObject({ status: "failed", error_code: "INTERNAL_ERROR" });
    client.socket.terminate();
  });

  it("cancels its tasks when the socket goes away", async () => {
    const client = await connect(server.url);
    client.send(requestWith("wait", {}, { task_id: "abandoned" }));
    await client.next(isEvent);
    client.socket.terminate();
    await server.printed("stderr", /abandoned was cancelled/);
  });
});

/** Returns the connection under a WebSocket, to send bytes that the `ws` package would not send. */
function rawSocket(socket: WebSocket): { write: (data: Uint8Array) => void } {
  // `_socket` is not part of the public types.
  return (socket as unknown as { _socket: { write: (data: Uint8Array) => void } })._socket;
}

function masked(first: number, payload: readonly number[]): Uint8Array {
  return Uint8Array.from([first, 0x80 | payload.length, 0, 0, 0, 0, ...payload]);
}
