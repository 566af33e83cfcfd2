import {
  Metadata,
  status,
  type ServerUnaryCall,
  type ServerWritableStream,
  type ServiceError,
  type sendUnaryData,
} from "@grpc/grpc-js";
import { findTrailerError } from "@connectrpc/connect/protocol-grpc";
import { afterEach, describe, expect, it } from "vitest";
import { peerClient, servePeer, type PeerClient } from "../../../../test/support/a2a/grpc-js-peer.ts";
import { callOf, serveA2aGrpc, type GrpcStage } from "../../../../test/support/a2a/grpc-stage.ts";
import { createMemoryService } from "../../../../test/support/a2a/memory-service.ts";
import { statusOf, A2A_ERRORS, PATCH_LEVELS, type A2aReason } from "../errors.ts";
import type { A2aVersion } from "../service.ts";
import { createGrpcBinding } from "./client.ts";
import { decodeDetail } from "./status-details.ts";

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

type Message = Record<string, unknown>;
type Unary = ServerUnaryCall<Message, Message>;
type Answer = sendUnaryData<Message>;

describe("a client that knows nothing of our code", () => {
  async function setUp(
    version: A2aVersion,
    ...args: Parameters<typeof serveA2aGrpc>
  ): Promise<{ client: PeerClient; served: GrpcStage }> {
    const served = await serveA2aGrpc(...args);
    const client = peerClient(served.url, version);
    closers.push(
      () => served.close(0),
      () => client.close(),
    );
    return { client, served };
  }

  it("is served in 1.0", async () => {
    const service = createMemoryService();
    const { client } = await setUp("1.0", service);
    const message = {
      messageId: "m",
      role: "ROLE_USER",
      parts: [{ text: "hi" }, { raw: Buffer.from([1, 2]), mediaType: "a/b" }],
    };
    const { task } = await client.call(
      "SendMessage",
      { message },
      { "a2a-version": "1.0", "a2a-extensions": "urn:a,urn:b" },
    );
    expect(task).toMatchObject({
      id: "task-1",
      status: { state: "TASK_STATE_COMPLETED", timestamp: { seconds: 1761647400, nanos: 123_000_000 } },
      artifacts: [
        { artifactId: "echo", parts: [{ text: "hi" }, { raw: Buffer.from([1, 2]), mediaType: "a/b" }] },
      ],
    });
    expect(service.calls[0]).toMatchObject({ version: "1.0", extensions: ["urn:a", "urn:b"] });
    const events = await client.stream("SendStreamingMessage", { message });
    expect(events.map((event) => event["payload"])).toEqual([
      "task",
      "statusUpdate",
      "artifactUpdate",
      "statusUpdate",
    ]);
    expect(await client.call("ListTasks", { pageSize: 3 })).toMatchObject({
      totalSize: 2,
      tasks: [{ id: "task-1" }, { id: "task-2" }],
    });
    expect(await client.call("GetExtendedAgentCard", {})).toMatchObject({
      name: "memory",
      capabilities: { streaming: true },
    });
  });

  it("is served in 0.3", async () => {
    const { client } = await setUp("0.3", createMemoryService());
    const request = { messageId: "m", role: "ROLE_USER", content: [{ text: "hi" }] };
    const { task } = await client.call("SendMessage", { request, configuration: { blocking: true } });
    expect(task).toMatchObject({
      id: "task-1",
      status: { state: "TASK_STATE_COMPLETED" },
      artifacts: [{ parts: [{ text: "hi" }] }],
    });
    const { task: later } = await client.call("SendMessage", { request, configuration: {} });
    expect(later).toMatchObject({ id: "task-2", status: { state: "TASK_STATE_WORKING" } });
    const created = await client.call("CreateTaskPushNotificationConfig", {
      parent: "tasks/task-2",
      configId: "c",
      config: { pushNotificationConfig: { url: "https://a.example" } },
    });
    expect(created).toMatchObject({
      name: "tasks/task-2/pushNotificationConfigs/c",
      pushNotificationConfig: { id: "c" },
    });
    const events = await client.stream("TaskSubscription", { name: "tasks/task-2" });
    expect(events.at(-1)).toMatchObject({
      statusUpdate: { final: true, status: { state: "TASK_STATE_COMPLETED" } },
    });
    await client.call("SendMessage", { request, configuration: {} });
    expect(await client.call("CancelTask", { name: "tasks/task-3" })).toMatchObject({
      status: { state: "TASK_STATE_CANCELLED" },
    });
    expect(await client.call("GetAgentCard", {})).toMatchObject({
      name: "memory",
      supportsAuthenticatedExtendedCard: true,
    });
  });

  it.each(PATCH_LEVELS)("gets the statuses and details of %s", async (patch) => {
    const { client } = await setUp("1.0", createMemoryService(), { patch });
    for (const reason of Object.keys(A2A_ERRORS) as A2aReason[]) {
      const message = { messageId: "m", role: "ROLE_USER", parts: [{ text: `fail:${reason}` }] };
      const error = await refusal(client.call("SendMessage", { message }));
      expect([reason, error.code, error.details]).toEqual([
        reason,
        statusOf(reason, patch).grpc,
        `refused: ${reason}`,
      ]);
      expect(detailsIn(error)[0]).toEqual({
        "@type": "type.googleapis.com/google.rpc.ErrorInfo",
        reason,
        domain: "a2a-protocol.org",
        metadata: { asked: "yes" },
      });
    }
  });

  it("finds the name of an error of 0.3 where the SDKs of 0.3 look for it", async () => {
    const { client } = await setUp("0.3", createMemoryService());
    const refused = async (text: string): Promise<string> => {
      const request = { messageId: "m", role: "ROLE_USER", content: [{ text }] };
      return (await refusal(client.call("SendMessage", { request }))).details;
    };
    expect(await refused("fail:TASK_NOT_FOUND")).toBe("TaskNotFoundError: refused: TASK_NOT_FOUND");
    expect(await refused("fail:UNAVAILABLE")).toBe("refused: UNAVAILABLE");
  });

  it("is told which fields are wrong", async () => {
    const { client } = await setUp("1.0", createMemoryService());
    const error = await refusal(client.call("SendMessage", { message: { role: "ROLE_USER" } }));
    expect(error.code).toBe(status.INVALID_ARGUMENT);
    expect(detailsIn(error)[1]).toMatchObject({
      "@type": "type.googleapis.com/google.rpc.BadRequest",
      fieldViolations: [{ field: "message.messageId" }, { field: "message.parts" }],
    });
  });

  it("names its agent by tenant or metadata, and learns when there is none", async () => {
    const [one, other] = [createMemoryService(), createMemoryService()];
    const { client } = await setUp("1.0", { default: one, other });
    const message = { messageId: "m", role: "ROLE_USER", parts: [{ text: "hi" }] };
    await client.call("SendMessage", { message, tenant: "other" });
    await client.call("SendMessage", { message }, { "x-a2a-tenant": "other" });
    await client.call("SendMessage", { message, tenant: "theirs" }, { "proctor-agent": "other" });
    expect(other.requests.map((request) => (request as Message)["tenant"])).toEqual([
      "other",
      undefined,
      "theirs",
    ]);
    expect(one.requests).toEqual([]);
    await client.call("SendMessage", { message });
    expect(one.requests).toHaveLength(1);
    const error = await refusal(client.call("SendMessage", { message, tenant: "nobody" }));
    expect(error).toMatchObject({
      code: status.NOT_FOUND,
      details: expect.stringMatching(/no such agent/) as string,
    });
    expect(error.metadata.get("proctor-error-code")).toEqual(["AGENT_NOT_FOUND"]);
  });

  it("is refused a version that is not the service's", async () => {
    const { client } = await setUp("1.0", createMemoryService());
    for (const version of ["2.0", "0.3", "x"]) {
      const error = await refusal(client.call("GetTask", { id: "1" }, { "a2a-version": version }));
      expect([version, error.code]).toEqual([version, status.FAILED_PRECONDITION]);
      expect(detailsIn(error)[0]).toMatchObject({ reason: "VERSION_NOT_SUPPORTED" });
    }
    expect((await refusal(client.call("GetTask", { id: "1" }, { "a2a-version": "1.0.1" }))).code).toBe(
      status.NOT_FOUND,
    );
  });

  it("finds no service of a version that is not served", async () => {
    const { client } = await setUp("0.3", createMemoryService(), { versions: ["1.0"] });
    expect((await refusal(client.call("GetTask", { name: "tasks/1" }))).code).toBe(status.UNIMPLEMENTED);
  });
});

