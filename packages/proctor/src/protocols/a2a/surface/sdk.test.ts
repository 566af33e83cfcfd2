// The official SDKs as clients of the hub: 1.3.0 speaks 1.0, 0.3.14 speaks 0.3, each over JSON-RPC and HTTP+JSON.
import { randomUUID } from "node:crypto";
import {
  ClientFactory,
  JsonRpcTransportFactory,
  RestTransportFactory,
  type Client,
} from "@a2a-js/sdk/client";
import { Role, TaskState } from "@a2a-js/sdk";
import {
  ClientFactory as LegacyFactory,
  JsonRpcTransportFactory as LegacyJsonRpc,
  RestTransportFactory as LegacyRest,
  type Client as LegacyClient,
} from "a2a-sdk-0.3/client";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { HANG_MS } from "../../../../test/support/eventually.ts";
import { openHubStage, type HubStage } from "../../../../test/support/a2a/hub-stage.ts";

let stage: HubStage;
beforeEach(async () => {
  stage = await openHubStage();
});
afterEach(async () => {
  expect(stage.reported).toEqual([]);
  await stage.close();
});

const CARD = "/.well-known/agent-card.json";

const request = (text: string, more = {}) => ({
  tenant: "",
  message: {
    messageId: randomUUID(),
    contextId: "",
    taskId: "",
    role: Role.ROLE_USER,
    parts: [
      { content: { $case: "text" as const, value: text }, metadata: undefined, filename: "", mediaType: "" },
    ],
    metadata: undefined,
    extensions: [],
    referenceTaskIds: [],
    ...more,
  },
  configuration: undefined,
  metadata: undefined,
});

describe.each([
  ["JSON-RPC", () => new JsonRpcTransportFactory()],
  ["HTTP+JSON", () => new RestTransportFactory()],
])("the official client of 1.0 over %s", { timeout: HANG_MS }, (_, transport) => {
  const connect = (): Promise<Client> =>
    new ClientFactory({ transports: [transport()] }).createFromUrl(stage.url + CARD, "");

  it("sends, reads, lists and cancels", async () => {
    const client = await connect();
    expect(client.protocolVersion).toBe("1.0");
    const sent = client.sendMessage(request("work"));
    const session = await stage.driver.session(0);
    expect(session.job.task.description).toBe("work");
    session.push({
      kind: "artifact",
      artifact: { type: "file", path: "a.txt", content: Buffer.from("hello") },
    });
    session.end();
    const task = (await sent) as { id: string; status: { state: TaskState }; artifacts: unknown[] };
    expect(task.status.state).toBe(TaskState.TASK_STATE_COMPLETED);
    expect(task.artifacts).toHaveLength(1);
    const { id } = task;
    expect((await client.getTask({ tenant: "", id })).history).toHaveLength(1);
    const listed = await client.listTasks({
      tenant: "",
      contextId: "",
      status: TaskState.TASK_STATE_COMPLETED,
      pageToken: "",
      statusTimestampAfter: undefined,
    });
    expect(listed.tasks.map((each) => each.id)).toEqual([id]);
    await expect(client.cancelTask({ tenant: "", id, metadata: undefined })).rejects.toThrow(
      /cannot be cancelled/,
    );
    await expect(client.getTask({ tenant: "", id: "nothing" })).rejects.toThrow(/task nothing not found/);
  });

  it("streams, answers a question and subscribes again", async () => {
    const client = await connect();
    const cases: (string | undefined)[] = [];
    let taskId = "";
    for await (const { payload } of client.sendMessageStream(request("work"))) {
      cases.push(payload?.$case);
      if (payload?.$case !== "task") continue;
      taskId = payload.value.id;
      (await stage.driver.session(0)).ask({ id: "q", parts: [{ kind: "text", text: "where?" }] });
    }
    expect(cases[0]).toBe("task");
    expect((await client.getTask({ tenant: "", id: taskId })).status?.state).toBe(
      TaskState.TASK_STATE_INPUT_REQUIRED,
    );
    const watched = client.resubscribeTask({ tenant: "", id: taskId });
    expect((await watched.next()).value?.payload?.$case).toBe("task");
    const answering = client.sendMessage(request("Rome", { taskId }));
    await stage.until(taskId, ({ type }) => type === "question.answered");
    stage.driver.sessions[0]!.end();
    expect(((await answering) as { status: { state: TaskState } }).status.state).toBe(
      TaskState.TASK_STATE_COMPLETED,
    );
    let last: unknown;
    for await (const { payload } of watched) last = payload;
    expect(last).toMatchObject({
      $case: "statusUpdate",
      value: { status: { state: TaskState.TASK_STATE_COMPLETED } },
    });
  });

  it("keeps push configurations", async () => {
    const client = await connect();
    const { run } = await stage.hub.submit({ agent: "worker", task: { description: "work" } });
    const config = {
      tenant: "",
      id: "mine",
      taskId: run.id,
      url: "http://127.0.0.1:9/hook",
      token: "t",
      authentication: { scheme: "Bearer", credentials: "c" },
    };
    expect(await client.createTaskPushNotificationConfig(config)).toMatchObject({
      id: "mine",
      taskId: run.id,
    });
    const one = { tenant: "", taskId: run.id, id: "mine" };
    expect(await client.getTaskPushNotificationConfig(one)).toMatchObject({ url: config.url });
    const listed = { tenant: "", taskId: run.id, pageSize: 0, pageToken: "" };
    expect((await client.listTaskPushNotificationConfig(listed)).configs).toHaveLength(1);
    await client.deleteTaskPushNotificationConfig(one);
    await client.deleteTaskPushNotificationConfig(one);
    expect((await client.listTaskPushNotificationConfig(listed)).configs).toHaveLength(0);
  });
});

