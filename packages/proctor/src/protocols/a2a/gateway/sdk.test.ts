import { randomUUID } from "node:crypto";
import { Role, type StreamResponse as SdkFrame } from "@a2a-js/sdk";
import { ClientFactory } from "@a2a-js/sdk/client";
import { A2AClient as OldClient } from "a2a-sdk-0.3/client";
import { describe, expect, it } from "vitest";
import { openGateway, type GatewayStage } from "../../../../test/support/a2a/gateway-stage.ts";
import { serveOldSdkAgent, serveSdkAgent, type SdkAgent } from "../../../../test/support/a2a/sdk-agents.ts";
import { isJsonObject } from "../../../core/json.ts";

const URI = "artifact://writer/anonymous/s/story.txt?version=1";
const ASK = "read artifact://writer/anonymous/s/input.txt";
const AGENTS: [string, () => Promise<SdkAgent>][] = [
  ["1.0 over JSON-RPC", () => serveSdkAgent("JSONRPC")],
  ["1.0 over HTTP+JSON", () => serveSdkAgent("HTTP+JSON")],
  ["0.3 over JSON-RPC", () => serveOldSdkAgent()],
];

async function stageFor(
  serve: () => Promise<SdkAgent>,
): Promise<GatewayStage & { agent: SdkAgent; at: string }> {
  const agent = await serve();
  const stage = await openGateway(agent.url);
  await stage.artifacts.save(
    { app: "writer", user: "anonymous", session: "s", name: "input.txt" },
    { content: Buffer.from("the input"), mimeType: "text/plain" },
  );
  return { ...stage, agent, at: await stage.serve() };
}

async function expectKept({ artifacts, textOf, agent }: Awaited<ReturnType<typeof stageFor>>): Promise<void> {
  const key = { app: "writer", user: "anonymous", session: "s", name: "story.txt" };
  expect((await artifacts.versions(key, {})).items).toHaveLength(1);
  expect(await textOf(await artifacts.find(key, 1))).toBe("one two three");
  expect(agent.files).toEqual(["input.txt: the input"]);
}

describe("a client of the SDK for 1.0 through the A2A gateway", () => {
  it.each(AGENTS)("reaches an agent of the SDK for %s, streamed", async (_, serve) => {
    const stage = await stageFor(serve);
    const client = await new ClientFactory().createFromUrl(`${stage.at}/`);
    const frames: SdkFrame[] = [];
    for await (const frame of client.sendMessageStream(request())) frames.push(frame);
    const written = JSON.stringify(frames);
    expect(written).toContain(URI);
    expect(written).not.toContain(Buffer.from("one ").toString("base64"));
    const last = frames.at(-1)?.payload;
    expect(last?.$case).toBe("statusUpdate");
    expect(written).toContain("produced_artifacts");
    const [first] = frames;
    const task = first?.payload?.$case === "task" ? first.payload.value : undefined;
    expect(task?.contextId).toBe("s");
    const again = await client.getTask({ id: task?.id ?? "", tenant: "", historyLength: undefined });
    expect(JSON.stringify(again.artifacts)).toContain(URI);
    await expectKept(stage);
  });

  it.each(AGENTS)("reaches an agent of the SDK for %s, and waits for the end", async (_, serve) => {
    const stage = await stageFor(serve);
    const client = await new ClientFactory().createFromUrl(`${stage.at}/`);
    const result = await client.sendMessage(request());
    expect(JSON.stringify(result)).toContain(URI);
    await expectKept(stage);
  });

  function request() {
    return {
      tenant: "",
      configuration: undefined,
      metadata: undefined,
      message: {
        messageId: randomUUID(),
        contextId: "s",
        taskId: "",
        role: Role.ROLE_USER,
        parts: [
          {
            content: { $case: "text" as const, value: ASK },
            metadata: undefined,
            filename: "",
            mediaType: "",
          },
        ],
        metadata: undefined,
        extensions: [],
        referenceTaskIds: [],
      },
    };
  }
});

describe("a client of the SDK for 0.3 through the A2A gateway", () => {
  const params = () => ({
    message: {
      kind: "message" as const,
      messageId: randomUUID(),
      contextId: "s",
      role: "user" as const,
      parts: [{ kind: "text" as const, text: ASK }],
    },
  });

  it.each(AGENTS)("reaches an agent of the SDK for %s, streamed", async (_, serve) => {
    const stage = await stageFor(serve);
    const client = await OldClient.fromCardUrl(`${stage.at}/.well-known/agent-card.json`);
    const frames: unknown[] = [];
    for await (const frame of client.sendMessageStream(params())) frames.push(frame);
    expect(JSON.stringify(frames)).toContain(URI);
    expect(frames.at(-1)).toMatchObject({
      kind: "status-update",
      final: true,
      status: { state: "completed" },
    });
    await expectKept(stage);
  });

  it.each(AGENTS)("reaches an agent of the SDK for %s, and waits for the end", async (_, serve) => {
    const stage = await stageFor(serve);
    const client = await OldClient.fromCardUrl(`${stage.at}/.well-known/agent-card.json`);
    const response = await client.sendMessage(params());
    expect(isJsonObject(response) && JSON.stringify(response)).toContain(URI);
    expect(response).toMatchObject({
      result: { kind: "task", contextId: "s", status: { state: "completed" } },
    });
    await expectKept(stage);
  });
});
