import { once } from "node:events";
import { createServer as createHttpServer } from "node:http";
import { createServer, type AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import type { ServerOptions, WebSocket } from "ws";
import {
  drive,
  event,
  events,
  newJob,
  response,
  startAgent,
  violations,
  type OnFrame,
} from "../../../../test/support/atp/websocket-agent.ts";
import { createWebSocketDriver } from "./driver.ts";

const opened: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of opened.splice(0)) await close();
});

async function start(onFrame: OnFrame, options?: ServerOptions) {
  const agent = await startAgent(onFrame, options);
  opened.push(() => agent.close());
  const driver = createWebSocketDriver();
  return {
    agent,
    driver,
    go: (headers?: Record<string, string>) => drive(driver, newJob(agent.url, headers)),
  };
}

/** Answers every request with some events and a response. */
const honest: OnFrame = ({ task_id, type }, ws) => {
  if (type !== undefined) return;
  for (let sequence = 0; sequence < 3; sequence++) ws.send(event(task_id, sequence, { sequence }));
  ws.send(response(task_id));
};

describe("a task over a WebSocket", () => {
  it("is sent as one strict request, and its messages become reports", async () => {
    const { agent, go } = await start(honest);
    const { job, reports, done } = go({ authorization: "Bearer x" });
    expect(await done).toMatchObject({ status: "completed" });
    expect(events(reports)).toEqual([{ sequence: 0 }, { sequence: 1 }, { sequence: 2 }]);
    expect(violations(reports)).toEqual([]);
    expect(agent.frames).toEqual([
      {
        version: "1.0",
        task_id: job.runId,
        task: { description: "do it" },
        constraints: { timeout_seconds: 300 },
        // Runs share the socket, so that its headers cannot say it.
        metadata: { traceparent: expect.stringContaining(job.traceId) as string },
      },
    ]);
  });

  it("that is cancelled tells the agent, and what still comes is kept", async () => {
    const { agent, go } = await start(({ type, task_id }, ws) => {
      if (type !== "cancel") return ws.send(event(task_id, 0, { working: true }));
      ws.send(event(task_id, 1, { stopping: true }));
      ws.send(response(task_id, "cancelled"));
    });
    const run = go();
    await expect.poll(() => run.reports.length).toBe(1);
    run.cancel();
    expect(await run.done).toMatchObject({ status: "cancelled" });
    expect(events(run.reports)).toEqual([{ working: true }, { stopping: true }]);
    expect(agent.frames[1]).toEqual({ type: "cancel", task_id: run.job.runId });
  });

  it("that is cancelled before it was sent is not sent", async () => {
    const { agent, driver } = await start(honest);
    const run = drive(driver, newJob(agent.url));
    run.cancel();
    expect(await run.done).toMatchObject({ status: "failed", failure: { code: "CANCELLED" } });
    expect(agent.frames).toEqual([]);
  });

  it("that is killed ends at once, and its socket with it", async () => {
    const { agent, go } = await start(({ task_id }, ws) => ws.send(event(task_id, 0, { kept: true })));
    const run = go();
    await expect.poll(() => run.reports.length).toBe(1);
    run.kill();
    expect(await run.done).toMatchObject({ failure: { code: "CANCELLED" } });
    expect(events(run.reports)).toEqual([{ kept: true }]);
    await expect.poll(() => agent.open()).toBe(0);
  });

  it("whose reader leaves releases the socket", async () => {
    const { agent, driver } = await start(({ task_id }, ws) => ws.send(event(task_id, 0)));
    const signals = { cancel: new AbortController().signal, kill: new AbortController().signal };
    for await (const _ of driver.open(newJob(agent.url), signals)) break;
    await expect.poll(() => agent.open()).toBe(0);
  });
});

