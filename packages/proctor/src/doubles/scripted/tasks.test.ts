// What clients do with the tasks of a scripted agent: get, list, cancel, follow, come back, be notified.
import { createServer } from "node:http";
import { describe, expect, it, onTestFinished } from "vitest";
import {
  directive,
  framesOf,
  message03,
  rpc,
  rpcRequest,
  send03,
  startAgent,
  stream03,
} from "../../../test/support/doubles/scripted.ts";
import { eventually } from "../../../test/support/eventually.ts";
import type { Json, JsonObject } from "../../core/json.ts";

const V1 = { "a2a-version": "1.0" };
const status = (state: string, text?: string): JsonObject => ({
  kind: "status-update",
  status: {
    state,
    ...(text !== undefined && { message: { role: "agent", parts: [{ kind: "text", text }] } }),
  },
});
const later = (event: JsonObject, delayMs: number): JsonObject => ({ event, delay_ms: delayMs });

async function begin(
  url: string,
  turns: Json,
  more: JsonObject = {},
): Promise<{ id: string; contextId: string }> {
  const message = message03({ text: directive(turns) });
  const { result } = await rpc(url, "message/send", { message, ...more });
  return result as { id: string; contextId: string };
}

describe("a task of a scripted agent", () => {
  it("keeps messages of both sides as its history, as much of it as is asked for", async () => {
    const { url } = await startAgent();
    const { id } = await begin(url, [
      [status("working", "a"), status("input-required", "b")],
      [status("completed", "c")],
    ]);
    await send03(url, { text: "second", taskId: id });
    const texts = async (historyLength?: number): Promise<unknown[]> => {
      const { result } = await rpc(
        url,
        "GetTask",
        { id, ...(historyLength !== undefined && { historyLength }) },
        V1,
      );
      const { history = [] } = result as { history?: { parts: { text: string }[] }[] };
      return history.map(({ parts }) => parts[0]?.text.split("\n")[0]);
    };
    expect(await texts()).toEqual(["Do it.", "a", "b", "second"]);
    expect(await texts(1)).toEqual(["second"]);
    expect(await texts(0)).toEqual([]);
  });

  it("is listed newest first, page by page, by context and state, without artifacts unless they are wanted", async () => {
    const { url } = await startAgent();
    const artifact = { kind: "artifact-update", artifact: { parts: [{ kind: "text", text: "x" }] } };
    const first = await begin(url, [[artifact, status("completed")]]);
    const second = await begin(url, [[status("input-required")]]);
    const third = await begin(url, [[status("completed")]]);
    const list = async (params: JsonObject): Promise<JsonObject & { tasks: JsonObject[] }> =>
      (await rpc(url, "ListTasks", params, V1))["result"] as JsonObject & { tasks: JsonObject[] };
    const all = await list({});
    expect(all.tasks.map(({ id }) => id)).toEqual([third.id, second.id, first.id]);
    expect(all).toMatchObject({ totalSize: 3, pageSize: 50, nextPageToken: "" });
    expect(all.tasks[2]).not.toHaveProperty("artifacts");
    expect((await list({ includeArtifacts: true })).tasks[2]).toHaveProperty("artifacts");
    expect((await list({ contextId: second.contextId })).tasks).toHaveLength(1);
    expect((await list({ status: "TASK_STATE_COMPLETED" })).tasks).toHaveLength(2);
    const page = await list({ pageSize: 2 });
    expect(page.tasks).toHaveLength(2);
    const rest = await list({ pageSize: 2, pageToken: page["nextPageToken"] });
    expect([rest.tasks.map(({ id }) => id), rest["nextPageToken"]]).toEqual([[first.id], ""]);
    expect(await rpc(url, "ListTasks", { pageToken: "nonsense" }, V1)).toMatchObject({
      error: { code: -32602 },
    });
  });

  it("is cancelled in the middle of a turn, and those who wait for it are told", async () => {
    const { url, agent } = await startAgent();
    agent.clock.stop();
    const { id } = await begin(url, [[status("working"), later(status("completed"), 60_000)]], {
      configuration: { blocking: false },
    });
    const following = rpcRequest(url, "tasks/resubscribe", { id }).then((response) => response.text());
    await eventually(() => expect(agent.captured.list({ operation: "subscribe" })).toHaveLength(1));
    expect(await rpc(url, "tasks/cancel", { id })).toMatchObject({
      result: { status: { state: "canceled" } },
    });
    expect(JSON.stringify(framesOf(await following).at(-1))).toContain("canceled");
    expect(await rpc(url, "tasks/cancel", { id })).toMatchObject({ error: { code: -32002 } });
    expect(await rpc(url, "SubscribeToTask", { id }, V1)).toMatchObject({ error: { code: -32004 } });
  });

  it("answers at once where nobody wants to wait, and goes on by itself", async () => {
    const { url, agent } = await startAgent();
    agent.clock.stop();
    const { id } = await begin(url, [[later(status("working"), 1000), later(status("completed"), 1000)]], {
      configuration: { blocking: false },
    });
    const state = async (): Promise<unknown> =>
      ((await rpc(url, "tasks/get", { id }))["result"] as { status: JsonObject }).status["state"];
    expect(await state()).toBe("submitted");
    await agent.clock.advance(1000);
    expect(await state()).toBe("working");
    await agent.clock.advance(3_600_000);
    expect(await state()).toBe("completed");
  });

  it("goes on without its client, who comes back with the last frame that it has and misses nothing", async () => {
    const { url, agent } = await startAgent();
    agent.clock.stop();
    const events = Array.from({ length: 5 }, (_, index) => later(status("working", `step ${index}`), 1000));
    const leaving = new AbortController();
    const response = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({
        jsonrpc: "2.0",
        id: 1,
        method: "message/stream",
        params: { message: message03({ text: directive([[...events, status("completed")]]) }) },
      }),
      signal: leaving.signal,
    });
    const reader = response.body?.getReader();
    await agent.clock.advance(2000);
    let text = "";
    while (!text.includes("step 1")) text += new TextDecoder().decode((await reader?.read())?.value);
    leaving.abort();
    const ids = [...text.matchAll(/^id: (.+)$/gm)].map(([, id]) => id);
    await agent.clock.advance(60_000);
    const [taskId = ""] = (ids[0] ?? "").split(":");
    const rest = await rpcRequest(
      url,
      "tasks/resubscribe",
      { id: taskId },
      { "last-event-id": ids[0] ?? "" },
    );
    const texts = framesOf(await rest.text()).map((frame) => JSON.stringify(frame));
    expect(texts).toHaveLength(5);
    expect(texts[0]).toContain("step 1");
    expect(texts.at(-1)).toContain("completed");
  });

  it("stays working without an end where the turn stays open, until it is cancelled", async () => {
    const { url } = await startAgent();
    const { id } = await begin(url, [{ events: [status("working")], stays_open: true }], {
      configuration: { blocking: false },
    });
    await eventually(async () =>
      expect(await rpc(url, "tasks/get", { id })).toMatchObject({ result: { status: { state: "working" } } }),
    );
    expect(await rpc(url, "tasks/cancel", { id })).toMatchObject({
      result: { status: { state: "canceled" } },
    });
  });

  it("assembles an artifact from its chunks, even where the first one is appended", async () => {
    const { url } = await startAgent();
    const chunk = (text: string, append: boolean): JsonObject => ({
      kind: "artifact-update",
      append,
      artifact: { artifactId: "a", parts: [{ kind: "text", text }] },
    });
    const { id } = await begin(url, [[chunk("one ", true), chunk("two", true), status("completed")]]);
    expect(await rpc(url, "tasks/get", { id })).toMatchObject({
      result: { artifacts: [{ artifactId: "a", parts: [{ text: "one " }, { text: "two" }] }] },
    });
  });

  it("tells its push receivers, with the token that they gave", async () => {
    const { url } = await startAgent();
    const heard: { body: JsonObject; token: unknown; authorization: unknown }[] = [];
    const receiver = createServer((request, response) => {
      let body = "";
      request.on("data", (chunk: Buffer) => (body += chunk.toString()));
      request.on("end", () => {
        const { authorization, "x-a2a-notification-token": token } = request.headers;
        heard.push({ body: JSON.parse(body) as JsonObject, token, authorization });
        response.end();
      });
    });
    await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void receiver.close());
    const { port } = receiver.address() as { port: number };
    const config = {
      id: "mine",
      url: `http://127.0.0.1:${port}/hook`,
      token: "secret",
      authentication: { schemes: ["Bearer"], credentials: "credential" },
    };
    const { id } = await begin(url, [[status("working"), status("completed")]], {
      configuration: { pushNotificationConfig: config },
    });
    await eventually(() => expect(heard).toHaveLength(2));
    expect(heard[1]).toMatchObject({
      token: "secret",
      authorization: "Bearer credential",
      body: { id, status: { state: "completed" } },
    });
    expect(await rpc(url, "tasks/pushNotificationConfig/list", { id })).toMatchObject({
      result: [{ pushNotificationConfig: { id: "mine" } }],
    });
    await rpc(url, "tasks/pushNotificationConfig/delete", { id, pushNotificationConfigId: "mine" });
    expect(await rpc(url, "tasks/pushNotificationConfig/list", { id })).toMatchObject({ result: [] });
  });
});

