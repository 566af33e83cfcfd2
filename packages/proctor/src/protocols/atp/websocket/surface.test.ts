import { randomUUID } from "node:crypto";
import { assert, json, oneof, property, string } from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { readClientFrame } from "./client-frame.ts";
import {
  createExecutionsDouble,
  serveSurface,
  type Message,
} from "../../../../test/support/atp/websocket-executions.ts";

const opened: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of opened.splice(0)) await close();
});

async function start() {
  const executions = createExecutionsDouble();
  const server = await serveSurface(executions);
  opened.push(() => server.close());
  return { executions, ...server };
}

const request = (task_id: string, description = "do it") => ({
  version: "1.0",
  task_id,
  task: { description },
});
const responseOf = (id: string) => (message: Message) => message["task_id"] === id && "status" in message;

describe("tasks on a socket", () => {
  it("are sent from their first event to their response, each under its own id", async () => {
    const { executions, connect } = await start();
    const client = await connect();
    client.send(request("a"));
    client.send(request("b"));
    await expect.poll(() => executions.runs.length).toBe(2);
    const [a, b] = executions.runs;
    a?.event({ step: 1 });
    b?.event({ step: 1 });
    b?.end();
    a?.event({ step: 2 });
    a?.end("failed");
    expect(await client.next(responseOf("a"))).toMatchObject({ status: "failed" });
    expect(await client.next(responseOf("b"))).toMatchObject({ status: "completed" });
    const events = client.received
      .filter(({ task_id }) => task_id === "a")
      .map(({ sequence }) => sequence as number);
    expect(events).toEqual([0, 1]);
    expect(client.received).toHaveLength(3);
  });

  it("are refused with the reason, and the socket goes on", async () => {
    const { connect } = await start();
    const client = await connect("/none/ws");
    client.send(request("a"));
    expect(await client.next()).toMatchObject({
      task_id: "a",
      status: "failed",
      error_code: "INVALID_REQUEST",
      error_details: { code: "AGENT_NOT_FOUND" },
    });
    client.send({ task_id: "b" });
    expect(await client.next()).toMatchObject({ task_id: "b", error_code: "INVALID_REQUEST" });
  });

  it("with the id of one that still runs are refused; later the id is free again", async () => {
    const { executions, connect } = await start();
    const client = await connect();
    executions.onStart = (run) => run.event({ first: true });
    client.send(request("a"));
    client.send(request("a"));
    expect(await client.next(responseOf("a"))).toMatchObject({
      status: "failed",
      error_code: "INVALID_REQUEST",
      error_details: { code: "ILLEGAL_TRANSITION" },
    });
    expect(executions.runs).toHaveLength(1);
    executions.runs[0]?.end();
    expect(await client.next(responseOf("a"))).toMatchObject({ status: "completed" });
    client.send(request("a"));
    await expect.poll(() => executions.runs.length).toBe(2);
  });

  it("may have the same id on two sockets", async () => {
    const { executions, connect } = await start();
    for (const client of [await connect(), await connect()]) client.send(request("a"));
    await expect.poll(() => executions.runs.length).toBe(2);
  });

  it("share the trace of the client only where it has one", async () => {
    const { executions, connect } = await start();
    const traceparent = `00-${"c".repeat(32)}-${"d".repeat(16)}-01`;
    (await connect("/echo/ws", { headers: { traceparent } })).send(request("a"));
    await expect.poll(() => executions.runs.length).toBe(1);
    (await connect()).send(request("b"));
    await expect.poll(() => executions.runs.length).toBe(2);
    const [first, second] = executions.runs.map(({ traceId }) => traceId);
    expect(first).toBe("c".repeat(32));
    expect(second).not.toBe(first);
  });
});

