// Push notifications: what receivers get, in each version's form, and what is kept of them.
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { HANG_MS, eventually } from "../../../../test/support/eventually.ts";
import {
  legacyMessage,
  openHubStage,
  userMessage,
  type HubStage,
} from "../../../../test/support/a2a/hub-stage.ts";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";

const FOLDER = temporaryFolder("a2a-push");
const NOW = { returnImmediately: true };

interface Got {
  path: string;
  headers: IncomingHttpHeaders;
  // The tests look inside.
  // oxlint-disable-next-line typescript/no-explicit-any
  body: any;
}

let stage: HubStage;
let receiver: Server;
let url: string;
let got: Got[];
let answer: () => number;

beforeEach(async () => {
  got = [];
  answer = () => 200;
  receiver = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const status = answer();
      if (status < 300)
        got.push({
          path: request.url ?? "",
          headers: request.headers,
          body: JSON.parse(Buffer.concat(chunks).toString()),
        });
      response.writeHead(status).end();
    });
  });
  receiver.listen(0, "127.0.0.1");
  await once(receiver, "listening");
  // A server on a port has an address with a port.
  url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
  stage = await openHubStage({ folder: FOLDER });
});
afterEach(async () => {
  await stage.close();
  receiver.closeAllConnections();
  receiver.close();
});

const states = (path = "/1"): string[] =>
  got
    .filter((each) => each.path === path)
    .flatMap(({ body }) => body.statusUpdate?.status.state ?? body.status?.state ?? []);

