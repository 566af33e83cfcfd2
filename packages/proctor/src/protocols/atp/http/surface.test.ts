import { connect, type Socket } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readSse } from "../../../channels/sse/read-sse.ts";
import type { SseMessage } from "../../../channels/sse/parse-sse.ts";
import { listen, type Listening } from "../../../runtime/http/listen.ts";
import { MAX_JSON_DEPTH } from "../../../core/json-depth.ts";
import { atpResponse } from "../wire.ts";
import {
  createScriptedExecutions,
  type ScriptedExecutions,
  type ScriptedTask,
} from "../../../../test/support/atp/executions.ts";
import { ATP_JSON, PLAIN_JSON } from "./media.ts";
import { serveAtp } from "../surface.ts";

const TASK_ID = "550e8400-e29b-41d4-a716-446655440000";
const TRACE_ID = "0af7651916cd43dd8448eb211c80319c";
const REQUEST = { version: "1.0", task_id: TASK_ID, task: { description: "do it" } };

let server: Listening;
let executions: ScriptedExecutions;
let stopping: AbortController;
let onStart: (task: ScriptedTask) => void;
const sockets: Socket[] = [];

beforeEach(() => start());

async function start(keepAliveMs = 60_000): Promise<void> {
  onStart = () => undefined;
  executions = createScriptedExecutions((task) => onStart(task));
  stopping = new AbortController();
  const surface = serveAtp({
    executions,
    stopping: stopping.signal,
    keepAliveMs,
    report: () => undefined,
  });
  const fetch = async (request: Request): Promise<Response> => surface.fetch(request, { traceId: TRACE_ID });
  server = await listen({ app: { fetch }, host: "127.0.0.1", port: 0 });
}

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await server.close(0);
});

interface SendOptions {
  method?: string;
  headers?: Record<string, string>;
  body?: string | Uint8Array<ArrayBuffer>;
  signal?: AbortSignal;
}

async function send(path: string, options: SendOptions = {}): Promise<Response> {
  const { method = "POST", headers = {}, body = JSON.stringify(REQUEST), signal } = options;
  return fetch(`${server.url}${path}`, {
    method,
    headers: { "content-type": ATP_JSON, ...headers },
    ...(method !== "GET" && { body }),
    ...(signal && { signal }),
  });
}

/** A request as bytes, so that the test decides what happens to the connection. */
async function sendRaw(path: string, headers = "", body = JSON.stringify(REQUEST)): Promise<Socket> {
  const socket = connect(server.port, "127.0.0.1");
  sockets.push(socket);
  socket.on("error", () => undefined);
  const length = Buffer.byteLength(body);
  socket.write(
    `POST ${path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n${headers}\r\n${body}`,
  );
  return socket;
}

async function refused(response: Response, status: number, code: string): Promise<Record<string, unknown>> {
  expect(response.status).toBe(status);
  expect(response.headers.get("cache-control")).toBe("no-store");
  const body = (await response.json()) as Record<string, unknown>;
  expect(atpResponse.safeParse(body).success).toBe(true);
  expect(body).toMatchObject({ status: "failed", error_details: { code } });
  return body;
}

async function framesOf(response: Response): Promise<Extract<SseMessage, { kind: "message" }>[]> {
  const frames = [];
  // Node's streams of fetch are iterable.
  for await (const frame of readSse(response.body as unknown as AsyncIterable<Uint8Array>)) {
    if (frame.kind === "message") frames.push(frame);
  }
  return frames;
}

