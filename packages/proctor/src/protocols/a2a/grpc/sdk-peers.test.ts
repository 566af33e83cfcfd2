// The official SDK as the other side, over its own .proto: it says whether ours are the same.
import { AgentCard, SendMessageRequest, TaskState } from "@a2a-js/sdk";
import { GrpcTransportFactory } from "@a2a-js/sdk/client/grpc";
import { LegacyA2AService as LegacyService, legacyGrpcService } from "@a2a-js/sdk/compat/v0_3/server/grpc";
import { AgentEvent, DefaultRequestHandler, InMemoryTaskStore, type AgentExecutor } from "@a2a-js/sdk/server";
import { A2AService, grpcService, UserBuilder } from "@a2a-js/sdk/server/grpc";
import { credentials, Server } from "@grpc/grpc-js";
import { afterEach, describe, expect, it } from "vitest";
import { listenPeer } from "../../../../test/support/a2a/grpc-js-peer.ts";
import { callOf, serveA2aGrpc } from "../../../../test/support/a2a/grpc-stage.ts";
import { createMemoryService, MEMORY_CARD } from "../../../../test/support/a2a/memory-service.ts";
import { A2A_VERSIONS, type A2aVersion } from "../service.ts";
import { createGrpcBinding } from "./client.ts";

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

function cardOf(url: string, protocolVersion: A2aVersion): AgentCard {
  const supportedInterfaces = [{ url, protocolBinding: "GRPC", protocolVersion }];
  return AgentCard.fromJSON({ ...MEMORY_CARD, supportedInterfaces });
}

describe.each(A2A_VERSIONS)("the SDK's gRPC client in %s", (version) => {
  async function setUp() {
    const service = createMemoryService();
    const served = await serveA2aGrpc(service);
    closers.push(() => served.close(0));
    const address = served.url.replace("grpc://", "");
    const factory = new GrpcTransportFactory({
      grpcChannelCredentials: credentials.createInsecure(),
      legacyCompat: { enabled: true },
    });
    return { service, transport: await factory.create(address, cardOf(address, version)) };
  }
  const request = SendMessageRequest.fromJSON({
    message: {
      messageId: "m",
      role: "ROLE_USER",
      parts: [{ text: "hi" }, { data: { a: [1] } }, { raw: "AAEC", mediaType: "a/b" }],
    },
    configuration: { acceptedOutputModes: ["text/plain"] },
  });

  it("is served by ours", async () => {
    const { service, transport } = await setUp();
    const sent = await transport.sendMessage(request);
    expect(sent).toMatchObject({ id: "task-1", status: { state: TaskState.TASK_STATE_COMPLETED } });
    expect(service.requests[0]).toMatchObject({
      message: {
        messageId: "m",
        parts: [{ text: "hi" }, { data: { a: [1] } }, { raw: "AAEC", mediaType: "a/b" }],
      },
    });
    const kinds = [];
    for await (const event of transport.sendMessageStream(request)) kinds.push(event.payload?.$case);
    expect(kinds).toEqual(["task", "statusUpdate", "artifactUpdate", "statusUpdate"]);
    const task = await transport.getTask({ tenant: "", id: "task-1", historyLength: 5 });
    expect(task).toMatchObject({ id: "task-1", artifacts: [{ artifactId: "echo" }] });
    const config = {
      tenant: "",
      taskId: "task-1",
      id: "c",
      url: "https://a.example",
      token: "",
      authentication: undefined,
    };
    expect(await transport.createTaskPushNotificationConfig(config)).toMatchObject({
      taskId: "task-1",
      id: "c",
    });
    expect(
      await transport.getTaskPushNotificationConfig({ tenant: "", taskId: "task-1", id: "c" }),
    ).toMatchObject({ id: "c" });
    const listed = await transport.listTaskPushNotificationConfig({
      tenant: "",
      taskId: "task-1",
      pageSize: 0,
      pageToken: "",
    });
    expect(listed.configs).toHaveLength(1);
    await transport.deleteTaskPushNotificationConfig({ tenant: "", taskId: "task-1", id: "c" });
    expect(await transport.getExtendedAgentCard({ tenant: "" })).toMatchObject({
      description: "Remembers more",
    });
  });

  it("understands our errors", async () => {
    const { transport } = await setUp();
    await expect(
      transport.getTask({ tenant: "", id: "none", historyLength: undefined }),
    ).rejects.toMatchObject({
      name: "TaskNotFoundError",
    });
    await transport.sendMessage(request);
    await expect(
      transport.cancelTask({ tenant: "", id: "task-1", metadata: undefined }),
    ).rejects.toMatchObject({
      name: "TaskNotCancelableError",
    });
    const subscribed = transport.resubscribeTask({ tenant: "", id: "task-1" }).next();
    await expect(subscribed).rejects.toMatchObject({ name: "UnsupportedOperationError" });
  });
});