describe("push notifications of a task", { timeout: HANG_MS }, () => {
  it("are the events of its stream in 1.0, whole texts only, with the credentials of their receiver", async () => {
    const config = {
      url: `${url}/1`,
      token: "tok",
      authentication: { scheme: "Bearer", credentials: "cred" },
    };
    const { result } = await stage.rpc("SendMessage", {
      message: userMessage("work"),
      configuration: { ...NOW, taskPushNotificationConfig: config },
    });
    const session = await stage.driver.session(0);
    session.push(
      { kind: "text", messageId: "m", part: 0, text: "Hel", last: false },
      { kind: "text", messageId: "m", part: 1, text: "lo", last: true },
      { kind: "artifact", artifact: { type: "structured", name: "n", data: 1 } },
    );
    session.end();
    await eventually(() => expect(states().at(-1)).toBe("TASK_STATE_COMPLETED"));
    expect(states()[0]).toBe("TASK_STATE_WORKING");
    const said = got.flatMap(({ body }) => body.statusUpdate?.status.message?.parts ?? []);
    expect(said.slice(0, 2)).toEqual([{ text: "Hel" }, { text: "lo" }]);
    expect(got.flatMap(({ body }) => body.statusUpdate?.status.message ?? [])).toHaveLength(1);
    expect(got.filter(({ body }) => body.artifactUpdate)).toHaveLength(1);
    for (const { headers, body } of got) {
      expect(headers).toMatchObject({
        "content-type": "application/a2a+json",
        authorization: "Bearer cred",
        "x-a2a-notification-token": "tok",
        "x-proctor-signature": expect.stringMatching(/^t=\d+,v1=/),
      });
      expect((body.statusUpdate ?? body.artifactUpdate).taskId).toBe(result.task.id);
    }
  });

  it("are the whole task in 0.3", async () => {
    const { result } = await stage.rpc("message/send", {
      message: legacyMessage("work"),
      configuration: { blocking: false, pushNotificationConfig: { url: `${url}/1`, token: "tok" } },
    });
    expect(result.kind).toBe("task");
    (await stage.driver.session(0)).end();
    await eventually(() => expect(states().at(-1)).toBe("completed"));
    expect(got.at(-1)).toMatchObject({
      headers: { "content-type": "application/json", "x-a2a-notification-token": "tok" },
      body: { kind: "task", id: result.id, status: { state: "completed" }, history: [{ role: "user" }] },
    });
  });

  it("go to every receiver, and to none that was taken back", async () => {
    const { result } = await stage.rpc("SendMessage", { message: userMessage("work"), configuration: NOW });
    const taskId = result.task.id;
    const session = await stage.driver.session(0);
    for (const id of ["1", "2", "3"])
      await stage.rpc("CreateTaskPushNotificationConfig", { taskId, id, url: `${url}/${id}` });
    await stage.rpc("DeleteTaskPushNotificationConfig", { taskId, id: "2" });
    session.ask({ id: "q" });
    await eventually(() => {
      expect(states("/1")).toEqual(["TASK_STATE_INPUT_REQUIRED"]);
      expect(states("/3")).toEqual(["TASK_STATE_INPUT_REQUIRED"]);
    });
    session.end();
    await eventually(() => expect(states("/3").at(-1)).toBe("TASK_STATE_COMPLETED"));
    await eventually(() => expect(states("/1").at(-1)).toBe("TASK_STATE_COMPLETED"));
    expect(states("/2")).toEqual([]);
  });

  it("and their configurations outlive a restart of the hub, and secrets are not written down", async () => {
    answer = () => 503;
    const { result } = await stage.rpc("SendMessage", { message: userMessage("work"), configuration: NOW });
    const taskId = result.task.id;
    // Its receiver is not told that it works: that has happened before.
    const session = await stage.driver.session(0);
    const config = { taskId, id: "p", url: `${url}/1`, token: "s3cret-token" };
    expect((await stage.rpc("CreateTaskPushNotificationConfig", config)).result).toMatchObject(config);
    session.end();
    await stage.ended(taskId);
    // Progress is written to another file first, which may be there at this moment, and gone at the next.
    const files = (await readdir(join(FOLDER, "webhooks"))).filter((name) => name.endsWith(".json"));
    for (const name of files)
      expect(await readFile(join(FOLDER, "webhooks", name), "utf8")).not.toContain("s3cret");
    await stage.close();
    answer = () => 200;
    stage = await openHubStage({ folder: FOLDER });
    await eventually(() => expect(states()).toEqual(["TASK_STATE_COMPLETED"]));
    // Everything was sent; the configuration can still be read and deleted.
    const kept = await stage.rpc("ListTaskPushNotificationConfigs", { taskId });
    expect(kept.result.configs).toMatchObject([config]);
    await stage.rpc("DeleteTaskPushNotificationConfig", { taskId, id: "p" });
    expect((await stage.rpc("GetTaskPushNotificationConfig", { taskId, id: "p" })).error.code).toBe(-32001);
    const left = await readdir(join(FOLDER, "webhooks"));
    expect(left.filter((name) => name.startsWith(taskId))).toEqual([]);
  });

  it("follow the task into its next attempt", async () => {
    const { run } = await stage.hub.submit({
      agent: "worker",
      task: { description: "try" },
      retry: { max_attempts: 2, initial_delay_ms: 1, on: ["AGENT_FAILED"] },
    });
    await stage.rpc("CreateTaskPushNotificationConfig", { taskId: run.id, id: "p", url: `${url}/1` });
    (await stage.driver.session(0)).end("failed", { failure: { code: "AGENT_FAILED", message: "no" } });
    (await stage.driver.session(1)).end();
    await eventually(() => expect(states().at(-1)).toBe("TASK_STATE_COMPLETED"));
    expect(states()).not.toContain("TASK_STATE_FAILED");
    expect(got.every(({ body }) => body.statusUpdate.taskId === run.id)).toBe(true);
  });

  it.each([
    ["a private address", { url: "http://10.0.0.1/hook" }, -32602],
    ["no address", { url: "nowhere" }, -32602],
    ["a header in a token", { url: "https://x.example/", token: "a\r\nevil: 1" }, -32602],
    [
      "a header in credentials",
      { url: "https://x.example/", authentication: { scheme: "Bearer", credentials: "a\nb" } },
      -32602,
    ],
    ["no scheme", { url: "https://x.example/", authentication: { scheme: "a b" } }, -32602],
  ])("are refused for %s", async (_, config, code) => {
    const { run } = await stage.hub.submit({ agent: "worker", task: { description: "work" } });
    const { error } = await stage.rpc("CreateTaskPushNotificationConfig", { taskId: run.id, ...config });
    expect(error.code).toBe(code);
    expect((await stage.rpc("ListTaskPushNotificationConfigs", { taskId: run.id })).result.configs).toEqual(
      [],
    );
  });

  it("are refused for a task of another agent, and beyond a limit", async () => {
    await stage.hub.addAgent(
      { name: "other", protocol: "atp", transport: "stdio", command: ["other"] },
      { replace: true },
    );
    const { run } = await stage.hub.submit({ agent: "other", task: { description: "mine" } });
    const config = { taskId: run.id, url: `${url}/1` };
    expect((await stage.rpc("CreateTaskPushNotificationConfig", config)).error.code).toBe(-32001);
    expect((await stage.rpc("ListTaskPushNotificationConfigs", config)).error.code).toBe(-32001);
    const mine = await stage.hub.submit({ agent: "worker", task: { description: "mine" } });
    const replies = [];
    for (let count = 0; count <= 20; count++)
      replies.push(
        await stage.rpc("CreateTaskPushNotificationConfig", { taskId: mine.run.id, url: `${url}/1` }),
      );
    expect(replies.filter(({ error }) => error === undefined)).toHaveLength(20);
    expect(replies.at(-1).error).toMatchObject({ data: [{ reason: "RESOURCE_EXHAUSTED" }] });
  });

  it("are not promised by the card of a hub that sends none", async () => {
    await stage.close();
    stage = await openHubStage({ folder: FOLDER, push: false });
    const { body } = await stage.send("GET", "/.well-known/agent-card.json");
    expect(body.capabilities.pushNotifications).toBeUndefined();
    const { error } = await stage.rpc("ListTaskPushNotificationConfigs", { taskId: "t" });
    expect(error.code).toBe(-32003);
  });
});
