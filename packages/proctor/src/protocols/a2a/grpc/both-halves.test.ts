import { getEventListeners } from "node:events";
import { afterEach, describe, expect, it } from "vitest";
import { callOf, serveA2aGrpc, type GrpcStage } from "../../../../test/support/a2a/grpc-stage.ts";
import { createMemoryService, MEMORY_CARD } from "../../../../test/support/a2a/memory-service.ts";
import { eventually } from "../../../../test/support/eventually.ts";
import type { Json } from "../../../core/json.ts";
import type { Loss, WireProblem } from "../codec.ts";
import { A2A_ERRORS, type A2aReason } from "../errors.ts";
import type { A2aMessage, StreamResponse } from "../model.ts";
import { A2A_VERSIONS, type A2aStream } from "../service.ts";
import { createGrpcBinding } from "./client.ts";

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

async function stage(...args: Parameters<typeof serveA2aGrpc>): Promise<GrpcStage> {
  const served = await serveA2aGrpc(...args);
  closers.push(() => served.close(0));
  return served;
}

function saying(text: string, more: Partial<A2aMessage> = {}): A2aMessage {
  return { messageId: "m-1", role: "ROLE_USER", parts: [{ text }], ...more };
}

describe.each(A2A_VERSIONS)("A2A %s over gRPC", (version) => {
  it("brings requests and results through both halves as they are", async () => {
    const service = createMemoryService();
    const { url, reported } = await stage(service);
    const client = createGrpcBinding({ url, version });
    const call = callOf(version);
    const parts = [
      { text: "hi" },
      { raw: "AAEC/w==", mediaType: "image/png" },
      { url: "https://a.example/b" },
      { data: { a: [1, null] } },
    ];
    const message = saying("", {
      parts,
      contextId: "c",
      metadata: { deep: { er: [0.5] } },
      extensions: ["urn:a"],
    });

    const { task } = await client.send({ message }, call);
    expect(plain(task)).toEqual(plain(service.tasks.get("task-1")));
    expect(service.requests[0]).toMatchObject({ message });
    expect(await client.send({ message: saying("message") }, call)).toEqual({
      message: saying("message", { role: "ROLE_AGENT", contextId: "context" }),
    });
    const later = await client.send({ message, configuration: { returnImmediately: true } }, call);
    expect(later.task?.status.state).toBe("TASK_STATE_WORKING");
    const id = later.task?.id ?? "";
    expect(plain(await client.getTask({ id, historyLength: 3 }, call))).toEqual(plain(service.tasks.get(id)));
    expect(service.requests.at(-1)).toMatchObject({ id, historyLength: 3 });
    const config = {
      taskId: id,
      id: "hook",
      url: "https://hook.example",
      token: "t",
      authentication: { scheme: "Bearer", credentials: "c" },
    };
    expect(await client.createPushConfig(config, call)).toEqual(config);
    expect(await client.getPushConfig({ taskId: id, id: "hook" }, call)).toEqual(config);
    expect((await client.listPushConfigs({ taskId: id }, call)).configs).toEqual([config]);
    await client.deletePushConfig({ taskId: id, id: "hook" }, call);
    expect((await client.listPushConfigs({ taskId: id }, call)).configs).toEqual([]);
    expect((await client.cancelTask({ id }, call)).status.state).toBe("TASK_STATE_CANCELED");
    expect(reported).toEqual([]);
  });

  it("streams the events of a task, and those of a subscription", async () => {
    const service = createMemoryService();
    const { url } = await stage(service);
    const client = createGrpcBinding({ url, version });
    const streamed = await gather(await client.stream({ message: saying("hi") }, callOf(version)));
    expect(streamed.map((event) => Object.keys(event)[0])).toEqual([
      "task",
      "statusUpdate",
      "artifactUpdate",
      "statusUpdate",
    ]);
    expect(streamed[2]?.artifactUpdate).toMatchObject({
      append: true,
      lastChunk: true,
      artifact: { parts: [{ text: "hi" }] },
    });
    const { task } = await client.send(
      { message: saying("hi"), configuration: { returnImmediately: true } },
      callOf(version),
    );
    const followed = await gather(await client.subscribe({ id: task?.id ?? "" }, callOf(version)));
    expect(followed.at(-1)?.statusUpdate?.status.state).toBe("TASK_STATE_COMPLETED");
  });

  it.each(Object.keys(A2A_ERRORS) as A2aReason[])("tells %s from every other error", async (reason) => {
    const { url, reported } = await stage(createMemoryService());
    const client = createGrpcBinding({ url, version });
    const request = { message: saying(`fail:${reason}`) };
    const expected = {
      name: "A2aError",
      reason,
      message: `refused: ${reason}`,
      options: {
        metadata: { asked: "yes" },
        ...(reason === "INVALID_PARAMS" && {
          fields: [{ field: "message.parts[0]", description: "asks for it" }],
        }),
        ...(reason === "UNAVAILABLE" && { retryAfterSeconds: 1.5 }),
      },
    };
    await expect(client.send(request, callOf(version))).rejects.toMatchObject(expected);
    await expect(client.stream(request, callOf(version))).rejects.toMatchObject(expected);
    expect(reported).toEqual([]);
  });

  it("reports a failure of the service, of which the client learns only the trace", async () => {
    const service = createMemoryService();
    service.getTask = () => Promise.reject(new Error("a secret of the database"));
    const { url, reported } = await stage(service);
    const traceId = "0af7651916cd43dd8448eb211c80319c";
    const failed = createGrpcBinding({ url, version }).getTask({ id: "1" }, callOf(version, { traceId }));
    await expect(failed).rejects.toMatchObject({ reason: "INTERNAL", options: { metadata: { traceId } } });
    await expect(failed).rejects.not.toThrow(/secret/);
    expect(reported).toHaveLength(1);
  });

  it("fills the call from the metadata", async () => {
    const service = createMemoryService();
    const { url } = await stage(service, {
      originOf: () => "https://hub.example",
      basePathOf: (agent) => `/x/${agent}`,
    });
    const client = createGrpcBinding({
      url,
      version,
      metadata: { "x-own": "1", "proctor-agent": "writer" },
      passOn: ({ authorization = "" }) => ({ authorization }),
      auth: {
        apply: async ({ headers }) => await Promise.resolve(void (headers["x-key"] = "secret")),
        renew: () => false,
      },
    });
    const call = callOf(version, {
      extensions: ["urn:a", "urn:b"],
      headers: { authorization: "Bearer x", cookie: "c" },
    });
    await client.send({ message: saying("hi") }, call);
    expect(service.calls[0]).toMatchObject({
      version,
      binding: "GRPC",
      headers: { "x-own": "1", "x-key": "secret", authorization: "Bearer x" },
      extensions: ["urn:a", "urn:b"],
      origin: "https://hub.example",
      basePath: "/x/writer",
      traceId: call.traceId,
    });
    expect(service.calls[0]?.headers).not.toHaveProperty("cookie");
  });

  it("tries once more with other credentials, where there are any", async () => {
    const service = createMemoryService();
    const { url } = await stage(service);
    let tries = 0;
    const send = service.send.bind(service);
    service.send = (request, call) =>
      call.headers["authorization"] === "new"
        ? send(request, call)
        : send({ message: saying("fail:UNAUTHENTICATED") }, call);
    const client = createGrpcBinding({
      url,
      version,
      auth: {
        apply: async ({ headers }) =>
          await Promise.resolve(void (headers["authorization"] = tries++ === 0 ? "old" : "new")),
        renew: () => tries === 1,
      },
    });
    expect((await client.send({ message: saying("hi") }, callOf(version))).task?.id).toBe("task-1");
    expect(tries).toBe(2);
  });

  it("ends the service's stream when the client leaves, and does not run ahead of a client that does not read", async () => {
    const service = createMemoryService();
    let told = 0;
    let ended = false;
    service.frames = (call) => ({
      async *[Symbol.asyncIterator]() {
        const text = "x".repeat(100_000);
        try {
          for (; !call.signal.aborted; told++) {
            yield { event: { message: saying(text, { role: "ROLE_AGENT", messageId: String(told) }) } };
            await new Promise((resolve) => setImmediate(resolve));
          }
        } finally {
          ended = true;
        }
      },
    });
    const { url } = await stage(service);
    const stream = await createGrpcBinding({ url, version }).stream(
      { message: saying("hi") },
      callOf(version),
    );
    let read = 0;
    for await (const { event } of stream) {
      expect(event.message?.messageId).toBe(String(read));
      if (++read === 3) {
        // Far more than the buffers on the way hold would be 500 frames, 50 MB; who is not held back sends one in each round, at least.
        let before = -1;
        for (let round = 0; before !== told && round < 500; round++) {
          before = told;
          for (let turn = 0; turn < 200; turn++) await new Promise((resolve) => setImmediate(resolve));
        }
        expect(told).toBeLessThan(500);
        break;
      }
    }
    await eventually(() => expect(ended).toBe(true));
    expect(service.calls[0]?.signal.aborted).toBe(true);
  });

  it("cancels a call whose signal aborts, on both sides", async () => {
    const service = createMemoryService();
    const asked: AbortSignal[] = [];
    service.getTask = (_, { signal }) => {
      asked.push(signal);
      return new Promise((_resolve, reject) =>
        signal.addEventListener("abort", () => reject(new Error("left"))),
      );
    };
    const { url, reported } = await stage(service);
    const leaving = new AbortController();
    const answer = createGrpcBinding({ url, version }).getTask(
      { id: "1" },
      callOf(version, { signal: leaving.signal }),
    );
    await eventually(() => expect(asked).toHaveLength(1));
    leaving.abort();
    await expect(answer).rejects.toMatchObject({ reason: "UNAVAILABLE", message: `${url} was left by us` });
    await eventually(() => expect(asked[0]?.aborted).toBe(true));
    expect(reported).toEqual([]);
    await expect(
      createGrpcBinding({ url, version }).getTask(
        { id: "1" },
        callOf(version, { signal: AbortSignal.abort() }),
      ),
    ).rejects.toMatchObject({ reason: "UNAVAILABLE" });
  });

  it("leaves nothing that listens for the server's end when its calls are over", async () => {
    const service = createMemoryService();
    const stopping = new AbortController();
    const { url } = await stage(service, { stopping: stopping.signal });
    const client = createGrpcBinding({ url, version });
    await client.send({ message: saying("hi") }, callOf(version));
    await expect(client.getTask({ id: "none" }, callOf(version))).rejects.toThrow();
    await gather(await client.stream({ message: saying("hi") }, callOf(version)));
    await expect(client.stream({ message: saying("fail:INTERNAL") }, callOf(version))).rejects.toThrow();
    for await (const _ of await client.stream({ message: saying("hi") }, callOf(version))) break;
    await eventually(() => expect(getEventListeners(stopping.signal, "abort")).toEqual([]));
  });

  it("ends calls that come when the server has stopped", async () => {
    const service = createMemoryService();
    const stopping = new AbortController();
    const { url } = await stage(service, { stopping: stopping.signal });
    const status = { state: "TASK_STATE_WORKING" };
    service.getTask = async (_, { signal }) => {
      signal.throwIfAborted();
      return await Promise.resolve({ id: "1", status });
    };
    stopping.abort();
    const asked = createGrpcBinding({ url, version }).getTask({ id: "1" }, callOf(version));
    await expect(asked).rejects.toMatchObject({ reason: "UNAVAILABLE" });
  });

  it("ends calls when the server stops", async () => {
    const service = createMemoryService();
    const stopping = new AbortController();
    service.frames = ({ signal }) => ({
      async *[Symbol.asyncIterator]() {
        yield { event: { message: saying("first", { role: "ROLE_AGENT" }) } };
        await new Promise((resolve) => signal.addEventListener("abort", resolve));
      },
    });
    const { url } = await stage(service, { stopping: stopping.signal });
    const stream = await createGrpcBinding({ url, version }).stream(
      { message: saying("hi") },
      callOf(version),
    );
    const all = gather(stream);
    stopping.abort();
    await expect(all).rejects.toMatchObject({ reason: "UNAVAILABLE" });
  });

  it("refuses what the card does not promise", async () => {
    const card = { ...MEMORY_CARD, capabilities: {} };
    const { url } = await stage(createMemoryService(card));
    const client = createGrpcBinding({ url, version });
    const call = callOf(version);
    await expect(client.stream({ message: saying("hi") }, call)).rejects.toMatchObject({
      reason: "UNSUPPORTED_OPERATION",
    });
    await expect(client.listPushConfigs({ taskId: "1" }, call)).rejects.toMatchObject({
      reason: "PUSH_NOTIFICATION_NOT_SUPPORTED",
    });
    await expect(client.extendedCard(call)).rejects.toMatchObject({ reason: "UNSUPPORTED_OPERATION" });
  });

  it("refuses a request that holds too little, and names the fields", async () => {
    const { url } = await stage(createMemoryService());
    const client = createGrpcBinding({ url, version });
    const bad = { message: { ...saying(""), messageId: "", parts: [] } };
    await expect(client.send(bad, callOf(version))).rejects.toMatchObject({
      reason: "INVALID_PARAMS",
      fields: [{ field: "message.messageId" }, { field: "message.parts" }],
    });
  });
});