describe.each(A2A_VERSIONS)("the SDK's gRPC server in %s", (version) => {
  const executor: AgentExecutor = {
    async execute({ taskId, contextId, userMessage }, bus) {
      const status = (state: TaskState) => ({ state, message: undefined, timestamp: "2025-10-28T10:30:00Z" });
      const ids = { taskId, contextId, metadata: undefined };
      bus.publish(
        AgentEvent.task({
          id: taskId,
          contextId,
          status: status(TaskState.TASK_STATE_SUBMITTED),
          artifacts: [],
          history: [userMessage],
          metadata: { a: 1 },
        }),
      );
      const artifact = {
        artifactId: "a",
        name: "echo",
        description: "",
        parts: userMessage.parts,
        metadata: undefined,
        extensions: [],
      };
      bus.publish(AgentEvent.artifactUpdate({ ...ids, artifact, append: false, lastChunk: true }));
      bus.publish(AgentEvent.statusUpdate({ ...ids, status: status(TaskState.TASK_STATE_COMPLETED) }));
      bus.finished();
      await Promise.resolve();
    },
    cancelTask: async () => await Promise.resolve(),
  };

  async function setUp() {
    const server = new Server();
    const handler = new DefaultRequestHandler(
      cardOf("127.0.0.1:1", version),
      new InMemoryTaskStore(),
      executor,
    );
    const options = { requestHandler: handler, userBuilder: UserBuilder.noAuthentication };
    if (version === "1.0") server.addService(A2AService, grpcService(options));
    else server.addService(LegacyService, legacyGrpcService(options));
    const { url, close } = await listenPeer(server);
    closers.push(close);
    return createGrpcBinding({ url, version });
  }
  const parts = [{ text: "hi" }, { data: { a: [1, null] } }, { url: "https://a.example", mediaType: "a/b" }];
  const message = { messageId: "m", role: "ROLE_USER" as const, parts };

  it("is driven by ours", async () => {
    const client = await setUp();
    const { task } = await client.send({ message }, callOf(version));
    expect(task).toMatchObject({
      status: { state: "TASK_STATE_COMPLETED" },
      artifacts: [{ artifactId: "a", name: "echo", parts }],
      metadata: { a: 1 },
    });
    const kinds = [];
    for await (const { event } of await client.stream({ message }, callOf(version)))
      kinds.push(Object.keys(event)[0]);
    expect(kinds).toEqual(["task", "artifactUpdate", "statusUpdate"]);
    // Its server of 0.3 takes 0 for no messages, where the .proto has it stand for all.
    const again = await client.getTask({ id: task?.id ?? "", historyLength: 9 }, callOf(version));
    expect(again.history?.[0]?.messageId).toBe("m");
  });

  it("refuses in ways that we understand", async () => {
    const client = await setUp();
    await expect(client.getTask({ id: "none" }, callOf(version))).rejects.toMatchObject({
      reason: "TASK_NOT_FOUND",
    });
    await expect(client.subscribe({ id: "none" }, callOf(version))).rejects.toMatchObject({
      reason: "TASK_NOT_FOUND",
    });
    const { task } = await client.send({ message }, callOf(version));
    await expect(client.cancelTask({ id: task?.id ?? "" }, callOf(version))).rejects.toMatchObject({
      reason: "TASK_NOT_CANCELABLE",
    });
  });
});
