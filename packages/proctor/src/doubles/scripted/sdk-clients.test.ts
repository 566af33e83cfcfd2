// The official clients of both versions against the scripted agent: they are the judges of what it speaks.
import { randomUUID } from "node:crypto";
import { Role, type SendMessageRequest, type StreamResponse } from "@a2a-js/sdk";
import {
  ClientFactory,
  ClientFactoryOptions,
  JsonRpcTransportFactory,
  RestTransportFactory,
} from "@a2a-js/sdk/client";
import { GrpcTransportFactory } from "@a2a-js/sdk/client/grpc";
import { credentials } from "@grpc/grpc-js";
import { ClientFactory as OldClientFactory } from "a2a-sdk-0.3/client";
import { describe, expect, it } from "vitest";
import { readFault } from "./faults/fault.ts";
import { corpus, directive, startAgent } from "../../../test/support/doubles/scripted.ts";

const RESPONSES = corpus("responses.jsonc");

function request(text: string, taskId = ""): SendMessageRequest {
  return {
    tenant: "",
    message: {
      messageId: randomUUID(),
      contextId: "",
      taskId,
      role: Role.ROLE_USER,
      parts: [{ content: { $case: "text", value: text }, metadata: undefined, filename: "", mediaType: "" }],
      metadata: undefined,
      extensions: [],
      referenceTaskIds: [],
    },
    configuration: undefined,
    metadata: undefined,
  };
}

describe.each([
  ["JSON-RPC", new JsonRpcTransportFactory()],
  ["HTTP+JSON", new RestTransportFactory()],
])("the official client of A2A 1.0 over %s", (_binding, transport) => {
  const connect = (url: string): ReturnType<ClientFactory["createFromUrl"]> =>
    new ClientFactory(
      ClientFactoryOptions.createFrom(ClientFactoryOptions.default, {
        transports: [transport],
        preferredTransports: [transport.protocolName],
      }),
    ).createFromUrl(url);

  it("streams a turn of the document, then the next of the same task", async () => {
    const { url } = await startAgent();
    const client = await connect(url);
    const first: StreamResponse[] = [];
    for await (const event of client.sendMessageStream(request(directive(RESPONSES, "sdk"))))
      first.push(event);
    expect(first.map(({ payload }) => payload?.$case)).toEqual([
      "task",
      "statusUpdate",
      "artifactUpdate",
      "task",
    ]);
    const last = first.at(-1)?.payload;
    const taskId = last?.$case === "task" ? last.value.id : "";
    const second = await client.sendMessage(request("And now?", taskId));
    expect(JSON.stringify(second)).toContain("Follow-up complete.");
  });

  it("gets, lists and cancels tasks, and is told what is wrong", async () => {
    const { url } = await startAgent();
    const client = await connect(url);
    const asking = [[{ kind: "status-update", status: { state: "input-required" } }]];
    const sent = await client.sendMessage(request(directive(asking, "sdk")));
    const id = "id" in sent ? sent.id : "";
    expect(JSON.stringify(await client.getTask({ tenant: "", id, historyLength: undefined }))).toContain(id);
    const cancelled = await client.cancelTask({ tenant: "", id, metadata: undefined });
    expect(cancelled.id).toBe(id);
    await expect(client.cancelTask({ tenant: "", id, metadata: undefined })).rejects.toThrow(
      /cannot be cancel/i,
    );
    await expect(client.sendMessage(request("No directive here"))).rejects.toThrow(
      /no script answers this message/,
    );
  });
});

describe("the official client of A2A 1.0 over gRPC", () => {
  async function connect(url: string): ReturnType<ClientFactory["createFromUrl"]> {
    const transport = new GrpcTransportFactory({ grpcChannelCredentials: credentials.createInsecure() });
    const options = { transports: [transport], preferredTransports: [transport.protocolName] };
    return new ClientFactory(
      ClientFactoryOptions.createFrom(ClientFactoryOptions.default, options),
    ).createFromUrl(url);
  }

  it("finds the port in the card, plays the turns of the document, and is captured", async () => {
    const { url, agent } = await startAgent({ grpcPort: 0 });
    const client = await connect(url);
    const cases: (string | undefined)[] = [];
    let taskId = "";
    for await (const { payload } of client.sendMessageStream(request(directive(RESPONSES, "grpc")))) {
      cases.push(payload?.$case);
      if (payload?.$case === "task") taskId = payload.value.id;
    }
    expect(cases).toEqual(["task", "statusUpdate", "artifactUpdate", "task"]);
    expect(JSON.stringify(await client.sendMessage(request("And now?", taskId)))).toContain(
      "Follow-up complete.",
    );
    expect(agent.captured.list({ testCaseId: "grpc" })).toMatchObject([
      { operation: "stream", binding: "GRPC", turn: 0 },
      { operation: "send", binding: "GRPC", turn: 1 },
    ]);
  });

  it("gets the status of a fault, and then the turn", async () => {
    const { url } = await startAgent({ grpcPort: 0, faults: [readFault("status:503*1")] });
    const client = await connect(url);
    await expect(client.sendMessage(request(directive(RESPONSES, "grpc")))).rejects.toThrow(
      /503|UNAVAILABLE/,
    );
    expect(JSON.stringify(await client.sendMessage(request(directive(RESPONSES, "grpc"))))).toContain(
      "Task complete.",
    );
  });
});

describe("the official client of A2A 0.3", () => {
  it("streams both turns of the document", async () => {
    const { url } = await startAgent();
    const client = await new OldClientFactory().createFromUrl(url);
    const message = (text: string, taskId?: string) => ({
      kind: "message" as const,
      messageId: randomUUID(),
      role: "user" as const,
      parts: [{ kind: "text" as const, text }],
      ...(taskId !== undefined && { taskId }),
    });
    const kinds: string[] = [];
    let taskId = "";
    for await (const event of client.sendMessageStream({ message: message(directive(RESPONSES, "sdk")) })) {
      kinds.push(event.kind);
      if (event.kind === "task") taskId = event.id;
    }
    expect(kinds).toEqual(["status-update", "artifact-update", "task"]);
    const second = await client.sendMessage({ message: message("And now?", taskId) });
    expect(second).toMatchObject({ kind: "task", id: taskId, status: { state: "completed" } });
    expect(await client.getTask({ id: taskId })).toMatchObject({ artifacts: [{ name: "report.csv" }] });
  });
});