describe("A2A 1.0 over gRPC alone", () => {
  it("lists tasks, echoes the tenant, and gives the extended card", async () => {
    const [one, other] = [createMemoryService(), createMemoryService()];
    const { url } = await stage({ default: one, other });
    const client = createGrpcBinding({ url, version: "1.0", tenant: "other" });
    const call = callOf("1.0");
    expect(await client.listTasks({}, call)).toEqual({
      tasks: [],
      nextPageToken: "",
      pageSize: 50,
      totalSize: 0,
    });
    await client.send({ message: saying("hi") }, call);
    const listed = await client.listTasks(
      {
        contextId: "context",
        pageSize: 7,
        status: "TASK_STATE_COMPLETED",
        includeArtifacts: false,
        statusTimestampAfter: "2025-01-01T00:00:00Z",
      },
      call,
    );
    expect(listed).toMatchObject({ totalSize: 1, tasks: [{ id: "task-1" }] });
    expect(other.requests.at(-1)).toEqual({
      tenant: "other",
      contextId: "context",
      pageSize: 7,
      status: "TASK_STATE_COMPLETED",
      includeArtifacts: false,
      statusTimestampAfter: "2025-01-01T00:00:00Z",
    });
    expect(await client.extendedCard(call)).toEqual({ ...MEMORY_CARD, description: "Remembers more" });
    expect(one.calls).toEqual([]);
  });

  it("notes what protobuf cannot carry, on both sides", async () => {
    const service = createMemoryService();
    service.getTask = async () =>
      await Promise.resolve({ id: "1", status: { state: "TASK_STATE_PAUSED" }, generation: 3 });
    const lost: Loss[] = [];
    const sent: Loss[] = [];
    const problems: WireProblem[] = [];
    const { url } = await stage(service, { onLoss: (loss) => lost.push(loss) });
    const client = createGrpcBinding({
      url,
      version: "1.0",
      onLoss: (loss) => sent.push(loss),
      onProblem: (problem) => problems.push(problem),
    });
    const task = await client.getTask({ id: "1", ifGenerationMatch: 2 }, callOf("1.0"));
    expect(task).toEqual({ id: "1", status: { state: "TASK_STATE_UNSPECIFIED" } });
    expect(sent.map(({ path }) => path)).toEqual(["ifGenerationMatch"]);
    expect(lost.map(({ path }) => path)).toEqual(["result.status.state", "result.generation"]);
  });

  it("has no public card, which is found by its address", async () => {
    const client = createGrpcBinding({ url: "127.0.0.1:1", version: "1.0" });
    await expect(client.card(callOf("1.0"))).rejects.toMatchObject({ reason: "UNSUPPORTED_OPERATION" });
  });
});