describe("/execute", () => {
  it("answers with the response when the task has ended", async () => {
    onStart = (task) => task.end('{"status":"completed","task_id":"x"}');
    const response = await send("/atp/a/execute");
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-type": ATP_JSON,
      "x-proctor-run": "run-0",
      "cache-control": "no-store",
    });
    expect(await response.text()).toBe('{"status":"completed","task_id":"x"}');
    expect(executions.tasks[0]).toMatchObject({ agent: "a", body: REQUEST, traceId: TRACE_ID, cancels: 0 });
  });

  it("cancels the task of a client that leaves", async () => {
    const socket = await sendRaw("/atp/a/execute");
    const task = await executions.task(0);
    socket.destroy();
    expect(await task.cancelled.promise).toBe("the client disconnected");
    expect(task.readers).toBe(0);
  });

  for (const [how, path, headers] of [
    ["header", "/atp/a/execute", "ATP-On-Disconnect: keep\r\n"],
    ["query", "/atp/a/execute?on_disconnect=keep", ""],
  ] as const) {
    it(`keeps it when the client asked for that by ${how}`, async () => {
      const socket = await sendRaw(path, headers);
      const task = await executions.task(0);
      await until(() => task.readers === 1);
      socket.destroy();
      await until(() => task.readers === 0);
      expect(task.cancels).toBe(0);
    });
  }

  it("says that the hub is stopping, and leaves the task alone", async () => {
    const waiting = send("/atp/a/execute");
    const task = await executions.task(0);
    await until(() => task.readers === 1);
    stopping.abort();
    const body = await refused(await waiting, 503, "SHUTTING_DOWN");
    expect(body).toMatchObject({
      task_id: TASK_ID,
      error_code: "INTERNAL_ERROR",
      error_details: { run_id: "run-0" },
    });
    expect(task.cancels).toBe(0);
    await refused(await send("/atp/a/execute"), 503, "SHUTTING_DOWN");
    expect(executions.tasks).toHaveLength(1);
  });
});

describe("negotiation at the surface", () => {
  it.each([
    [ATP_JSON, undefined, ATP_JSON],
    [PLAIN_JSON, undefined, PLAIN_JSON],
    [ATP_JSON, PLAIN_JSON, PLAIN_JSON],
    [`${PLAIN_JSON}; charset=UTF-8`, ATP_JSON, ATP_JSON],
    [PLAIN_JSON, `${PLAIN_JSON};q=0.5, ${ATP_JSON}`, ATP_JSON],
  ])("of %s, accepting %s, answers %s", async (contentType, accept, expected) => {
    onStart = (task) => task.end();
    const headers = { "content-type": contentType, ...(accept !== undefined && { accept }) };
    const response = await send("/atp/a/execute", { headers });
    expect(response.headers.get("content-type")).toBe(expected);
  });

  it.each(["application/vnd.atp.v2+json", "text/plain", "", `${PLAIN_JSON}; charset=latin1`])(
    "refuses a body of type %s",
    async (contentType) => {
      await refused(
        await send("/atp/a/execute", { headers: { "content-type": contentType } }),
        415,
        "UNSUPPORTED_MEDIA_TYPE",
      );
    },
  );

  it("refuses a compressed body", async () => {
    const headers = { "content-encoding": "gzip" };
    await refused(await send("/atp/a/execute", { headers }), 415, "UNSUPPORTED_MEDIA_TYPE");
  });

  it("refuses clients that take nothing we have", async () => {
    for (const accept of ["application/vnd.atp.v2+json", "text/html", "*/*;q=0"]) {
      for (const path of ["/atp/a/execute", "/atp/a/execute/stream"]) {
        await refused(await send(path, { headers: { accept } }), 406, "NOT_ACCEPTABLE");
      }
    }
    const accept = "text/event-stream";
    await refused(await send("/atp/a/execute", { headers: { accept } }), 406, "NOT_ACCEPTABLE");
    expect(executions.tasks).toHaveLength(0);
  });

  it("streams to clients that name the stream, or the version of its messages", async () => {
    onStart = (task) => task.end();
    for (const accept of ["text/event-stream", ATP_JSON, PLAIN_JSON, "*/*", "text/*"]) {
      const response = await send("/atp/a/execute/stream", { headers: { accept } });
      expect(response.headers.get("content-type")).toBe("text/event-stream");
      expect(await framesOf(response)).toHaveLength(1);
    }
  });
});