describe("cancel on a socket", () => {
  it("ends a task, whose response still comes", async () => {
    const { executions, connect } = await start();
    const client = await connect();
    client.send(request("a"));
    client.send(request("b"));
    await expect.poll(() => executions.runs.length).toBe(2);
    client.send({ type: "cancel", task_id: "a", reason: "enough" });
    expect(await client.next(responseOf("a"))).toMatchObject({ status: "cancelled" });
    expect(executions.runs.map(({ cancels }) => cancels)).toEqual([["enough"], []]);
  });

  it("reaches a task that is still being started", async () => {
    const { executions, connect } = await start();
    let release = (): void => {};
    executions.gate = new Promise((resolve) => (release = resolve));
    const client = await connect();
    client.send(request("a"));
    client.send({ type: "cancel", task_id: "a" });
    client.send("{}");
    // The answer to the empty frame waits behind nothing: the cancel was read before it.
    release();
    expect(await client.next(responseOf("a"))).toMatchObject({ status: "cancelled" });
  });

  it("that comes too late changes nothing; for a task it never had it is refused", async () => {
    const { executions, connect } = await start();
    executions.onStart = (run) => run.end();
    const client = await connect();
    client.send(request("a"));
    await client.next(responseOf("a"));
    client.send({ type: "cancel", task_id: "a" });
    client.send({ type: "cancel", task_id: "never" });
    expect(await client.next()).toMatchObject({
      task_id: "never",
      error_code: "INVALID_REQUEST",
      error_details: { code: "RUN_NOT_FOUND" },
    });
  });
});

describe("a client that leaves its socket", () => {
  it.each([
    ["/echo/ws", "says goodbye", ["the client disconnected"]],
    ["/echo/ws", "vanishes", ["the client disconnected"]],
    ["/echo/ws?on_disconnect=cancel", "vanishes", ["the client disconnected"]],
    ["/echo/ws?on_disconnect=keep", "vanishes", []],
    ["/echo/ws?on_disconnect=keep", "says goodbye", []],
  ])("on %s and %s: cancels %j", async (path, how, cancels) => {
    const { executions, connect, serving } = await start();
    const client = await connect(path);
    client.send(request("a"));
    await expect.poll(() => executions.runs[0]?.readers).toBe(1);
    if (how === "vanishes") client.ws.terminate();
    else client.ws.close(1000);
    await expect.poll(serving).toBe(0);
    expect(executions.runs[0]?.cancels).toEqual(cancels);
    expect(executions.runs[0]?.readers).toBe(0);
  });

  it("and whose tasks cannot be cancelled is reported", async () => {
    const { executions, connect, serving, reported, failures } = await start();
    const client = await connect();
    client.send(request("a"));
    await expect.poll(() => executions.runs[0]?.readers).toBe(1);
    executions.cancelFailure = new Error("the disk is gone");
    client.ws.terminate();
    await expect.poll(serving).toBe(0);
    expect(reported).toEqual([[executions.cancelFailure, "run-of-a"]]);
    expect(failures).toEqual([]);
  });

  it("comes back and resumes after the last event it has seen", async () => {
    const { executions, connect, serving } = await start();
    const first = await connect("/echo/ws?on_disconnect=keep");
    first.send(request("a"));
    await expect.poll(() => executions.runs.length).toBe(1);
    for (let step = 0; step < 5; step++) executions.runs[0]?.event({ step });
    await first.next(({ sequence }) => sequence === 2);
    first.ws.terminate();
    await expect.poll(serving).toBe(0);
    executions.runs[0]?.event({ step: 5 });
    const second = await connect();
    second.send({ type: "resume", task_id: "a", after: 2 });
    await second.next(({ sequence }) => sequence === 5);
    expect(second.received.map(({ sequence }) => sequence as number)).toEqual([3, 4]);
    executions.runs[0]?.end();
    expect(await second.next(responseOf("a"))).toMatchObject({ status: "completed" });
    const third = await connect();
    third.send({ type: "resume", task_id: "a" });
    await third.next(responseOf("a"));
    expect(third.received).toHaveLength(6);
    third.send({ type: "resume", task_id: "nobody" });
    expect(await third.next(responseOf("nobody"))).toMatchObject({
      error_details: { code: "RUN_NOT_FOUND" },
    });
  });

  it("has what it asked for last started only where its tasks are kept", async () => {
    const { executions, connect, served } = await start();
    for (const [path, count] of [
      ["/echo/ws?on_disconnect=keep", 30],
      ["/echo/ws", 30],
    ] as const) {
      executions.runs = [];
      let release = (): void => {};
      executions.gate = new Promise((resolve) => (release = resolve));
      const client = await connect(path);
      for (let index = 0; index < count; index++) client.send(request(randomUUID()));
      client.ws.close(1000);
      await client.closed;
      release();
      await served();
      const started = executions.runs.length;
      if (path.includes("keep")) expect(started).toBe(count);
      else {
        expect(started).toBeLessThan(count);
        expect(executions.runs.every(({ cancels }) => cancels.length === 1)).toBe(true);
      }
    }
  });
});