describe.each([
  ["JSON-RPC", () => new LegacyJsonRpc()],
  ["HTTP+JSON", () => new LegacyRest()],
])("the official client of 0.3 over %s", { timeout: HANG_MS }, (_, transport) => {
  const connect = (): Promise<LegacyClient> =>
    new LegacyFactory({ transports: [transport()] }).createFromUrl(stage.url + CARD, "");
  const message = (text: string, more = {}) => ({
    message: {
      kind: "message" as const,
      messageId: randomUUID(),
      role: "user" as const,
      parts: [{ kind: "text" as const, text }],
      ...more,
    },
  });

  it("sends, reads and cancels", async () => {
    const client = await connect();
    const sent = client.sendMessage(message("work"));
    const session = await stage.driver.session(0);
    session.push({
      kind: "artifact",
      artifact: { type: "file", path: "a.txt", content: Buffer.from("hello") },
    });
    session.end();
    const task = await sent;
    expect(task).toMatchObject({
      kind: "task",
      status: { state: "completed" },
      artifacts: [{ name: "a.txt" }],
    });
    const { id } = task as { id: string };
    expect(await client.getTask({ id })).toMatchObject({ id, history: [{ role: "user" }] });
    await expect(client.getTask({ id: "nothing" })).rejects.toThrow(/not found/i);
    await expect(client.cancelTask({ id })).rejects.toThrow(/cannot be cancel/i);
  });

  it("streams and subscribes again", async () => {
    const client = await connect();
    const kinds: string[] = [];
    let last: unknown;
    for await (const event of client.sendMessageStream(message("work"))) {
      kinds.push(event.kind);
      last = event;
      if (event.kind !== "task") continue;
      const session = await stage.driver.session(0);
      session.push({
        kind: "message",
        message: { id: "m", role: "agent", parts: [{ kind: "text", text: "hi" }] },
      });
      session.end();
    }
    expect(kinds[0]).toBe("task");
    expect(last).toMatchObject({ kind: "status-update", final: true, status: { state: "completed" } });
    const { run } = await stage.hub.submit({ agent: "worker", task: { description: "more" } });
    const watched = client.resubscribeTask({ id: run.id });
    expect(await watched.next()).toMatchObject({ value: { kind: "task", id: run.id } });
    (await stage.driver.session(1)).end();
    for await (const event of watched) last = event;
    expect(last).toMatchObject({ final: true });
    const unknown = client.resubscribeTask({ id: "nothing" });
    await expect(unknown.next()).rejects.toThrow(/not found/i);
  });

  it("keeps push configurations", async () => {
    const client = await connect();
    const { run } = await stage.hub.submit({ agent: "worker", task: { description: "work" } });
    const pushNotificationConfig = { id: "mine", url: "http://127.0.0.1:9/hook", token: "t" };
    await client.setTaskPushNotificationConfig({ taskId: run.id, pushNotificationConfig });
    const one = { id: run.id, pushNotificationConfigId: "mine" };
    expect(await client.getTaskPushNotificationConfig(one)).toMatchObject({
      taskId: run.id,
      pushNotificationConfig: { url: pushNotificationConfig.url },
    });
    expect(await client.listTaskPushNotificationConfig({ id: run.id })).toHaveLength(1);
    await client.deleteTaskPushNotificationConfig(one);
    expect(await stage.rpc("ListTaskPushNotificationConfigs", { taskId: run.id })).toMatchObject({
      result: { configs: [] },
    });
    // Without an id it has the task's, by which clients of 0.3 find it that name none.
    const { url } = pushNotificationConfig;
    const unnamed = await client.setTaskPushNotificationConfig({
      taskId: run.id,
      pushNotificationConfig: { url },
    });
    expect(unnamed.pushNotificationConfig.id).toBe(run.id);
  });
});
