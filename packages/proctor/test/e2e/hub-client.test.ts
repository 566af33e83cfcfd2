// The SDK's client against a real hub's task API: the work of a client, the work of an agent, and a hub that goes away meanwhile.
import { createServer, connect, type Server, type Socket } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { createHubClient, type HubClient, type TaskEvent } from "../../../../sdk/typescript/src/client.ts";
import { openApiServer, type ApiServer } from "../support/agent-protocol/api-server.ts";
import { createScriptedDriver } from "../support/scripted-driver.ts";

let server: ApiServer;
let proxy: { url: string; cut: () => void; close: () => Promise<void> } | undefined;

afterEach(async () => {
  await proxy?.close();
  proxy = undefined;
  await server.close();
  expect(server.reports).toEqual([]);
});

async function open(): Promise<HubClient> {
  server = await openApiServer();
  return createHubClient({ url: server.url });
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const seen: T[] = [];
  for await (const item of items) seen.push(item);
  return seen;
}

describe("the client on a real hub", () => {
  it("does a task: steps, files, the end, and everything is told", async () => {
    const hub = await open();
    const created = await hub.tasks.create({ task: "report", additional_input: { year: 2024 } });
    const step = await hub.steps.add(created.id, { name: "Analyze", input: { dataset: "sales.csv" } });
    await hub.steps.change(created.id, step.step_id, { status: "running" });
    const upload = { name: 'größe "1".txt', relativePath: "reports", contentType: "text/plain" };
    const streamed = new Blob(["hello ", "world"]).stream();
    const file = await hub.artifacts.upload(created.id, step.step_id, { ...upload, content: streamed });
    const plain = await hub.artifacts.upload(created.id, step.step_id, { ...upload, content: "hello world" });
    expect(file).toMatchObject({ mime_type: "text/plain", size_bytes: 11, agent_created: false });
    expect([plain.file_name, plain.relative_path]).toEqual([file.file_name, file.relative_path]);
    const download = await hub.artifacts.download(created.id, step.step_id, file.artifact_id);
    expect(download).toMatchObject({ fileName: file.file_name, contentType: "text/plain", sizeBytes: 11 });
    expect(await download.text()).toBe("hello world");
    expect(await all(hub.artifacts.list(created.id, step.step_id))).toEqual([file, plain]);
    await hub.artifacts.delete(created.id, step.step_id, plain.artifact_id);
    expect((await hub.tasks.pause(created.id)).status).toBe("paused");
    expect((await hub.tasks.resume(created.id)).status).toBe("running");
    const done = { status: "completed", output: { rise: 15 }, is_last: true } as const;
    expect(await hub.steps.change(created.id, step.step_id, done)).toMatchObject(done);
    expect(await all(hub.steps.list(created.id))).toHaveLength(1);
    const task = await hub.tasks.get(created.id);
    expect(task).toMatchObject({ status: "completed", additional_input: { year: 2024 } });
    const events = await all(hub.events(created.id));
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index));
    expect(events.map(({ type }) => type)).toEqual([
      "task.created",
      "task.started",
      "step.created",
      "step.started",
      "artifact.created",
      "artifact.created",
      "artifact.deleted",
      "task.paused",
      "task.resumed",
      "step.completed",
      "task.completed",
    ]);
    expect(await all(hub.events(created.id, { since: 8 }))).toEqual(events.slice(9));
    await expect(hub.tasks.cancel(created.id)).rejects.toMatchObject({ code: "ILLEGAL_TRANSITION" });
    await hub.tasks.delete(created.id);
    await expect(hub.tasks.get(created.id)).rejects.toMatchObject({ status: 404, code: "TASK_NOT_FOUND" });
  });

  it("lists all tasks, and creates one once for one key", async () => {
    const hub = await open();
    const ids: string[] = [];
    for (let index = 0; index < 7; index += 1) ids.unshift((await hub.tasks.create({ task: `${index}` })).id);
    const again = { idempotencyKey: "k" };
    const one = await hub.tasks.create({ task: "once" }, again);
    expect((await hub.tasks.create({ task: "once" }, again)).id).toBe(one.id);
    const listed = await all(hub.tasks.list({ pageSize: 3 }));
    expect(listed.map(({ task_id }) => task_id)).toEqual([one.id, ...ids]);
    expect((await hub.tasks.page({ page: 2, pageSize: 3 })).pagination).toMatchObject({ total: 8, page: 2 });
  });

  it("misses nothing of a task when its connection is cut again and again", async () => {
    const direct = await open();
    proxy = await openProxy(new URL(server.url));
    const { cut } = proxy;
    const hub = createHubClient({ url: proxy.url });
    const { id } = await direct.tasks.create({ task: "long" });
    const seen: TaskEvent[] = [];
    let cuts = 0;
    const following = (async () => {
      for await (const event of hub.events(id, { onReconnect: () => (cuts += 1) })) {
        seen.push(event);
        if (event.type === "step.created") cut();
        if (event.type === "step.created")
          await direct.steps.change(id, event.step_id ?? "", {
            status: "completed",
            is_last: seen.length > 6,
          });
        if (event.type === "step.completed" && seen.length <= 6) await direct.steps.add(id);
      }
    })();
    await direct.steps.add(id);
    await following;
    expect(cuts).toBeGreaterThan(0);
    expect(seen).toEqual(await all(direct.events(id)));
    expect(seen.at(-1)?.type).toBe("task.completed");
  });

  it("follows an agent, and stops it", async () => {
    const driver = createScriptedDriver();
    server = await openApiServer({ driver, defaultAgent: "atp+stdio:scripted" });
    const hub = createHubClient({ url: server.url });
    const { id } = await hub.tasks.create({ task: "work" });
    const types: string[] = [];
    for await (const event of hub.events(id)) {
      types.push(event.type);
      if (event.type === "task.started")
        expect(await hub.tasks.cancel(id)).toMatchObject({ status: "cancelled" });
    }
    expect(types[0]).toBe("task.created");
    expect(types.at(-1)).toBe("task.cancelled");
  });
});

/** Passes bytes on, and hangs up on everybody when told. */
async function openProxy(target: URL): Promise<NonNullable<typeof proxy>> {
  const sockets = new Set<Socket>();
  const tcp: Server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on("error", () => undefined);
      socket.on("close", () => {
        sockets.delete(socket);
        client.destroy();
        upstream.destroy();
      });
    }
    client.pipe(upstream).pipe(client);
  });
  await new Promise<void>((resolve) => {
    tcp.listen(0, "127.0.0.1", resolve);
  });
  const address = tcp.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  const cut = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: `http://127.0.0.1:${address.port}`,
    cut,
    close: () => {
      cut();
      return new Promise((resolve) => tcp.close(() => resolve()));
    },
  };
}
