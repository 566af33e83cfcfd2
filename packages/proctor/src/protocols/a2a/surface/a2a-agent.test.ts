// An agent that speaks A2A itself, behind the hub's A2A: clients of the hub see what clients of the agent would.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openHubStage, userMessage, type HubStage } from "../../../../test/support/a2a/hub-stage.ts";
import { startAgent } from "../../../../test/support/doubles/scripted.ts";
import { HANG_MS } from "../../../../test/support/eventually.ts";
import type { Json, JsonObject } from "../../../core/json.ts";
import { tckPack } from "../../../doubles/scripted/packs/tck.ts";

let stage: HubStage;
beforeEach(async () => {
  const { url } = await startAgent({ script: tckPack() });
  stage = await openHubStage({ agentUrl: url });
});
afterEach(async () => {
  expect(stage.problems).toEqual([]);
  expect(stage.reported).toEqual([]);
  await stage.close();
});

/** The agent does what the id of a message names. */
const asking = (name: string, more: JsonObject = {}): JsonObject => ({
  message: userMessage("go", { messageId: `${name}-1` }),
  ...more,
});

function keysIn(value: Json | undefined): string[] {
  if (Array.isArray(value)) return value.flatMap(keysIn);
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [key, ...keysIn(inner)]);
}

describe("an A2A agent behind the hub's A2A surface", { timeout: HANG_MS }, () => {
  it.each([
    ["text", "tck-artifact-text", { text: "Generated text content" }],
    ["a file", "tck-artifact-file", { raw: "dGNr", filename: "output.txt", mediaType: "text/plain" }],
    [
      "an address",
      "tck-artifact-file-url",
      { url: "https://example.com/output.txt", filename: "output.txt", mediaType: "text/plain" },
    ],
    ["data", "tck-artifact-data", { data: { key: "value", count: 42 } }],
  ])("has its artifact as the kind of part that it was: %s", async (_, name, part) => {
    const { result } = await stage.rpc("SendMessage", asking(name));
    const [kind] = Object.keys(part);
    expect(Object.keys(result.task.artifacts[0].parts[0])).toContain(kind);
    expect(result.task.artifacts[0].parts).toMatchObject([part]);
    const frames = await stage.stream("SendStreamingMessage", asking(`${name}-again`)).all();
    const streamed = frames.flatMap(({ data }) => data.result.artifactUpdate?.artifact.parts ?? []);
    expect(streamed[0]).toMatchObject(part);
  });

  it("has the text that it sends in pieces in those pieces, and whole when it is asked for", async () => {
    const { result } = await stage.rpc("SendMessage", asking("tck-stream-artifact-chunked"));
    expect(result.task.artifacts[0].parts).toMatchObject([{ text: "chunk-1 chunk-2" }]);
    const frames = await stage
      .stream("SendStreamingMessage", asking("tck-stream-artifact-chunked-again"))
      .all();
    const updates = frames.flatMap(({ data }) => data.result.artifactUpdate ?? []);
    const ofText = updates.filter(({ artifact }) => "text" in artifact.parts[0]);
    expect(
      ofText.map(({ artifact, append, lastChunk }) => [artifact.parts, append, lastChunk]),
    ).toMatchObject([
      [[{ text: "chunk-1 " }], false, false],
      [[{ text: "chunk-2" }], true, false],
      [[{ text: "" }], true, true],
    ]);
  });

  it("answers with a lone message where it answered with one, and otherwise with a task", async () => {
    const { result } = await stage.rpc("SendMessage", asking("tck-message-response"));
    expect(result).toMatchObject({
      message: { role: "ROLE_AGENT", parts: [{ text: "Direct message response" }] },
    });
    const { taskId, contextId } = result.message;
    const kept = await stage.rpc("GetTask", { id: taskId });
    expect(kept.result).toMatchObject({ contextId, status: { state: "TASK_STATE_COMPLETED" } });
    const again = await stage.rpc("SendMessage", asking("tck-message-response"));
    expect(again.result.message).toMatchObject({ taskId });
    const early = asking("tck-message-response-2", { configuration: { returnImmediately: true } });
    expect((await stage.rpc("SendMessage", early)).result).toHaveProperty("task");
    const task = await stage.rpc("SendMessage", asking("tck-complete-task"));
    expect(task.result).toHaveProperty("task");
  });

  it("has in its history what was asked and answered, in its order, while it works and when it has ended", async () => {
    const texts = (task: { history: { role: string; parts: { text: string }[] }[] }): string[] =>
      task.history.map(({ role, parts }) => `${role === "ROLE_USER" ? "user" : "agent"}: ${parts[0]?.text}`);
    const begun = await stage.rpc("SendMessage", asking("tck-input-required"));
    const { id: taskId } = begun.result.task;
    // One id for all of them, as the official kit has it.
    const say = async (name: string, text: string, configuration: JsonObject = {}) => {
      const message = userMessage(text, { messageId: `${name}-1`, taskId });
      return (await stage.rpc("SendMessage", { message, configuration })).result.task;
    };
    expect(texts(begun.result.task)).toEqual(["user: go"]);
    expect(texts(await say("tck-input-required", "one"))).toEqual([
      "user: go",
      "agent: What else?",
      "user: one",
    ]);
    expect(await say("tck-input-required", "two", { historyLength: 0 })).not.toHaveProperty("history");
    const ended = await say("tck-complete-task", "three");
    expect(ended.status.state).toBe("TASK_STATE_COMPLETED");
    const all = [
      "user: go",
      "agent: What else?",
      "user: one",
      "agent: What else?",
      "user: two",
      "agent: What else?",
      "user: three",
      "agent: Hello from TCK",
    ];
    expect(texts(ended)).toEqual(all);
    expect(texts((await stage.rpc("GetTask", { id: taskId })).result)).toEqual(all);
    expect(texts((await stage.rpc("GetTask", { id: taskId, historyLength: 2 })).result)).toEqual(
      all.slice(-2),
    );
    expect(ended.status.message.parts).toEqual([{ text: "Hello from TCK" }]);
  });

  it("is described in names of camelCase, those of the hub's own metadata too", async () => {
    const { result } = await stage.rpc("SendMessage", asking("tck-artifact-file"));
    expect(result.task.artifacts[0].metadata).toEqual({
      sizeBytes: 3,
      contentHash: expect.stringMatching(/^sha256:/) as unknown,
    });
    expect(keysIn(result as Json).filter((key) => key.includes("_"))).toEqual([]);
  });
});
