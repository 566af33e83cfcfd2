// ATP over HTTP through a whole hub, both ways: clients that drive its agents, and agents that it drives.
import type { IncomingMessage } from "node:http";
import { connect } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { deferred, drained, serveHttp } from "../support/http/servers.ts";
import type { SseMessage } from "../../src/channels/sse/parse-sse.ts";
import { readSse } from "../../src/channels/sse/read-sse.ts";
import type { Run } from "../../src/core/run.ts";
import { createAtpSurface } from "../../src/protocols/atp/surface.ts";
import { atpEvent, atpResponse } from "../../src/protocols/atp/wire.ts";
import type { Surface } from "../../src/protocols/protocol.ts";
import type { Listening } from "../../src/runtime/http/listen.ts";
import { serveSurfaces } from "../support/server/serve-surfaces.ts";
import { openTestHub, type TestHub, shellFixture } from "../support/test-hub.ts";

const TASK_ID = "550e8400-e29b-41d4-a716-446655440000";
const task = { description: "do it" };
const HEADERS = { "content-type": "application/vnd.atp.v1+json", accept: "application/vnd.atp.v1+json" };

let opened: TestHub;
let server: Listening;
let surface: Surface;

beforeEach(async () => {
  opened = await openTestHub({ concurrency: 64, agentConcurrency: 64 });
  const { hub, reader: log } = opened;
  surface = createAtpSurface({
    hub,
    keepAliveMs: 60_000,
    report: () => undefined,
    log,
  });
  ({ server } = await serveSurfaces(hub, [surface]));
  await hub.addAgent({ name: "ok", ...shellFixture("ok") });
  await hub.addAgent({ name: "ticks", ...shellFixture("pausable", "10") });
  await hub.addAgent({ name: "sleeps", ...shellFixture("sleeps") });
});

afterEach(async () => {
  surface.close();
  await server.close(0);
  await opened.close();
  expect(opened.problems).toEqual([]);
});

function post(
  agent: string,
  door: string,
  init: { body?: object; headers?: object; signal?: AbortSignal } = {},
) {
  const { body = {}, headers = {}, signal } = init;
  return fetch(`${server.url}/atp/${agent}/${door}`, {
    method: "POST",
    headers: { ...HEADERS, ...headers },
    body: JSON.stringify({ version: "1.0", task_id: TASK_ID, task, ...body }),
    ...(signal && { signal }),
  });
}

type Frame = Extract<SseMessage, { kind: "message" }>;

async function* framesOf(response: Response): AsyncGenerator<Frame> {
  // Node's streams of fetch are iterable.
  for await (const frame of readSse(response.body as unknown as AsyncIterable<Uint8Array>)) {
    if (frame.kind === "message") yield frame;
  }
}

async function allFrames(response: Response): Promise<Frame[]> {
  const frames: Frame[] = [];
  for await (const frame of framesOf(response)) frames.push(frame);
  return frames;
}

const runIdOf = (response: Response): string => response.headers.get("x-proctor-run") ?? "";

async function run(agent: string, constraints = {}): Promise<Run> {
  const { run } = await opened.hub.submit({ agent, task, constraints });
  return opened.ended(run.id);
}

describe("a client", () => {
  it("gets the response of any agent, to the letter of the document", async () => {
    const response = await post("ok", "execute");
    expect(response.status).toBe(200);
    const body = atpResponse.parse(await response.json());
    expect(body).toMatchObject({ version: "1.0", task_id: TASK_ID, status: "completed", error: null });
    expect(body.artifacts).toMatchObject([{ name: "result", data: { output: "Processed: do it" } }]);
    expect((await opened.hub.run(runIdOf(response))).status).toBe("completed");
  });

  it("gets its events as they come, gapless, and the response last", async () => {
    const frames = await allFrames(await post("ticks", "execute/stream"));
    const response = frames.pop();
    expect(response?.event).toBe("response");
    expect(atpResponse.parse(JSON.parse(response?.data ?? ""))).toMatchObject({ status: "completed" });
    const events = frames.map(({ data }) => atpEvent.parse(JSON.parse(data)));
    expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, index) => index));
    expect(events.map(({ task_id }) => task_id)).toEqual(events.map(() => TASK_ID));
    expect(frames.map(({ id }) => Number(id))).toEqual(events.map(({ sequence }) => sequence));
    expect(events.filter(({ event_type }) => event_type === "progress")).toHaveLength(10);
  });

  it("drops, comes back with its last id, and misses and repeats nothing", async () => {
    const gone = new AbortController();
    const headers = { "ATP-On-Disconnect": "keep" };
    const first = await post("ticks", "execute/stream", { headers, signal: gone.signal });
    const early: Frame[] = [];
    await expect(async () => {
      for await (const frame of framesOf(first)) {
        early.push(frame);
        if (early.length === 3) gone.abort();
      }
    }).rejects.toThrow();
    const again = await post("ticks", "execute/stream", {
      headers: { "last-event-id": early.at(-1)?.id ?? "" },
    });
    expect(runIdOf(again)).toBe(runIdOf(first));
    const late = await allFrames(again);
    expect(late.at(-1)?.event).toBe("response");
    const whole = await allFrames(
      await post("ticks", "execute/stream", { headers: { "last-event-id": "0" } }),
    );
    expect([...early.slice(1), ...late]).toEqual(whole);
    expect((await opened.hub.runs({})).items).toHaveLength(1);
  });

  it("cancels its task by leaving, from either door", async () => {
    for (const door of ["execute", "execute/stream"]) {
      const body = JSON.stringify({ version: "1.0", task_id: TASK_ID, task });
      const started = nextRun();
      const socket = connect(server.port, "127.0.0.1");
      const head = `POST /atp/sleeps/${door} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json`;
      socket.write(`${head}\r\ncontent-length: ${body.length}\r\n\r\n${body}`);
      const running = await started;
      await opened.until(running, ({ type }) => type === "progress");
      socket.destroy();
      expect(await opened.ended(running)).toMatchObject({
        status: "cancelled",
        failure: { message: "the client disconnected" },
      });
    }
  });

  it("is told in ATP's words what is wrong with its request", async () => {
    for (const [agent, body, status] of [
      ["nobody", {}, 404],
      ["ok", { task: {} }, 400],
      ["ok", { version: "2.0" }, 400],
    ] as const) {
      for (const door of ["execute", "execute/stream"]) {
        const response = await post(agent, door, { body });
        expect(response.status).toBe(status);
        const refused = atpResponse.parse(await response.json());
        expect(refused).toMatchObject({ task_id: TASK_ID, status: "failed", error_code: "INVALID_REQUEST" });
      }
    }
    expect((await opened.hub.runs({})).items).toEqual([]);
  });
});

