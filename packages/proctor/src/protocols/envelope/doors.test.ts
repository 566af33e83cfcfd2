// Envelopes over a WebSocket and over gRPC, and agents that take their tasks from an inbox: each from outside, with clients that know
// nothing of our code.
import { fileURLToPath } from "node:url";
import { credentials, loadPackageDefinition, type ServiceClientConstructor } from "@grpc/grpc-js";
import { loadSync } from "@grpc/proto-loader";
import { afterEach, expect, it } from "vitest";
import { WebSocket } from "ws";
import { eventually, HANG_MS } from "../../../test/support/eventually.ts";
import {
  openServedMessages,
  type ServedMessages,
} from "../../../test/support/messages/open-served-messages.ts";
import { listenGrpc, type GrpcListening } from "../../channels/grpc/listen-grpc.ts";
import type { Caller } from "../../core/caller.ts";
import type { JsonObject } from "../../core/json.ts";
import { createGrpcRoutes } from "./grpc/surface.ts";

let served: ServedMessages;
const closes: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closes.splice(0)) await close();
  await served.close();
});

async function open(): Promise<ServedMessages> {
  served = await openServedMessages();
  await served.local.hub.addAgent({
    name: "box",
    protocol: "envelope",
    transport: "inbox",
    url: "inbox:box",
  });
  return served;
}

interface Client {
  heard: JsonObject[];
  send(value: unknown): void;
  socket: WebSocket;
}

async function connect(path: string): Promise<Client> {
  const socket = new WebSocket(`${served.url.replace("http", "ws")}${path}`, ["envelope.v2"]);
  closes.push(() => socket.terminate());
  const heard: JsonObject[] = [];
  socket.on("message", (data: Buffer) => heard.push(JSON.parse(data.toString()) as JsonObject));
  await new Promise((resolve, reject) => socket.once("open", resolve).once("error", reject));
  return {
    heard,
    socket,
    send: (value) => socket.send(typeof value === "string" ? value : JSON.stringify(value)),
  };
}

it("A WebSocket carries envelopes both ways, and hands out again what was not acknowledged", async () => {
  await open();
  const box = await connect("/messages/ws?for=box");
  expect(box.socket.protocol).toBe("envelope.v2");
  const ada = await connect("/messages/ws?for=user:ada");
  ada.send({ id: "1", from: "user:ada", to: "box", type: "request", action: "look", payload: "hi" });
  ada.send({ id: "2", from: "user:ada", to: "box", type: "notification", action: "note" });
  await eventually(() => expect(box.heard).toHaveLength(2));
  // Each is told on a connection of its own: the sender may be told last.
  await eventually(() => expect(ada.heard).toHaveLength(2));
  expect(ada.heard).toMatchObject([
    { sent: { id: "1", from: "user:ada", receiver: "box" } },
    { sent: { id: "2" } },
  ]);
  expect(box.heard).toMatchObject([{ envelope: { id: "1", payload: "hi" } }, { envelope: { id: "2" } }]);
  box.send({ ack: box.heard[0]?.["position"] });
  box.send({
    from: "box",
    to: "user:ada",
    type: "response",
    action: "look",
    inReplyTo: "1",
    payload: "hello",
  });
  await eventually(() => expect(ada.heard).toContainEqual(expect.objectContaining({ deliveries: 1 })));
  box.socket.terminate();
  const again = await connect("/messages/ws?for=box");
  await eventually(() => expect(again.heard).toHaveLength(1));
  expect(again.heard[0]).toMatchObject({ envelope: { id: "2" }, deliveries: 2 });
});

it("A WebSocket refuses what is no envelope, and goes on", async () => {
  await open();
  const ada = await connect("/messages/ws?for=user:ada");
  ada.send("{ broken");
  ada.send("[".repeat(5000));
  ada.send({ to: "nobody", type: "request", action: "x", id: "n" });
  ada.send({ ack: -1 });
  ada.send({ to: "box", type: "request", action: "x", id: "ok" });
  await eventually(() => expect(ada.heard).toHaveLength(5));
  const codes = ada.heard.map(({ refused, sent }) => {
    // It is one of the two.
    const { error, id } = (refused ?? sent) as { error?: { code: string }; id: string };
    return error?.code ?? id;
  });
  expect(codes.sort()).toEqual([
    "AGENT_NOT_FOUND",
    "INVALID_REQUEST",
    "INVALID_REQUEST",
    "INVALID_REQUEST",
    "ok",
  ]);
});

