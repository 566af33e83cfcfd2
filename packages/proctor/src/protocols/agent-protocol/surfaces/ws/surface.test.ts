// Document 003, "WebSocket Events", over a real socket, server, hub and store.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { uuidV7 } from "../../../../core/id.ts";
import type { ClientDraft } from "../../../../core/ports/hub.ts";
import {
  closeClean,
  eventsOf,
  openStage,
  seqsOf,
  type Stage,
  type StageOptions,
} from "../../../../../test/support/agent-protocol/surfaces-server.ts";

let stage: Stage;

async function open(options?: StageOptions): Promise<void> {
  stage = await openStage(options);
}

afterEach(() => closeClean(stage));

async function newTask(description = "do it"): Promise<string> {
  const { run } = await stage.hub.openClientRun({ task: { description } });
  return run.id;
}

function added(id: string): ClientDraft {
  return { type: "step.added", payload: { step_id: id, name: "s", input: { a: 1 }, additional_input: {} } };
}

/** So many steps, which make two events each. */
async function work(task: string, steps: number): Promise<void> {
  await stage.hub.tell(task, () =>
    Array.from({ length: steps }, (): ClientDraft[] => {
      const id = uuidV7();
      return [added(id), { type: "step.changed", payload: { step_id: id, status: "completed" } }];
    }).flat(),
  );
}

async function bytes(text: string): Promise<AsyncIterable<Uint8Array>> {
  return (async function* () {
    yield Buffer.from(text);
  })();
}

async function upload(task: string, stepId?: string) {
  return stage.hub.addFile(task, {
    fileName: "report.txt",
    relativePath: "out/report.txt",
    contentType: "text/plain",
    maxBytes: 1000,
    content: await bytes("hello"),
    ...(stepId !== undefined && { stepId }),
  });
}

const range = (from: number, to: number): number[] =>
  Array.from({ length: to - from }, (_, index) => from + index);