describe("an agent over HTTP", () => {
  it("that streams unnamed frames, as the document's FastAPI example does, completes", async () => {
    const agent = await serveHttp((request, response) => {
      void readTask(request).then((task_id) => {
        response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8" });
        const timestamp = new Date().toISOString();
        const common = { version: "1.0", task_id };
        const messages = [
          { ...common, timestamp, sequence: 0, event_type: "progress", payload: { percentage: 50 } },
          { ...common, status: "completed", artifacts: [], metrics: { total_tokens: 5 } },
        ];
        for (const message of messages) response.write(`data: ${JSON.stringify(message)}\n\n`);
        response.end();
      });
    });
    const ended = await run(`atp+${agent.url}`);
    expect(ended).toMatchObject({ status: "completed", violations: [], metrics: { total_tokens: 5 } });
    expect((await opened.log(ended.id)).map(({ type }) => type)).toContain("progress");
  });

  it("that is the hub's own surface does what the agent behind it does", async () => {
    await opened.hub.addAgent({
      name: "far",
      protocol: "atp",
      transport: "http",
      url: `${server.url}/atp/ticks`,
    });
    const ended = await run("far");
    expect(ended).toMatchObject({ status: "completed", violations: [] });
    expect(ended.artifacts).toMatchObject([{ name: "result", data: { output: "10 ticks" } }]);
    const types = (await opened.log(ended.id)).map(({ type }) => type);
    expect(types.filter((type) => type === "progress")).toHaveLength(10);
  });

  it("that is missing there is told in the hub's words", async () => {
    expect(await run(`atp+${server.url}/atp/nobody`)).toMatchObject({
      status: "failed",
      failure: { code: "INVALID_REQUEST", details: { code: "AGENT_NOT_FOUND" } },
    });
  });

  it("that freezes is left at the deadline, and nothing stays open", async () => {
    const agent = await serveHttp((_request, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders();
    });
    expect(await run(`atp+${agent.url}`, { timeout_seconds: 1 })).toMatchObject({ status: "timeout" });
    await drained(agent);
  });

  it("learns of a cancelled run by the end of its connection", async () => {
    const asked = deferred();
    const left = deferred();
    const agent = await serveHttp((_request, response) => {
      response.on("close", () => left.resolve());
      asked.resolve();
    });
    const { run } = await opened.hub.submit({ agent: `atp+${agent.url}`, task });
    await asked.promise;
    await opened.hub.cancel(run.id, "enough");
    await left.promise;
    expect(await opened.ended(run.id)).toMatchObject({ status: "cancelled", failure: { message: "enough" } });
  });

  it("never shows the headers it is asked with, though the agent repeats them", async () => {
    const agent = await serveHttp((request, response) => {
      response
        .writeHead(500, { "content-type": "text/plain" })
        .end(`denied: ${request.headers.authorization}`);
    });
    const secret = "Bearer sk-1234567890";
    await opened.hub.addAgent({
      name: "private",
      protocol: "atp",
      transport: "http",
      url: agent.url,
      headers: { authorization: secret },
    });
    const ended = await run("private");
    expect(ended).toMatchObject({
      status: "failed",
      failure: { code: "HTTP_ERROR", details: { status: 500 } },
    });
    const shown = JSON.stringify(await opened.log(ended.id));
    expect(shown).toContain("denied: ");
    expect(shown).not.toContain(secret);
  });
});

/** The id of the task that an agent is given. */
async function readTask(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return (JSON.parse(Buffer.concat(chunks).toString()) as { task_id: string }).task_id;
}

/** The id of the run that is started next. */
function nextRun(): Promise<string> {
  return new Promise((resolve) => {
    const stop = opened.store.watch((runId) => {
      stop();
      resolve(runId);
    });
  });
}