describe("an event of a script", () => {
  it("of an unknown kind is refused, and the refusal is captured", async () => {
    const { url, agent } = await startAgent();
    const { error } = await send03(url, {
      text: directive([[{ kind: "status-updat", status: { state: "working" } }]]),
    });
    expect((error as JsonObject)["message"]).toMatch(
      /^responses_json\[0\]\[0\] is an event of the unknown kind "status-updat"; did you mean "status-update"\?/,
    );
    expect(agent.captured.list()[0]?.error).toContain("unknown kind");
  });

  it("that no client could read is refused, with its place", async () => {
    const { url } = await startAgent();
    const { error } = await send03(url, {
      text: directive([[status("working")], [{ kind: "artifact-update" }]]),
    });
    expect((error as JsonObject)["message"]).toMatch(/^responses_json\[1\]\[0\] cannot be sent: /);
  });

  it("that is marked raw is sent as it is, whatever it is", async () => {
    const { url } = await startAgent();
    const raw = { kind: "hologram", beams: [1, 2] };
    const events = await stream03(url, {
      text: directive([[status("working"), { event: raw, raw: true }, status("completed")]]),
    });
    expect(events[1]).toEqual(raw);
    expect(events.map(({ kind }) => kind)).toEqual(["status-update", "hologram", "status-update"]);
    const { result } = await send03(url, {
      text: directive([[status("working"), { event: raw, raw: true }]]),
    });
    expect(result).toEqual(raw);
  });

  it("that is a message alone makes no task", async () => {
    const { url } = await startAgent();
    const turn = [[{ kind: "message", parts: [{ kind: "text", text: "Hello" }] }]];
    const { result } = await send03(url, { text: directive(turn) });
    expect(result).toMatchObject({ kind: "message", role: "agent", parts: [{ text: "Hello" }] });
    expect(result).not.toHaveProperty("taskId");
    expect(await rpc(url, "ListTasks", {}, V1)).toMatchObject({ result: { totalSize: 0 } });
  });

  it("may be written in the shapes of 1.0, for clients of both versions", async () => {
    const { url } = await startAgent();
    const turn = [[{ statusUpdate: { status: { state: "TASK_STATE_COMPLETED" } } }]];
    expect(await send03(url, { text: directive(turn) })).toMatchObject({
      result: { status: { state: "completed" } },
    });
  });
});