describe("a client of /ws", () => {
  it("is greeted, and told all that happens to a task it subscribed to", async () => {
    await open();
    const task = await newTask();
    const client = await stage.connect();
    const stamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    expect(await client.until(() => true)).toEqual({ type: "connected", timestamp: stamp });
    expect(await client.subscribe(task)).toEqual({
      type: "subscribed",
      agentId: task,
      task_id: task,
      seq: 1,
      timestamp: stamp,
    });
    const step = uuidV7();
    const { hub } = stage;
    await hub.tell(task, () => [added(step)]);
    await hub.tell(task, () => [{ type: "step.changed", payload: { step_id: step, status: "running" } }]);
    await hub.tell(task, () => [{ type: "step.changed", payload: { step_id: step, output: "half" } }]);
    await hub.pause(task);
    await hub.resume(task);
    const artifact = await upload(task, step);
    await hub.tell(task, () => [
      {
        type: "step.changed",
        payload: { step_id: step, status: "completed", output: "done", is_last: true },
      },
    ]);
    await client.until(({ type }) => type === "task.completed");
    expect(
      eventsOf(client.told, task).map(({ type, step_id, artifact_id }) => [type, step_id, artifact_id]),
    ).toEqual([
      ["step.created", step, undefined],
      ["step.started", step, undefined],
      ["step.running", step, undefined],
      ["task.paused", undefined, undefined],
      ["task.resumed", undefined, undefined],
      ["artifact.created", step, artifact.id],
      ["step.completed", step, undefined],
      ["task.completed", undefined, undefined],
    ]);
    expect(seqsOf(client.told, task)).toEqual(range(2, 10));
    const [first] = eventsOf(client.told, task);
    expect(first).toEqual({
      type: "step.created",
      task_id: task,
      step_id: step,
      data: expect.objectContaining({ step_id: step, status: "created", input: { a: 1 } }),
      timestamp: stamp,
      seq: 2,
    });
  });

  it("is told what an agent does, its failure, and that it was cancelled", async () => {
    await open();
    const client = await stage.connect();
    const submitted = async (description: string): Promise<string> =>
      (await stage.hub.submit({ agent: "atp+stdio:x", task: { description } })).run.id;
    const failing = await submitted("fail");
    await client.subscribe(failing, -1);
    const session = await stage.driver.session(0);
    session.event("tool_call", { tool: "search", status: "success" });
    session.push({ kind: "event", event: { type: "log", payload: { stream: "stdout", text: "a line" } } });
    session.end("failed");
    await client.until(({ type }) => type === "task.failed");
    const types = eventsOf(client.told, failing).map(({ type }) => type);
    expect(types.slice(0, 4)).toEqual(["task.created", "task.started", "step.created", "step.completed"]);
    expect(types).toContain("log");
    const cancelled = await submitted("cancel");
    await client.subscribe(cancelled);
    await stage.driver.session(1);
    await stage.hub.cancel(cancelled);
    (await stage.driver.session(1)).end("cancelled");
    await client.until(({ type }) => type === "task.cancelled");
  });

  it("is told of files that come after the end, and of the deletion", async () => {
    await open();
    const task = await newTask();
    await stage.hub.tell(task, () => [{ type: "run.ended", payload: { status: "completed" } }]);
    const client = await stage.connect();
    await client.subscribe(task);
    const artifact = await upload(task);
    expect(await client.until(({ type }) => type === "artifact.created")).toMatchObject({
      artifact_id: artifact.id,
      seq: 3,
    });
    await stage.hub.remove(task);
    expect(await client.until(({ type }) => type === "task.deleted")).not.toHaveProperty("seq");
  });

  it("is told only what it subscribed to, and nothing more when it unsubscribes", async () => {
    await open();
    const [mine, other] = [await newTask(), await newTask()];
    const client = await stage.connect();
    await client.subscribe(mine);
    await work(other, 3);
    await work(mine, 3);
    await client.until(({ seq }) => seq === 7);
    expect(eventsOf(client.told, other)).toEqual([]);
    client.say({ type: "unsubscribe", agentId: mine });
    expect(await client.until(({ type }) => type === "unsubscribed")).toMatchObject({
      agentId: mine,
      task_id: mine,
    });
    await work(mine, 1);
    await client.settled();
    expect(seqsOf(client.told, mine)).toEqual(range(2, 8));
  });

  it("answers ping with pong", async () => {
    await open();
    const client = await stage.connect();
    client.say({ type: "ping" });
    expect(await client.until(({ type }) => type === "pong")).toHaveProperty("timestamp");
    client.say({ type: "pong" });
    await client.settled();
    expect(client.told.map(({ type }) => type)).toEqual(["connected", "pong", "pong"]);
  });
});