describe("an agent that knows nothing of our code", () => {
  async function setUp(version: A2aVersion, handlers: Record<string, unknown>) {
    const { url, close } = await servePeer({ [version]: handlers as never });
    closers.push(close);
    return createGrpcBinding({ url, version });
  }
  const request = { message: { messageId: "m", role: "ROLE_USER" as const, parts: [{ text: "hi" }] } };

  it("is asked in 1.0", async () => {
    let asked: { request: Message; metadata: Metadata } | undefined;
    const client = await setUp("1.0", {
      SendMessage(call: Unary, answer: Answer) {
        asked = call;
        answer(null, {
          task: {
            id: "t",
            contextId: "c",
            status: { state: "TASK_STATE_INPUT_REQUIRED", timestamp: { seconds: 1, nanos: 5 } },
          },
        });
      },
      SendStreamingMessage(call: ServerWritableStream<Message, Message>) {
        call.write({
          message: { messageId: "a", role: "ROLE_AGENT", parts: [{ data: { numberValue: 7 } }] },
        });
        call.end();
      },
    });
    expect(await client.send(request, callOf("1.0", { extensions: ["urn:a", "urn:b"] }))).toEqual({
      task: {
        id: "t",
        contextId: "c",
        status: { state: "TASK_STATE_INPUT_REQUIRED", timestamp: "1970-01-01T00:00:01.000000005Z" },
      },
    });
    expect(asked?.request).toMatchObject({
      message: { messageId: "m", role: "ROLE_USER", parts: [{ text: "hi" }] },
    });
    expect(asked?.metadata.getMap()).toMatchObject({
      "a2a-version": "1.0",
      "a2a-extensions": "urn:a, urn:b",
    });
    const events = [];
    for await (const { event } of await client.stream(request, callOf("1.0"))) events.push(event);
    expect(events).toEqual([{ message: { messageId: "a", role: "ROLE_AGENT", parts: [{ data: 7 }] } }]);
    await expect(client.getTask({ id: "1" }, callOf("1.0"))).rejects.toMatchObject({
      reason: "UNSUPPORTED_OPERATION",
    });
  });

  it("is asked in 0.3, and waits unless it is told not to", async () => {
    const asked: Message[] = [];
    const client = await setUp("0.3", {
      SendMessage(call: Unary, answer: Answer) {
        asked.push(call.request);
        answer(null, { msg: { messageId: "a", role: "ROLE_AGENT", content: [{ text: "yes" }] } });
      },
      TaskSubscription(call: ServerWritableStream<Message, Message>) {
        call.write({ task: { id: "t", contextId: "c", status: { state: "TASK_STATE_CANCELLED" } } });
        call.end();
      },
    });
    expect(await client.send(request, callOf("0.3"))).toEqual({
      message: { messageId: "a", role: "ROLE_AGENT", parts: [{ text: "yes" }] },
    });
    await client.send({ ...request, configuration: { returnImmediately: true } }, callOf("0.3"));
    expect(asked).toMatchObject([
      { request: { content: [{ text: "hi" }] }, configuration: { blocking: true } },
      { configuration: expect.not.objectContaining({ blocking: true }) as Message },
    ]);
    for await (const { event } of await client.subscribe({ id: "t" }, callOf("0.3")))
      expect(event.task?.status.state).toBe("TASK_STATE_CANCELED");
  });

  it.each([
    ["TaskNotFoundError: gone", status.UNKNOWN, "TASK_NOT_FOUND"],
    ["", status.NOT_FOUND, "TASK_NOT_FOUND"],
    ["no", status.INVALID_ARGUMENT, "INVALID_PARAMS"],
    ["no", status.UNAUTHENTICATED, "UNAUTHENTICATED"],
    ["no", status.PERMISSION_DENIED, "PERMISSION_DENIED"],
    ["no", status.RESOURCE_EXHAUSTED, "RESOURCE_EXHAUSTED"],
    ["no", status.UNAVAILABLE, "UNAVAILABLE"],
    ["no", status.FAILED_PRECONDITION, "TASK_NOT_CANCELABLE"],
    ["no", status.UNIMPLEMENTED, "UNSUPPORTED_OPERATION"],
    ["no", status.DATA_LOSS, "INTERNAL"],
  ] as const)("may refuse with %j and status %i alone, which is %s", async (details, code, reason) => {
    const client = await setUp("0.3", {
      CancelTask: (_: Unary, answer: Answer) => answer({ code, details }),
    });
    await expect(client.cancelTask({ id: "1" }, callOf("0.3"))).rejects.toMatchObject({ reason });
  });

  it("may refuse with an error after it has begun to answer", async () => {
    const client = await setUp("1.0", {
      SendStreamingMessage(call: ServerWritableStream<Message, Message>) {
        call.sendMetadata(new Metadata());
        setImmediate(() => call.emit("error", { code: status.NOT_FOUND, details: "late" }));
      },
      SubscribeToTask(call: ServerWritableStream<Message, Message>) {
        call.write({ task: { id: "t", status: { state: "TASK_STATE_WORKING" } } });
        setImmediate(() => call.emit("error", { code: status.UNAVAILABLE, details: "later" }));
      },
    });
    await expect(client.stream(request, callOf("1.0"))).rejects.toMatchObject({
      reason: "TASK_NOT_FOUND",
      message: "late",
    });
    const stream = await client.subscribe({ id: "t" }, callOf("1.0"));
    const heard: unknown[] = [];
    const all = (async () => {
      for await (const { event } of stream) heard.push(event);
    })();
    await expect(all).rejects.toMatchObject({ reason: "UNAVAILABLE", message: "later" });
    expect(heard).toHaveLength(1);
  });
});

async function refusal(call: Promise<unknown>): Promise<ServiceError> {
  return call.then(
    () => expect.unreachable("it was not refused"),
    (error: unknown) => error as ServiceError,
  );
}

function detailsIn({ metadata }: ServiceError): unknown[] {
  const [bytes = ""] = metadata.get("grpc-status-details-bin");
  const header = new Headers({ "grpc-status-details-bin": Buffer.from(bytes).toString("base64") });
  const details = findTrailerError(header)?.details ?? [];
  return details.flatMap((detail) => ("type" in detail ? [decodeDetail(detail)] : []));
}