describe("frames that are not understood", () => {
  it.each([
    ["no JSON", "{", undefined],
    ["no object", "[]", undefined],
    ["a word", '"hello"', undefined],
    ["nothing", "", undefined],
    ["too deep", `{"task_id":"a","x":${"[".repeat(5000)}${"]".repeat(5000)}}`, undefined],
    ["an unknown type", '{"type":"dance","task_id":"a"}', "a"],
    ["a type that is no text", '{"type":1,"task_id":"a"}', "a"],
    ["a cancel of nothing", '{"type":"cancel"}', undefined],
    ["a cancel with a strange id", '{"type":"cancel","task_id":7}', undefined],
    ["a resume after nonsense", '{"type":"resume","task_id":"a","after":"x"}', "a"],
    ["a resume after half an event", '{"type":"resume","task_id":"a","after":1.5}', "a"],
    ["an empty request", "{}", undefined],
    ["an endless id", JSON.stringify({ task_id: "x".repeat(300) }), undefined],
  ])("(%s) are answered, and the socket goes on", async (_name, frame, id) => {
    const { executions, connect } = await start();
    const client = await connect();
    client.send(frame);
    expect(await client.next()).toMatchObject({
      version: "1.0",
      task_id: id ?? "00000000-0000-0000-0000-000000000000",
      status: "failed",
      error_code: "INVALID_REQUEST",
    });
    executions.onStart = (run) => run.end();
    client.send(request("fine"));
    expect(await client.next(responseOf("fine"))).toMatchObject({ status: "completed" });
  });

  it("never throw, whatever they hold", () => {
    assert(
      property(oneof(json(), string()), (text) => {
        expect(["request", "cancel", "resume", "malformed"]).toContain(readClientFrame(text).kind);
      }),
    );
  });

  it("do not fill the memory when nobody reads the answers", async () => {
    const { connect, serving } = await start();
    const client = await connect();
    client.ws.pause();
    const frames = 200_000;
    for (let index = 0; index < frames; index++) client.send("{");
    // The server has stopped reading, because it cannot answer.
    let before = -1;
    await expect
      .poll(
        () => {
          const still = client.ws.bufferedAmount === before;
          before = client.ws.bufferedAmount;
          return still;
        },
        { interval: 100 },
      )
      .toBe(true);
    client.ws.terminate();
    await expect.poll(serving).toBe(0);
  });
});

describe("the surface on a socket", () => {
  it("closes a socket with too many tasks, and cancels them", async () => {
    const { executions, connect, serving } = await start();
    const client = await connect();
    for (let index = 0; index <= 10_000; index++) client.send(request(`task-${index}`));
    expect(await client.closed).toBe(1013);
    await expect.poll(serving).toBe(0);
    expect(executions.runs).toHaveLength(10_000);
    expect(executions.runs.every(({ cancels, readers }) => cancels.length === 1 && readers === 0)).toBe(true);
  });

  it("starts few tasks at a time, however many were asked for", async () => {
    const { executions, connect } = await start();
    let running = 0;
    let most = 0;
    const open = executions.start.bind(executions);
    executions.start = async (...args) => {
      most = Math.max(most, ++running);
      await new Promise((resolve) => setImmediate(resolve));
      return open(...args).finally(() => (running -= 1));
    };
    executions.onStart = (run) => run.end();
    const client = await connect();
    for (let index = 0; index < 200; index++) client.send(request(`t${index}`));
    await client.next(responseOf("t199"));
    expect(most).toBe(16);
  });
});