const PROTO = fileURLToPath(new URL("../../../../../proto", import.meta.url));

async function grpcClient(caller?: Caller): Promise<InstanceType<ServiceClientConstructor>> {
  const { local } = await open();
  const stop = new AbortController();
  const routes = createGrpcRoutes({
    messages: local.messages,
    keepAliveMs: 1000,
    stopping: stop.signal,
    report: (problem) => void local.problems.push(problem),
  });
  const listening: GrpcListening = await listenGrpc({
    host: "127.0.0.1",
    port: 0,
    routes: [routes],
    authorize: () => caller,
    onError: (problem) => local.problems.push(problem),
  });
  const loaded = loadPackageDefinition(
    loadSync("proctor/envelope/v1/envelope.proto", { includeDirs: [PROTO], longs: Number, oneofs: true }),
  );
  const service = ["proctor", "envelope", "v1", "Messages"].reduce<unknown>(
    (at, part) => (at as Record<string, unknown>)[part],
    loaded,
  ) as ServiceClientConstructor;
  const client = new service(`127.0.0.1:${listening.port}`, credentials.createInsecure());
  closes.push(
    () => client.close(),
    () => stop.abort(),
    () => listening.close(0),
  );
  return client;
}

type Answered = { error?: { code: number; details: string }; response?: JsonObject };

function call(
  client: InstanceType<ServiceClientConstructor>,
  method: string,
  request: object,
): Promise<Answered> {
  return new Promise((resolve) => {
    // grpc-js makes the methods of a service from its description.
    (client[method] as (request: object, done: (error: never, response: never) => void) => void)(
      request,
      (error, response) => resolve({ error, response }),
    );
  });
}

const NOTE = {
  from: "user:ada",
  to: "box",
  type: "request",
  action: "look",
  payload: { structValue: { fields: {} } },
};

it("gRPC sends, receives and exchanges envelopes with a client of another make", async () => {
  const client = await grpcClient();
  const sent = await call(client, "send", {
    envelope: { ...NOTE, id: "1", extensions: { fields: { own: { numberValue: 7 } } } },
  });
  expect(sent.response).toMatchObject({ id: "1", from: "user:ada", receiver: "box", created: true });
  expect(
    (
      await served.messages.receive("box", { after: 0, limit: 1, waitMs: 0 }, AbortSignal.timeout(HANG_MS))
    )[0],
  ).toMatchObject({
    envelope: { id: "1", payload: {}, own: 7 },
  });
  const heard: JsonObject[] = [];
  const received = (client["receive"] as (request: object) => NodeJS.EventEmitter & { cancel(): void })({
    party: "box",
  });
  received.on("data", (entry: JsonObject) => heard.push(entry)).on("error", () => undefined);
  await eventually(() => expect(heard).toHaveLength(1));
  expect(heard[0]).toMatchObject({ envelope: { id: "1", from: "user:ada", action: "look" } });
  received.cancel();

  const both = (
    client["exchange"] as () => NodeJS.EventEmitter & { write(message: object): void; end(): void }
  )();
  const told: JsonObject[] = [];
  both.on("data", (message: JsonObject) => told.push(message)).on("error", () => undefined);
  both.write({ open: { party: "user:ada" } });
  both.write({ envelope: { ...NOTE, id: "2", from: "box", to: "user:ada" } });
  both.write({ envelope: { ...NOTE, id: "3", to: "nobody" } });
  await eventually(() => expect(told).toHaveLength(3));
  expect(told).toContainEqual(expect.objectContaining({ message: "refused" }));
  const entry = told.find(({ message }) => message === "entry")?.["entry"] as JsonObject;
  both.write({ ack: entry["position"] });
  both.end();
  await eventually(async () =>
    expect((await served.messages.inboxes({})).items).toMatchObject([{ receiver: "box" }]),
  );
});