describe("a socket to an agent", () => {
  it("is shared by concurrent runs, and used again by the next", async () => {
    const { agent, go } = await start(honest);
    const first = Array.from({ length: 50 }, () => go());
    for (const { done, reports } of first) {
      expect(await done).toMatchObject({ status: "completed" });
      expect(events(reports)).toHaveLength(3);
      expect(violations(reports)).toEqual([]);
    }
    expect(await go().done).toMatchObject({ status: "completed" });
    expect(agent.sockets).toHaveLength(1);
  });

  it("tells its tasks apart when the agent writes their ids in upper case", async () => {
    const waiting: [task: string, ws: Parameters<typeof honest>[1]][] = [];
    const { go } = await start(({ task_id }, ws) => {
      // Both are in flight before one is answered.
      if (waiting.push([String(task_id).toUpperCase(), ws]) < 2) return;
      for (const [id, socket] of waiting) {
        socket.send(event(id, 0));
        socket.send(response(id));
      }
    });
    for (const { done, reports } of [go(), go()]) {
      expect(await done).toMatchObject({ status: "completed" });
      expect(events(reports)).toHaveLength(1);
      expect(violations(reports)).toEqual([]);
    }
  });

  it("is not shared with other headers or another address", async () => {
    const { agent, driver, go } = await start(honest);
    await Promise.all([
      go({ a: "1", b: "2" }).done,
      go({ b: "2", a: "1" }).done,
      go({ a: "1" }).done,
      drive(driver, newJob(`${agent.url}?x`)).done,
    ]);
    expect(agent.sockets).toHaveLength(3);
  });

  it("that nobody uses is closed after a while", async () => {
    const { agent, go } = await start(honest);
    await go().done;
    expect(agent.open()).toBe(1);
    const [ws] = agent.sockets as [WebSocket];
    expect((await once(ws, "close"))[0]).toBe(1000);
  });

  it("that the agent closed while it was idle is not used again", async () => {
    const { agent, go } = await start(honest);
    await go().done;
    const [ws] = agent.sockets as [WebSocket];
    // The goodbye is on its way or has just come: either way no request is lost or sent twice.
    ws.close(1001);
    await once(ws, "close");
    expect(await go().done).toMatchObject({ status: "completed" });
    expect(agent.frames).toHaveLength(2);
    expect(agent.sockets).toHaveLength(2);
  });

  it("stays when one of its runs is killed, whose later messages are ignored", async () => {
    const late: string[] = [];
    const { agent, go } = await start(({ type, task_id }, ws) => {
      if (type === "cancel") {
        ws.send(event(task_id, 0));
        ws.send(response(task_id));
        for (const id of late) ws.send(response(id));
      }
    });
    const [one, other] = [go(), go()];
    await expect.poll(() => agent.frames.length).toBe(2);
    late.push(other.job.runId);
    one.kill();
    expect(await one.done).toMatchObject({ failure: { code: "CANCELLED" } });
    expect(await other.done).toMatchObject({ status: "completed" });
    expect(agent.frames[2]).toEqual({ type: "cancel", task_id: one.job.runId });
    expect(other.reports).toHaveLength(1);
    expect(agent.sockets).toHaveLength(1);
  });

  it("is one per run for an agent that does not know the subprotocol, which is a violation", async () => {
    const { agent, go } = await start(honest, { handleProtocols: () => false });
    const runs = [go(), go()];
    for (const { done, reports } of runs) {
      expect(await done).toMatchObject({ status: "completed" });
      expect(violations(reports)).toEqual([expect.objectContaining({ rule: "atp.websocket.subprotocol" })]);
    }
    await expect.poll(() => agent.open()).toBe(0);
    expect(agent.frames).toHaveLength(2);
  });

  it("is held only for a run that is far behind, and then new runs get another", async () => {
    const { agent, driver, go } = await start(honest);
    const slow = drive(driver, newJob(agent.url), { held: true });
    // It has its answer already, which nobody reads: the agent goes on regardless.
    await expect.poll(() => agent.frames.length).toBe(1);
    const [ws] = agent.sockets as [WebSocket];
    const flood = (count: number): void => {
      for (let index = 0; index < count; index++)
        ws.send(event(slow.job.runId, index, { text: "x".repeat(100_000) }));
    };
    flood(50);
    expect(await go().done).toMatchObject({ status: "completed" });
    expect(agent.sockets).toHaveLength(1);
    flood(500);
    let before = -1;
    let still = 0;
    // What is being written counts as waiting until all of it is written: one look says little of how much was read.
    const isStuck = (): boolean => {
      still = ws.bufferedAmount === before && before > 0 ? still + 1 : 0;
      before = ws.bufferedAmount;
      return still >= 10;
    };
    await expect.poll(isStuck, { interval: 100 }).toBe(true);
    expect(await go().done).toMatchObject({ status: "completed" });
    expect(agent.sockets).toHaveLength(2);
    slow.release();
    expect(await slow.done).toMatchObject({ status: "completed" });
    // What came behind the answer of a run that has ended is read and ignored.
    await expect.poll(() => ws.bufferedAmount).toBe(0);
  });

  it("that the agent closes after each answer is never trusted with another request", async () => {
    for (const end of [(ws: WebSocket) => ws.close(1000), (ws: WebSocket) => ws.terminate()]) {
      const { agent, go } = await start(({ task_id }, ws) => {
        ws.send(response(task_id));
        end(ws);
      });
      for (let index = 0; index < 5; index++) expect(await go().done).toMatchObject({ status: "completed" });
      expect(agent.frames).toHaveLength(5);
    }
  });

  it("that is idle and no longer answers is replaced by a new one", async () => {
    const { agent, go } = await start(honest, { autoPong: false });
    await go().done;
    expect(await go().done).toMatchObject({ status: "completed" });
    expect(agent.sockets).toHaveLength(2);
  });
});

