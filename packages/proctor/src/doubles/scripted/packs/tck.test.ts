// The behaviours that the TCK and ACTS ask for, and the profiles in which they want to meet an agent.
import { describe, expect, it } from "vitest";
import { framesOf, rpc, rpcRequest, startAgent } from "../../../../test/support/doubles/scripted.ts";
import type { JsonObject } from "../../../core/json.ts";
import { tckPack } from "./tck.ts";

const V1 = { "a2a-version": "1.0" };
const script = tckPack({ streamingTimeoutMs: 50 });
let count = 0;

function message(prefix: string, text: string, taskId?: string): JsonObject {
  return {
    message: {
      role: "ROLE_USER",
      messageId: `${prefix}-${(++count).toString(16).padStart(8, "0")}`,
      parts: [{ text }],
      ...(taskId !== undefined && { taskId }),
    },
  };
}

/** The TCK asks by the prefix of the message's id. */
const byId = (name: string, taskId?: string): JsonObject => message(name, "Hello", taskId);
/** ACTS asks by the first text of the task. */
const byText = (text: string, taskId?: string): JsonObject => message("acts", text, taskId);

async function events(url: string, params: JsonObject): Promise<string[]> {
  const response = await rpcRequest(url, "SendStreamingMessage", params, V1);
  return framesOf(await response.text()).map(({ result }) => {
    const {
      task,
      statusUpdate,
      artifactUpdate,
      message: lone,
    } = result as Record<string, { status?: { state: string } }>;
    if (lone !== undefined) return "message";
    if (artifactUpdate !== undefined) return "artifact";
    return (task ?? statusUpdate)?.status?.state.replace("TASK_STATE_", "").toLowerCase() ?? "?";
  });
}

describe("the pack of the TCK", () => {
  it.each([
    ["tck-complete-task", ["submitted", "completed"]],
    ["tck-message-response", ["message"]],
    ["tck-artifact-text", ["submitted", "artifact", "completed"]],
    ["tck-artifact-file", ["submitted", "artifact", "completed"]],
    ["tck-artifact-file-url", ["submitted", "artifact", "completed"]],
    ["tck-artifact-data", ["submitted", "artifact", "completed"]],
    ["tck-input-required", ["submitted", "input_required"]],
    ["tck-auth-required", ["submitted", "auth_required"]],
    ["tck-stream-001", ["submitted", "working", "artifact", "completed"]],
    ["tck-stream-002", ["submitted", "completed"]],
    ["tck-stream-artifact-chunked", ["submitted", "working", "artifact", "artifact", "completed"]],
    ["test-resubscribe-message-id", ["submitted", "working", "completed"]],
    ["tck-delayed-complete", ["submitted", "working", "completed"]],
    ["tck-whatever-else", ["submitted", "completed"]],
  ])("plays %s for the id of a message", async (name, states) => {
    const { url } = await startAgent({ script });
    expect(await events(url, byId(name))).toEqual(states);
  });

  it.each([
    ["tck-reject-task", ["submitted", "rejected"]],
    ["tck-task-failure", ["submitted", "working", "failed"]],
    ["tck-long-running", ["submitted", "working", "artifact", "completed"]],
    ["tck-stream-basic", ["submitted", "working", "artifact", "completed"]],
    ["tck-stream-chunked", ["submitted", "working", "artifact", "artifact", "artifact", "completed"]],
    ["tck-nobody-knows-this", ["submitted", "failed"]],
  ])("plays %s for the text of a task", async (name, states) => {
    const { url } = await startAgent({ script });
    expect(await events(url, byText(name))).toEqual(states);
  });

  it("tells a file from the URL of one by the longer name", async () => {
    const { url } = await startAgent({ script });
    const part = async (name: string): Promise<unknown> => {
      const { result } = await rpc(url, "SendMessage", byId(name), V1);
      return (result as { task: { artifacts: { parts: unknown[] }[] } }).task.artifacts[0]?.parts[0];
    };
    expect(await part("tck-artifact-file-url")).toMatchObject({ url: "https://example.com/output.txt" });
    expect(await part("tck-artifact-file")).toMatchObject({
      raw: "dGNr",
      filename: "output.txt",
      mediaType: "text/plain",
    });
  });

  it("refuses with an error what the TCK wants to be one", async () => {
    const { url } = await startAgent({ script });
    expect(await rpc(url, "SendMessage", byId("tck-reject-task"), V1)).toMatchObject({
      error: { code: -32603, message: "rejected" },
    });
    expect(await rpc(url, "SendMessage", byId("tck-send-003"), V1)).toMatchObject({
      error: { code: -32005 },
    });
  });

  it("ends a task that needs input by its next message, and refuses messages after that", async () => {
    const { url } = await startAgent({ script });
    const { result } = await rpc(url, "SendMessage", byId("tck-input-required"), V1);
    const { id } = (result as { task: { id: string } }).task;
    expect(await rpc(url, "SendMessage", byId("tck-complete-task", id), V1)).toMatchObject({
      result: { task: { id, status: { state: "TASK_STATE_COMPLETED" } } },
    });
    expect(await rpc(url, "SendMessage", byId("tck-complete-task", id), V1)).toMatchObject({
      error: { code: -32004 },
    });
  });

  it("asks again in tck-multi-turn until a text begins with done", async () => {
    const { url } = await startAgent({ script });
    const states = [];
    let id: string | undefined;
    for (const text of ["tck-multi-turn", "more", "and more", "done now"]) {
      const { result } = await rpc(url, "SendMessage", byText(text, id), V1);
      const { task } = result as { task: { id: string; status: { state: string } } };
      ({ id } = task);
      states.push(task.status.state);
    }
    expect(states).toEqual([
      ...Array.from({ length: 3 }, () => "TASK_STATE_INPUT_REQUIRED"),
      "TASK_STATE_COMPLETED",
    ]);
  });
});