it("gRPC refuses a caller without the scope, and one that speaks for another", async () => {
  const scopes = ["messages:send"] as const;
  const client = await grpcClient({ name: "token:1", scopes, binding: { kind: "agent", name: "box" } });
  expect((await call(client, "send", { envelope: NOTE })).error).toMatchObject({ code: 7 });
  expect(
    (await call(client, "send", { envelope: { ...NOTE, from: "box", to: "user:ada" } })).error,
  ).toBeNull();
  const received = (client["receive"] as (request: object) => NodeJS.EventEmitter)({ party: "box" });
  const code = await new Promise((resolve) =>
    received.on("error", (error: { code: number }) => resolve(error.code)).on("data", () => undefined),
  );
  expect(code).toBe(7);
});

it("An agent that takes its tasks from an inbox does runs like any other", async () => {
  const { local, messages } = await open();
  const { run } = await local.hub.submit({
    agent: "box",
    task: { description: "sum" },
    context: { environment: { KEY: "s3cret" } },
  });
  const [entry] = await messages.receive(
    "box",
    { after: 0, limit: 1, waitMs: 60_000 },
    AbortSignal.timeout(HANG_MS),
  );
  expect(entry?.envelope).toMatchObject({
    from: "hub",
    to: "box",
    type: "request",
    action: "execute",
    payload: { run_id: run.id, task: { description: "sum" } },
    trace: { traceId: run.trace_id },
  });
  expect(JSON.stringify(entry)).not.toContain("s3cret");
  const reply = { from: "box", to: "hub", inReplyTo: entry?.envelope.id ?? "" };
  await messages.send({
    ...reply,
    type: "notification",
    action: "status_update",
    payload: { progress: 40, message: "half" },
  });
  await messages.send({
    ...reply,
    type: "stream_chunk",
    action: "stream_chunk",
    payload: { text: "4" },
    streamId: "s",
    seq: 0,
  });
  await messages.send({
    ...reply,
    type: "stream_chunk",
    action: "stream_chunk",
    payload: { text: "2" },
    streamId: "s",
    seq: 1,
    final: true,
  });
  await messages.send({
    ...reply,
    from: "user:eve",
    type: "response",
    action: "execute",
    payload: { result: "forged" },
  });
  await messages.send({
    ...reply,
    type: "response",
    action: "execute",
    payload: { result: 42, metrics: { total_tokens: 9 } },
  });
  const ended = await local.ended(run.id);
  expect(ended).toMatchObject({ status: "completed", metrics: { total_tokens: 9 } });
  expect(ended.artifacts).toMatchObject([{ name: "result", data: { output: 42 } }]);
  const types = (await local.log(run.id)).map(({ type }) => type);
  expect(types).toEqual(expect.arrayContaining(["progress", "message.opened", "message.closed"]));
  expect((await messages.deadLetters({})).items).toMatchObject([
    { reason: "undeliverable", envelope: { from: "user:eve" } },
  ]);
});

it("A run of an inbox agent that is cancelled tells the agent so, by envelope", async () => {
  const { local, messages } = await open();
  const { run } = await local.hub.submit({ agent: "box", task: { description: "sum" } });
  const [asked] = await messages.receive(
    "box",
    { after: 0, limit: 1, waitMs: 60_000 },
    AbortSignal.timeout(HANG_MS),
  );
  const cancelled = local.hub.cancel(run.id);
  const [entry] = await messages.receive(
    "box",
    { after: asked?.position ?? 0, limit: 1, waitMs: 60_000 },
    AbortSignal.timeout(HANG_MS),
  );
  expect(entry?.envelope).toMatchObject({ action: "cancel", inReplyTo: asked?.envelope.id });
  const error = {
    from: "box",
    to: "hub",
    type: "error",
    action: "execute",
    inReplyTo: asked?.envelope.id ?? "",
  } as const;
  await messages.send({ ...error, payload: { code: "STOPPED", message: "as you wish" } });
  await cancelled;
  expect((await local.ended(run.id)).status).toBe("cancelled");
});