describe("messages that name another task", () => {
  it("belong to the only task in flight, with a violation", async () => {
    const { go } = await start((_frame, ws) => {
      ws.send(event("not-mine", 0));
      ws.send(event(undefined, 1));
      ws.send(response("not-mine"));
    });
    const { done, reports } = go();
    expect(await done).toMatchObject({ status: "completed" });
    expect(events(reports)).toHaveLength(2);
    const rules = violations(reports).map((violation) => (violation as { rule: string }).rule);
    expect(rules.filter((rule) => rule === "atp.task_id")).toHaveLength(3);
  });

  it("are dropped when several tasks are in flight, and counted in one violation for each", async () => {
    let waiting: unknown[] = [];
    const { go } = await start(({ task_id }, ws) => {
      waiting.push(task_id);
      if (waiting.length < 2) return;
      for (let index = 0; index < 5; index++) ws.send(event("not-mine", index));
      ws.send("garbage");
      for (const id of waiting) ws.send(response(id));
      waiting = [];
    });
    for (const { done, reports } of [go(), go()]) {
      expect(await done).toMatchObject({ status: "completed" });
      // The second to answer may have been alone with nothing left to come.
      expect(violations(reports)).toEqual([expect.objectContaining({ rule: "atp.task_id", repeated: 5 })]);
    }
  });

  it("that are garbage are logged, and the run goes on", async () => {
    const { go } = await start(({ task_id }, ws) => {
      for (const text of ["garbage", "{", "[]", "null", '{"hello":1}', "[".repeat(100_000), ""])
        ws.send(text);
      ws.send(response(task_id));
    });
    const { done, reports } = go();
    expect(await done).toMatchObject({ status: "completed" });
    expect(violations(reports).length).toBeGreaterThan(4);
  });
});