describe("since on /ws", () => {
  it.each([
    ["all of a short log", 10, -1],
    ["the end of a long log", 900, 1795],
    ["all of a log that is longer than what is kept at hand", 900, -1],
  ])("replays %s, then follows without a gap or a repeat", async (_what, steps, since) => {
    await open();
    const task = await newTask();
    await work(task, steps);
    const client = await stage.connect();
    const last = 1 + 2 * steps;
    // Written while it is replayed.
    const writing = work(task, 20);
    const { seq } = await client.subscribe(task, since);
    expect(seq).toBeGreaterThanOrEqual(last);
    await writing;
    await work(task, 20);
    await client.until((frame) => frame.seq === last + 80 && frame.type !== "subscribed");
    expect(seqsOf(client.told, task)).toEqual(range(since + 1, last + 81));
  });

  it("means the same after a restart of the hub", async () => {
    const folder = await mkdtemp(join(tmpdir(), "proctor-ws-"));
    try {
      await open({ folder });
      const task = await newTask();
      await work(task, 40);
      const before = await stage.connect();
      await before.subscribe(task, -1);
      await before.until(({ seq, type }) => seq === 81 && type !== "subscribed");
      await stage.close();
      await open({ folder });
      const client = await stage.connect();
      await client.subscribe(task, 40);
      await client.until(({ seq, type }) => seq === 81 && type !== "subscribed");
      expect(eventsOf(client.told, task)).toEqual(eventsOf(before.told, task).slice(41));
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  it("beyond the last event is refused, and the socket stays as it was", async () => {
    await open();
    const task = await newTask();
    const client = await stage.connect();
    await client.subscribe(task);
    client.say({ type: "subscribe", agentId: task, since: 2 });
    expect(await client.until(({ type }) => type === "error")).toMatchObject({
      code: "INVALID_REQUEST",
      message: "since is 2, but the last event of this task has seq 1",
      task_id: task,
    });
    await work(task, 1);
    await client.until(({ seq, type }) => seq === 3 && type !== "subscribed");
    expect(seqsOf(client.told, task)).toEqual([2, 3]);
  });

  it("begins again where it is asked to when a client subscribes twice", async () => {
    await open();
    const task = await newTask();
    await work(task, 2);
    const client = await stage.connect();
    await client.subscribe(task, 2);
    await client.subscribe(task, 1);
    await work(task, 1);
    await client.until(({ seq, type }) => seq === 7 && type !== "subscribed");
    expect(seqsOf(client.told, task)).toEqual([3, 4, 5, 2, 3, 4, 5, 6, 7]);
  });
});

describe("a subscription to * on /ws", () => {
  it("shows new tasks and all that happens to any, once even to clients that also named it", async () => {
    await open();
    const old = await newTask("old");
    await work(old, 2);
    const client = await stage.connect();
    expect(await client.subscribe("*")).toEqual({
      type: "subscribed",
      agentId: "*",
      task_id: "*",
      timestamp: expect.any(String),
    });
    await client.subscribe(old);
    const fresh = await newTask("fresh");
    await work(old, 1);
    await work(fresh, 1);
    await client.until(({ task_id, seq }) => task_id === fresh && seq === 3);
    await client.until(({ task_id, seq, type }) => task_id === old && seq === 7 && type !== "subscribed");
    expect(eventsOf(client.told, fresh).map(({ type }) => type)).toEqual([
      "task.created",
      "task.started",
      "step.created",
      "step.completed",
    ]);
    expect(seqsOf(client.told, fresh)).toEqual([0, 1, 2, 3]);
    expect(seqsOf(client.told, old)).toEqual([6, 7]);
    client.say({ type: "unsubscribe", agentId: "*" });
    await client.settled();
    await work(fresh, 1);
    await client.settled();
    expect(seqsOf(client.told, fresh)).toEqual([0, 1, 2, 3]);
    await stage.hub.remove(fresh);
    await client.settled();
    expect(client.told.some(({ type }) => type === "task.deleted")).toBe(false);
  });

  it("shows a file after the end, and deletions", async () => {
    await open();
    const task = await newTask();
    const client = await stage.connect();
    await client.subscribe("*");
    await stage.hub.tell(task, () => [{ type: "run.ended", payload: { status: "completed" } }]);
    await client.until(({ type }) => type === "task.completed");
    await upload(task);
    await client.until(({ type }) => type === "artifact.created");
    await stage.hub.remove(task);
    await client.until(({ type }) => type === "task.deleted");
    expect(seqsOf(client.told, task)).toEqual([2, 3, undefined]);
  });
});

describe("/ws defends itself", () => {
  it("says what is wrong with a frame and goes on; too many of them end the socket with 1008", async () => {
    await open({ limits: { maxMalformed: 4 } });
    const client = await stage.connect();
    for (const frame of ["garbage", "[]", '{"type":"shout"}']) client.say(frame);
    await client.settled();
    expect(client.told.filter(({ type }) => type === "error")).toHaveLength(3);
    expect(client.told.find(({ type }) => type === "error")).toEqual({
      type: "error",
      error: "Bad Request",
      code: "INVALID_REQUEST",
      message: "the frame is not valid JSON in UTF-8",
      timestamp: expect.any(String),
    });
    client.say("x".repeat(5000));
    expect(await client.closed).toBe(1008);
  });

  it("does not count a task that is not there as malformed", async () => {
    await open({ limits: { maxMalformed: 1 } });
    const client = await stage.connect();
    client.say({ type: "subscribe", agentId: "nobody" });
    expect(await client.until(({ type }) => type === "error")).toMatchObject({
      error: "Not Found",
      code: "TASK_NOT_FOUND",
      message: "there is no task nobody",
      task_id: "nobody",
    });
    await client.settled();
  });

  it("takes no more subscriptions than the limit, and room comes back with unsubscribe", async () => {
    await open({ limits: { maxSubscriptions: 2 } });
    const tasks = [await newTask(), await newTask(), await newTask()] as const;
    const client = await stage.connect();
    await client.subscribe(tasks[0]);
    await client.subscribe(tasks[1]);
    client.say({ type: "subscribe", agentId: tasks[2] });
    expect(await client.until(({ type }) => type === "error")).toMatchObject({ task_id: tasks[2] });
    client.say({ type: "unsubscribe", agentId: tasks[0] });
    await client.subscribe(tasks[2]);
  });

  it("drops a reader that does not keep up with 4008, and tells the others everything", async () => {
    await open({ limits: { maxWaitingChars: 64 * 1024 } });
    const task = await newTask();
    const [slow, fast] = [await stage.connect(), await stage.connect()];
    await slow.subscribe(task);
    await fast.subscribe(task);
    slow.ws.pause();
    // More than sockets hold by themselves, in steps that the one who reads can follow.
    const output = "x".repeat(256 * 1024);
    const step = uuidV7();
    await stage.hub.tell(task, () => [added(step)]);
    for (let seq = 3; seq < 60; seq += 1) {
      await stage.hub.tell(task, () => [
        { type: "step.changed", payload: { step_id: step, status: "running", output: output + String(seq) } },
      ]);
      await fast.until((frame) => frame.seq === seq && frame.type !== "subscribed");
    }
    slow.ws.resume();
    // On a machine so slow that the reader misses the end of the closing handshake, the socket is cut: 1006.
    expect([4008, 1006]).toContain(await slow.closed);
    const seen = seqsOf(slow.told, task).length;
    expect(seen).toBeLessThan(58);
    // It comes back with the last it saw, and has missed nothing.
    const again = await stage.connect();
    await again.subscribe(task, seen + 1);
    await again.until((frame) => frame.seq === 59 && frame.type !== "subscribed");
    expect([...seqsOf(slow.told, task), ...seqsOf(again.told, task)]).toEqual(range(2, 60));
    expect(seqsOf(fast.told, task)).toEqual(range(2, 60));
  });

  it("survives garbage from many sockets at once", async () => {
    await open();
    const clients = await Promise.all(Array.from({ length: 50 }, () => stage.connect()));
    for (const { ws } of clients) {
      for (let index = 0; index < 200; index += 1)
        ws.send(`{"type":"subscribe","agentId":${"[".repeat(index)}`);
    }
    const codes = await Promise.all(clients.map(({ closed }) => closed));
    expect(new Set(codes)).toEqual(new Set([1008]));
    await (await stage.connect()).settled();
  });

  it("closes with 1003 after binary frames and with 1009 after too much", async () => {
    await open({ maxMessageBytes: 10_000 });
    const [binary, large] = [await stage.connect(), await stage.connect()];
    binary.ws.send(Buffer.from("{}"));
    large.ws.send("x".repeat(20_000));
    expect([await binary.closed, await large.closed]).toEqual([1003, 1009]);
  });

  it("refuses a foreign Origin, another path, and a plain request", async () => {
    await open();
    const socketUrl = stage.url.replace("http", "ws");
    const refused = (path: string, options = {}): Promise<number | undefined> =>
      new Promise((resolve) => {
        const ws = new WebSocket(`${socketUrl}${path}`, options);
        ws.on("error", () => undefined);
        ws.on("unexpected-response", (_request, response) => resolve(response.statusCode));
      });
    expect(await refused("/ws", { origin: "https://evil.example" })).toBe(403);
    expect(await refused("/ws/more")).toBe(404);
    const plain = await fetch(`${stage.url}/ws`);
    expect(plain.status).toBe(426);
    expect(await plain.json()).toMatchObject({
      code: "UPGRADE_REQUIRED",
      message: "this is a WebSocket\nconnect with ws://",
    });
  });

  it("tells its clients with 1001 that the hub stops", async () => {
    await open();
    const client = await stage.connect();
    await client.settled();
    stage.stop();
    expect(await client.closed).toBe(1001);
  });
});