describe("A2A 0.3 over gRPC alone", () => {
  it("gives the card to those who are authenticated, and has no way to list tasks", async () => {
    const card = {
      ...MEMORY_CARD,
      supportedInterfaces: [{ url: "a:1", protocolBinding: "GRPC", protocolVersion: "0.3" }],
    };
    const { url } = await stage(createMemoryService(card));
    const client = createGrpcBinding({ url, version: "0.3" });
    expect(plain(await client.extendedCard(callOf("0.3")))).toEqual({
      ...card,
      description: "Remembers more",
    });
    await expect(client.listTasks({}, callOf("0.3"))).rejects.toMatchObject({
      reason: "UNSUPPORTED_OPERATION",
    });
  });
});

describe("the address of an agent over gRPC", () => {
  it.each([
    "grpc://127.0.0.1:1",
    "grpcs://127.0.0.1:1",
    "127.0.0.1:1",
    "http://127.0.0.1:1",
    "https://127.0.0.1:1",
    "[::1]:1",
    "localhost:1",
  ])("may be %s", (url) => {
    expect(() => createGrpcBinding({ url, version: "1.0" })).not.toThrow();
  });

  it.each(["", "ftp://a", "grpc://", "a b"])("may not be %j", (url) => {
    expect(() => createGrpcBinding({ url, version: "1.0" })).toThrow(/address over gRPC/);
  });
});

async function gather(stream: A2aStream): Promise<StreamResponse[]> {
  const events: StreamResponse[] = [];
  for await (const { event } of stream) events.push(event);
  return events;
}

function plain(value: unknown): Json {
  return JSON.parse(JSON.stringify(value ?? null)) as Json;
}