describe("on a shared socket", () => {
  it("one task that floods does not starve the others", async () => {
    const { executions, connect } = await start();
    const client = await connect();
    client.send(request("flood"));
    await expect.poll(() => executions.runs.length).toBe(1);
    const flood = 50_000;
    for (let index = 0; index < flood; index++) executions.runs[0]?.event({ index, text: "x".repeat(200) });
    executions.runs[0]?.end();
    executions.onStart = (run) => run.end();
    client.send(request("small"));
    await client.next(responseOf("small"));
    // It overtook most of what the other had to say.
    expect(client.received.length).toBeLessThan(flood / 2);
    await client.next(responseOf("flood"));
    expect(client.received).toHaveLength(flood);
  });

  it("a client that does not read costs a few pages, however many tasks flood", async () => {
    const { executions, connect } = await start();
    const client = await connect();
    const tasks = 300;
    executions.onStart = (run) => {
      for (let index = 0; index < 300; index++) run.event({ text: "x".repeat(300) });
      run.end();
    };
    client.ws.pause();
    for (let index = 0; index < tasks; index++) client.send(request(`t${index}`));
    await expect.poll(() => executions.runs.length).toBe(tasks);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(executions.mostPagesHeld).toBeLessThanOrEqual(16);
    client.ws.resume();
    await expect.poll(() => client.received.filter((m) => "status" in m).length).toBe(tasks);
    expect(client.received).toHaveLength(tasks * 301);
    expect(executions.mostPagesHeld).toBeLessThanOrEqual(16);
  });

  it("a thousand tasks on one socket all complete, and nothing keeps reading", async () => {
    const { executions, connect } = await start();
    const client = await connect();
    executions.onStart = (run) => {
      let step = 0;
      const go = (): void => {
        run.event({ step, text: "y".repeat(200) });
        if (++step < 50) setImmediate(go);
        else run.end();
      };
      go();
    };
    let responses = 0;
    client.ws.removeAllListeners("message");
    const done = new Promise<void>((resolve) => {
      client.ws.on("message", (data: Buffer) => {
        if (data.includes('"status"') && ++responses === 1000) resolve();
      });
    });
    for (let index = 0; index < 1000; index++) client.send(request(`t${index}`));
    await done;
    expect(executions.runs.every(({ readers }) => readers === 0)).toBe(true);
  });
});

describe("a hub with clients on sockets", () => {
  it("that stops says so with 1001, and cancels nothing: the client comes back", async () => {
    const { executions, connect, stopping, serving, surface } = await start();
    const client = await connect();
    client.send(request("a"));
    await expect.poll(() => executions.runs[0]?.readers).toBe(1);
    stopping.abort();
    expect(await client.closed).toBe(1001);
    await expect.poll(serving).toBe(0);
    expect(executions.runs[0]).toMatchObject({ cancels: [], readers: 0 });
    await expect(surface.upgrade(new Request("http://hub/atp/x/ws"), { traceId: "" })).rejects.toMatchObject({
      code: "SHUTTING_DOWN",
    });
  });

  it.each([
    ["while it starts a task", request("a", "bug"), undefined],
    ["while it reads a log", request("a"), new Error("the disk is gone")],
  ])("that fails %s says so with 1011, and cancels nothing", async (_name, frame, error) => {
    const { executions, connect, failures } = await start();
    const client = await connect();
    client.send(request("other"));
    await expect.poll(() => executions.runs.length).toBe(1);
    client.send(frame);
    if (error) {
      await expect.poll(() => executions.runs.length).toBe(2);
      executions.runs[1]?.fail(error);
    }
    expect(await client.closed).toBe(1011);
    await expect.poll(() => failures.length).toBe(1);
    expect(failures[0]).toBeInstanceOf(Error);
    expect(executions.runs[0]).toMatchObject({ cancels: [], readers: 0 });
  });

  it("refuses an unknown value of on_disconnect", async () => {
    const { surface } = await start();
    const asked = new Request("http://hub/atp/x/ws?on_disconnect=maybe");
    await expect(surface.upgrade(asked, { traceId: "" })).rejects.toThrow(/on_disconnect/);
  });
});