describe("an ATP request over HTTP that is wrong", () => {
  it("in its method is refused, and told which there is", async () => {
    for (const method of ["GET", "PUT", "DELETE"]) {
      const response = await send("/atp/a/execute", { method });
      expect(response.headers.get("allow")).toBe("POST");
      await refused(response, 405, "METHOD_NOT_ALLOWED");
    }
  });

  it("in its body is refused", async () => {
    const deep = `{"a":${"[".repeat(MAX_JSON_DEPTH + 1)}${"]".repeat(MAX_JSON_DEPTH + 1)}}`;
    for (const body of ["", "  ", "{", "nonsense", deep, new Uint8Array([0x22, 0xff, 0x22])]) {
      const { task_id } = await refused(await send("/atp/a/execute", { body }), 400, "INVALID_REQUEST");
      expect(task_id).toMatch(/^0{8}-/);
    }
    expect(executions.tasks).toHaveLength(0);
  });

  it("in its size is refused, with a length or without", async () => {
    const large = JSON.stringify({ ...REQUEST, padding: "x".repeat(10 * 1024 * 1024) });
    await refused(await send("/atp/a/execute", { body: large }), 413, "PAYLOAD_TOO_LARGE");
    const chunked = await fetch(`${server.url}/atp/a/execute`, {
      method: "POST",
      headers: { "content-type": PLAIN_JSON },
      body: new Blob([large]).stream(),
      duplex: "half",
    });
    await refused(chunked, 413, "PAYLOAD_TOO_LARGE");
    const just = JSON.stringify({ ...REQUEST, padding: "x".repeat(9 * 1024 * 1024) });
    onStart = (task) => task.end();
    expect((await send("/atp/a/execute", { body: just })).status).toBe(200);
  });

  it("in its agent is refused, by the task's own id", async () => {
    const body = await refused(await send("/atp/nobody/execute"), 404, "AGENT_NOT_FOUND");
    expect(body).toMatchObject({ task_id: TASK_ID, error_code: "INVALID_REQUEST" });
    await refused(await send("/atp/nobody/execute/stream"), 404, "AGENT_NOT_FOUND");
  });

  it("in what to do on a disconnect is refused", async () => {
    await refused(await send("/atp/a/execute?on_disconnect=explode"), 400, "INVALID_REQUEST");
  });

  it("because it was cut off starts nothing", async () => {
    const cut = connect(server.port, "127.0.0.1");
    sockets.push(cut);
    cut.write(
      `POST /atp/a/execute HTTP/1.1\r\nhost: x\r\ncontent-type: ${PLAIN_JSON}\r\ncontent-length: 999\r\n\r\n{`,
    );
    cut.end();
    await new Promise((resolve) => void cut.resume().once("close", resolve));
    expect(executions.tasks).toHaveLength(0);
  });
});