describe("the profiles of a scripted agent", () => {
  const card = async (url: string): Promise<JsonObject> =>
    (await (await fetch(`${url}/.well-known/agent-card.json`, { headers: V1 })).json()) as JsonObject;

  it("are at paths of their own, each with its card, all with the same scripts", async () => {
    const { url } = await startAgent({ script });
    expect(await card(url)).toMatchObject({ capabilities: { streaming: true, extendedAgentCard: true } });
    expect(await card(`${url}/reduced`)).toMatchObject({
      capabilities: { streaming: false },
      supportedInterfaces: expect.arrayContaining([
        expect.objectContaining({ url: `${url}/reduced` }),
      ]) as unknown,
    });
    expect(await rpc(`${url}/reduced`, "SendMessage", byId("tck-complete-task"), V1)).toHaveProperty(
      "result",
    );
    expect(await rpc(`${url}/reduced`, "SendStreamingMessage", byId("tck-stream-001"), V1)).toMatchObject({
      error: { code: -32004 },
    });
    expect(await rpc(`${url}/extension`, "SendMessage", byId("tck-complete-task"), V1)).toMatchObject({
      error: { code: -32008 },
    });
  });

  it("ask for a token where their card says so, and only there", async () => {
    const { url } = await startAgent({ script });
    const ask = (token?: string): Promise<Response> =>
      rpcRequest(`${url}/auth`, "SendMessage", byId("tck-complete-task"), {
        ...V1,
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      });
    expect(await card(`${url}/auth`)).toHaveProperty("securityRequirements");
    const refused = await ask();
    expect(refused.status).toBe(401);
    expect(refused.headers.get("www-authenticate")).toMatch(/^Bearer/);
    expect((await ask("itk-insufficient-token")).status).toBe(403);
    expect((await ask("itk-valid-token")).status).toBe(200);
  });

  it("can be at the root", async () => {
    const { url } = await startAgent({ script, profile: "reduced" });
    expect(await card(url)).toMatchObject({ capabilities: { streaming: false } });
  });

  it("show more in their extended card, to those with a token", async () => {
    const { url } = await startAgent({ script });
    const extended = (headers: Record<string, string>): Promise<JsonObject> =>
      rpc(url, "GetExtendedAgentCard", {}, { ...V1, ...headers });
    expect(await extended({})).toMatchObject({
      error: { message: expect.stringContaining("authentication") as unknown },
    });
    const { result } = await extended({ authorization: "Bearer itk-valid-token" });
    expect((result as { skills: unknown[] }).skills).toHaveLength(2);
  });
});