describe("an agent that ends its WebSocket", () => {
  const endings: [string, (ws: WebSocket) => void, string, object][] = [
    ["with 1000", (ws) => ws.close(1000, "bye"), "NO_RESPONSE", { close_code: 1000, reason: "bye" }],
    ["with 1001", (ws) => ws.close(1001), "NO_RESPONSE", { close_code: 1001 }],
    ["with no code", (ws) => ws.close(), "NO_RESPONSE", { close_code: 1005 }],
    ["with 1011", (ws) => ws.close(1011, "oops"), "CONNECTION_LOST", { close_code: 1011, reason: "oops" }],
    ["with its own code", (ws) => ws.close(4321), "CONNECTION_LOST", { close_code: 4321 }],
    ["without a word", (ws) => ws.terminate(), "CONNECTION_LOST", { close_code: 1006 }],
    ["by a binary frame", (ws) => ws.send(Buffer.from("x")), "INVALID_RESPONSE", { close_code: 1003 }],
    [
      "by a huge frame",
      (ws) => ws.send("x".repeat(11 * 1024 * 1024)),
      "INVALID_RESPONSE",
      { close_code: 1009 },
    ],
  ];
  it.each(endings)(
    "%s fails every task in flight, and keeps what came",
    async (_name, end, code, details) => {
      let count = 0;
      const { agent, go } = await start(({ task_id }, ws) => {
        ws.send(event(task_id, 0, { kept: true }));
        if (++count === 2) end(ws);
      });
      for (const { done, reports } of [go(), go()]) {
        expect(await done).toMatchObject({ status: "failed", failure: { code, details } });
        expect(events(reports)).toEqual([{ kept: true }]);
      }
      // Nothing was sent twice.
      expect(agent.frames).toHaveLength(2);
    },
  );

  it("with a response that cannot be used is told so", async () => {
    const { go } = await start(({ task_id }, ws) => {
      ws.send(JSON.stringify({ task_id, status: "splendid" }));
      ws.close(1000);
    });
    expect(await go().done).toMatchObject({ status: "failed", failure: { code: "INVALID_RESPONSE" } });
  });
});

describe("an agent whose WebSocket cannot be opened", () => {
  async function tcp(server: ReturnType<typeof createServer>): Promise<string> {
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    opened.push(() => new Promise((resolve) => server.close(resolve)));
    return `127.0.0.1:${(server.address() as AddressInfo).port}`;
  }
  const failureOf = async (url: string) => (await drive(createWebSocketDriver(), newJob(url)).done).failure;

  it("because it refuses or hangs up fails with UNREACHABLE", async () => {
    const closed = createServer();
    const address = await tcp(closed);
    await new Promise((resolve) => closed.close(resolve));
    expect(await failureOf(`ws://${address}`)).toMatchObject({
      code: "UNREACHABLE",
      details: { code: "ECONNREFUSED" },
    });
    const rude = createServer((socket) => socket.once("data", () => socket.destroy()));
    expect(await failureOf(`ws://${await tcp(rude)}/?token=secret`)).toMatchObject({
      code: "UNREACHABLE",
      message: expect.not.stringContaining("secret") as string,
    });
  });

  it("fails the run with what it answered instead", async () => {
    const http = createHttpServer((request, outgoing) => {
      if (request.url === "/moved") outgoing.writeHead(301, { location: "/there" });
      else outgoing.writeHead(403);
      outgoing.end();
    });
    const address = await tcp(http);
    expect(await failureOf(`ws://${address}/moved`)).toMatchObject({
      code: "REDIRECTED",
      details: { status: 301, location: "/there" },
    });
    expect(await failureOf(`ws://${address}/no`)).toMatchObject({
      code: "HTTP_ERROR",
      details: { status: 403 },
    });
    expect(await failureOf(`wss://${address}/`)).toMatchObject({ code: "TLS_FAILED" });
    const garbage = createServer((socket) => socket.resume().end("what?\r\n\r\n"));
    expect(await failureOf(`ws://${await tcp(garbage)}`)).toMatchObject({ code: "INVALID_RESPONSE" });
    const { agent } = await start(honest, { handleProtocols: () => "other" });
    expect(await failureOf(agent.url)).toMatchObject({ code: "INVALID_RESPONSE" });
  });

  it("is no longer waited for by a stopped run, while other runs wait on", async () => {
    const { agent, driver } = await start(honest, {
      verifyClient: (_info, callback) => void held.then(() => callback(true)),
    });
    let release = (): void => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    const [one, other] = [drive(driver, newJob(agent.url)), drive(driver, newJob(agent.url))];
    one.kill();
    expect(await one.done).toMatchObject({ failure: { code: "CANCELLED" } });
    release();
    expect(await other.done).toMatchObject({ status: "completed" });
    expect(agent.sockets).toHaveLength(1);
  });
});