describe("/execute/stream", () => {
  it("sends events by name and sequence as they come, and the response last", async () => {
    const response = await send("/atp/a/execute/stream");
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-type": "text/event-stream",
      "x-proctor-run": "run-0",
      "cache-control": "no-store",
    });
    const task = await executions.task(0);
    task.push('{"n":0}', '{"n":1}');
    task.end('{"status":"completed"}');
    expect(await framesOf(response)).toEqual([
      { kind: "message", event: "event", id: "0", data: '{"n":0}' },
      { kind: "message", event: "event", id: "1", data: '{"n":1}' },
      { kind: "message", event: "response", id: "1", data: '{"status":"completed"}' },
    ]);
    expect(task).toMatchObject({ cancels: 0, readers: 0 });
  });

  it("continues after the last event that the client has", async () => {
    onStart = (task) => {
      task.push('{"n":0}', '{"n":1}', '{"n":2}');
      task.end();
    };
    await framesOf(await send("/atp/a/execute/stream"));
    const headers = { "last-event-id": "1" };
    const response = await send("/atp/a/execute/stream", { headers });
    expect(response.headers.get("x-proctor-run")).toBe("run-0");
    expect((await framesOf(response)).map(({ event, id }) => [event, id])).toEqual([
      ["event", "2"],
      ["response", "2"],
    ]);
    expect(executions.tasks).toHaveLength(1);
    const past = await framesOf(await send("/atp/a/execute/stream", { headers: { "last-event-id": "99" } }));
    expect(past.map(({ event }) => event)).toEqual(["response"]);
    await refused(await send("/atp/b/execute/stream", { headers }), 404, "RUN_NOT_FOUND");
  });

  it("refuses an id that is none, and a task without a name", async () => {
    for (const id of ["-1", "x", "1.5", "9999999999999999"]) {
      const response = await send("/atp/a/execute/stream", { headers: { "last-event-id": id } });
      await refused(response, 400, "INVALID_REQUEST");
    }
    const headers = { "last-event-id": "1" };
    await refused(await send("/atp/a/execute/stream", { headers, body: "{}" }), 400, "INVALID_REQUEST");
  });

  it("sends comments while nothing happens", async () => {
    await server.close(0);
    await start(5);
    const socket = await sendRaw("/atp/a/execute/stream");
    let text = "";
    await new Promise<void>((resolve) => {
      socket.on("data", (chunk) => {
        text += chunk.toString();
        if (text.split(": keep-alive\n\n").length > 3) resolve();
      });
    });
    expect(text).not.toContain("data:");
  });

  it("cancels the task of a client that leaves, whether it reads or not", async () => {
    for (const reads of [true, false]) {
      const index = executions.tasks.length;
      const socket = await sendRaw("/atp/a/execute/stream");
      const task = await executions.task(index);
      if (reads) await new Promise((resolve) => void socket.once("data", resolve));
      socket.resetAndDestroy();
      expect(await task.cancelled.promise).toBe("the client disconnected");
      await until(() => task.readers === 0);
      expect(task.cancels).toBe(1);
    }
  });

  it("cancels the task of a client that left before its stream was sent", async () => {
    const surface = serveAtp({
      executions,
      stopping: stopping.signal,
      keepAliveMs: 1000,
      report: () => undefined,
    });
    for (const moment of ["while it was started", "after it was started"]) {
      const gone = new AbortController();
      onStart = () => void (moment === "while it was started" && gone.abort());
      const request = new Request("http://localhost/atp/a/execute/stream", {
        method: "POST",
        headers: { "content-type": PLAIN_JSON },
        body: JSON.stringify(REQUEST),
        signal: gone.signal,
      });
      await surface.fetch(request, { traceId: TRACE_ID });
      gone.abort();
      const task = executions.tasks.at(-1);
      expect(await task?.cancelled.promise).toBe("the client disconnected");
      expect(task?.cancels).toBe(1);
    }
  });

  it("keeps the task when the client asked for that", async () => {
    const socket = await sendRaw("/atp/a/execute/stream?on_disconnect=keep");
    const task = await executions.task(0);
    await until(() => task.readers === 1);
    socket.destroy();
    await until(() => task.readers === 0);
    expect(task.cancels).toBe(0);
  });

  it("does not cancel a task whose response was sent", async () => {
    const stop = new AbortController();
    const response = await send("/atp/a/execute/stream", { signal: stop.signal });
    const task = await executions.task(0);
    task.end();
    await response.body?.getReader().read();
    stop.abort();
    await until(() => task.readers === 0);
    expect(task.cancels).toBe(0);
  });

  it("holds one page in memory when the client stalls", async () => {
    const text = JSON.stringify({ padding: "x".repeat(100_000) });
    const socket = await sendRaw("/atp/a/execute/stream");
    const task = await executions.task(0);
    await new Promise((resolve) => void socket.once("data", resolve));
    socket.pause();
    for (let index = 0; index < 1000; index++) task.push(text);
    task.end();
    let before = -1;
    await until(() => {
      const still = task.pagesRead === before && task.pagesRead > 0;
      before = task.pagesRead;
      return still;
    }, 100);
    expect(task.pagesRead).toBeLessThan(300);
    let bytes = 0;
    await new Promise<void>((resolve) => {
      socket.on("data", (chunk) => {
        bytes += chunk.length;
        if (chunk.includes("event: response")) resolve();
      });
      socket.resume();
    });
    expect(bytes).toBeGreaterThan(90_000_000);
  });

  it("ends without a response when the hub stops, and leaves the task alone", async () => {
    const response = await send("/atp/a/execute/stream");
    const task = await executions.task(0);
    task.push("{}");
    const frames = framesOf(response);
    await until(() => task.pagesRead === 1);
    stopping.abort();
    expect((await frames).map(({ event }) => event)).toEqual(["event"]);
    expect(task.cancels).toBe(0);
  });

  it("leaves the task of a stalled client alone when the stopping hub cuts it", async () => {
    const socket = await sendRaw("/atp/a/execute/stream");
    const task = await executions.task(0);
    await new Promise((resolve) => void socket.once("data", resolve));
    socket.pause();
    for (let index = 0; index < 200; index++) task.push("x".repeat(100_000));
    await until(() => task.pagesRead > 1);
    stopping.abort();
    await server.close(0);
    await until(() => task.readers === 0);
    expect(task.cancels).toBe(0);
  });

  it("ends with a remark when the log cannot be read", async () => {
    const response = await send("/atp/a/execute/stream");
    (await executions.task(0)).fail(new Error("disk"));
    const text = await response.text();
    expect(text).toContain(TRACE_ID);
    expect(text).not.toContain("data:");
    expect(executions.tasks[0]?.cancels).toBe(0);
  });
});

/** Looks again and again, without holding up what is awaited. */
async function until(satisfied: () => boolean, everyMs = 2): Promise<void> {
  while (!satisfied()) await new Promise((resolve) => setTimeout(resolve, everyMs));
}
