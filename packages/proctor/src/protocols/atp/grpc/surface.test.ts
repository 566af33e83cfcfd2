import { once } from "node:events";
import { connect, type ClientHttp2Stream } from "node:http2";
import { status } from "@grpc/grpc-js";
import { afterEach, describe, expect, it, vi } from "vitest";
import { listenGrpc, type GrpcListening } from "../../../channels/grpc/listen-grpc.ts";
import { ProctorError } from "../../../core/errors.ts";
import { isJsonObject, type Json } from "../../../core/json.ts";
import type { Hub } from "../../../core/ports/hub.ts";
import type { Execution, ExecutionMessage, Executions } from "../execution.ts";
import { drive, TRACE_ID } from "../../../../test/support/atp/drive-grpc.ts";
import { atpEvent } from "../../../../test/support/atp/drive-http.ts";
import {
  collect,
  fromStruct,
  metadata,
  peerClient,
  toStruct,
  unary,
  type PeerClient,
} from "../../../../test/support/atp/grpc-peer.ts";
import { createGrpcRoutes } from "./surface.ts";

const TASK_ID = "550e8400-e29b-41d4-a716-446655440000";
const REQUEST = { version: "1.0", task_id: TASK_ID, task: { description: "do it" } };

const closers: (() => unknown)[] = [];
afterEach(async () => {
  vi.useRealTimers();
  for (const close of closers.splice(0).toReversed()) await close();
});

describe("ExecuteStream", () => {
  it("sends the events as they come, then the response", async () => {
    const { client, hub } = await setUp();
    const call = client.ExecuteStream(
      { ...REQUEST, task: { description: "do it", input_data: toStruct({ n: [1, { a: null }] }) } },
      metadata({
        "atp-agent": "coder",
        traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
      }),
    );
    const run = await hub.started(0);
    expect(run).toMatchObject({
      agent: "coder",
      body: { ...REQUEST, task: { description: "do it", input_data: { n: [1, { a: null }] } } },
      options: { traceId: "0af7651916cd43dd8448eb211c80319c" },
    });
    run.say(atpEvent(0, { message: "first" }));
    expect(await firstOf(call)).toMatchObject({ event: { sequence: 0, event_type: "progress" } });
    run.say(atpEvent(1, { message: "second" }));
    run.answer({ artifacts: [{ type: "structured", name: "out", data: { ok: true } }], error: null });
    const { messages, error } = await collect(call);
    expect(error).toBeUndefined();
    expect(messages.map((message) => message["message"])).toEqual(["event", "response"]);
    expect(fromStruct((messages[0]?.["event"] as { payload: unknown } | undefined)?.payload)).toEqual({
      message: "second",
    });
    const response = messages[1]?.["response"] as { artifacts: { data: unknown }[]; extensions: unknown };
    expect(response).toMatchObject({ version: "1.0", task_id: TASK_ID, status: "completed", metrics: {} });
    expect(fromStruct(response.artifacts[0]?.data)).toEqual({ ok: true });
    expect(fromStruct(response.extensions)).toEqual({ error: null });
    expect(hub.cancelled).toEqual([]);
  });

  it("cancels the run when the call is cancelled or the client is gone", async () => {
    const { client, hub } = await setUp();
    const call = client.ExecuteStream(REQUEST, metadata());
    const ended = collect(call);
    (await hub.started(0)).say(atpEvent(0));
    await firstOf(call);
    call.cancel();
    expect((await ended).error?.code).toBe(status.CANCELLED);
    await until(() => hub.cancelled.length === 1);
    const other = client.ExecuteStream(REQUEST, metadata());
    const lost = collect(other);
    await hub.started(1);
    client.close();
    other.cancel();
    await lost;
    await until(() => hub.cancelled.length === 2);
    expect(hub.cancelled).toEqual(["the client left", "the client left"]);
  });

  it("keeps the run of a cancelled call when the client asked for that", async () => {
    const { client, hub } = await setUp();
    const call = client.ExecuteStream(REQUEST, metadata({ "atp-on-disconnect": "keep" }));
    const ended = collect(call);
    const run = await hub.started(0);
    call.cancel();
    await ended;
    await until(() => run.signal.aborted);
    // Another call goes through the same server, so that what the first left behind has happened.
    await unary((done) => client.Cancel({ task_id: "unknown" }, metadata(), {}, done));
    expect(hub.cancelled).toEqual([]);
  });

  it("makes the deadline the run's timeout", async () => {
    // The time that is left is then the same on both sides, however slow they are.
    vi.useFakeTimers({ toFake: ["Date"] });
    const { client, hub } = await setUp();
    const ended = collect(client.ExecuteStream(REQUEST, metadata(), { deadline: Date.now() + 3_600_000 }));
    const run = await hub.started(0);
    expect(run.options).toEqual({ timeoutSeconds: 3600, traceId: expect.any(String) as string });
    run.answer();
    expect((await ended).error).toBeUndefined();
  });

  it("says that the deadline passed, and cancels a run that goes on after it", async () => {
    const { server, hub } = await setUp();
    // A client without a clock of its own: only the server measures the time, from when the call has come.
    const trailers = once(executeStream(server, { "grpc-timeout": "2S" }).resume(), "trailers");
    const run = await hub.started(0);
    const [ended] = await trailers;
    expect(ended).toMatchObject({ "grpc-status": String(status.DEADLINE_EXCEEDED) });
    expect(run.signal.aborted).toBe(true);
    await expect.poll(() => hub.cancelled).toEqual(["the deadline passed"]);
  });

  it("ignores a deadline beyond the longest timeout", async () => {
    const { client, hub } = await setUp();
    const call = client.ExecuteStream(REQUEST, metadata(), { deadline: Date.now() + 365 * 86_400_000 });
    const ended = collect(call);
    const run = await hub.started(0);
    expect(run.options).toEqual({ traceId: expect.any(String) as string });
    run.answer();
    expect((await ended).error).toBeUndefined();
  });

  it("holds the hub back while the client does not read", async () => {
    const { server, hub } = await setUp();
    const call = executeStream(server);
    const run = await hub.started(0);
    const total = 1000;
    for (let sequence = 0; sequence < total; sequence++)
      run.say(atpEvent(sequence, { text: "x".repeat(2000) }));
    run.answer();
    await settled(() => run.taken);
    expect(run.taken).toBeLessThan(total / 2);
    call.resume();
    await once(call, "end");
    expect(run.taken).toBe(total + 1);
  });

  it("ends with UNAVAILABLE when the hub stops, and the run goes on", async () => {
    const { client, hub, stop } = await setUp();
    const ended = collect(client.ExecuteStream(REQUEST, metadata()));
    await hub.started(0);
    stop();
    const { error } = await ended;
    expect(error).toMatchObject({
      code: status.UNAVAILABLE,
      details: "the hub is stopping\ncome back later",
    });
    expect(error?.metadata.get("atp-error-code")).toEqual(["INTERNAL_ERROR"]);
    expect(error?.metadata.get("proctor-error-code")).toEqual(["SHUTTING_DOWN"]);
    expect(hub.cancelled).toEqual([]);
    const late = await collect(client.ExecuteStream(REQUEST, metadata()));
    expect(late.error?.code).toBe(status.UNAVAILABLE);
  });
});

describe("Execute", () => {
  it("answers when the task has ended; a task that failed is no error", async () => {
    const { client, hub } = await setUp();
    const answer = unary((done) => client.Execute(REQUEST, metadata(), {}, done));
    (await hub.started(0)).answer({ status: "failed", error: "no", error_code: "TOOL_ERROR" });
    expect((await answer).response).toMatchObject({
      status: "failed",
      error: "no",
      error_code: "TOOL_ERROR",
    });
  });

  it("cancels the run when the call is cancelled", async () => {
    const { client, hub } = await setUp();
    let call: { cancel(): void } | undefined;
    const answer = unary((done) => (call = client.Execute(REQUEST, metadata(), {}, done)));
    await hub.started(0);
    call?.cancel();
    expect((await answer).error?.code).toBe(status.CANCELLED);
    await until(() => hub.cancelled.length === 1);
  });
});

describe("Cancel", () => {
  it("cancels a task of another call, which still gets its response", async () => {
    const { client, hub } = await setUp();
    const ended = collect(client.ExecuteStream(REQUEST, metadata()));
    await hub.started(0);
    const { error } = await unary((done) =>
      client.Cancel({ task_id: TASK_ID, reason: "enough" }, metadata(), {}, done),
    );
    expect(error).toBeUndefined();
    const { messages } = await ended;
    expect(messages.at(-1)).toMatchObject({ response: { status: "cancelled" } });
    expect(hub.cancelled).toEqual(["enough"]);
  });

  it("says when there is no such task, or none is named", async () => {
    const { client } = await setUp();
    const unknown = await unary((done) => client.Cancel({ task_id: "nobody" }, metadata(), {}, done));
    expect(unknown.error).toMatchObject({ code: status.NOT_FOUND });
    expect(unknown.error?.metadata.get("atp-error-code")).toEqual(["INVALID_REQUEST"]);
    const nameless = await unary((done) => client.Cancel({}, metadata(), {}, done));
    expect(nameless.error?.code).toBe(status.INVALID_ARGUMENT);
  });
});

describe("the agent of a gRPC call", () => {
  it("must be named when there are several, and the refusal lists them", async () => {
    const { client } = await setUp({ agents: ["coder", "writer"] });
    const { error } = await collect(client.ExecuteStream(REQUEST, metadata()));
    expect(error?.code).toBe(status.INVALID_ARGUMENT);
    expect(error?.details).toContain("coder, writer");
  });

  it("cannot be one that does not exist", async () => {
    const { client } = await setUp();
    const { error } = await collect(client.ExecuteStream(REQUEST, metadata({ "atp-agent": "nobody" })));
    expect(error?.code).toBe(status.NOT_FOUND);
    const none = await setUp({ agents: [] });
    expect((await collect(none.client.ExecuteStream(REQUEST, metadata()))).error?.details).toContain(
      "agents add",
    );
  });
});

describe("a refused gRPC call", () => {
  it("has a status, ATP's code, and the hub's own beside it", async () => {
    const { client } = await setUp();
    const { error } = await collect(client.ExecuteStream({ version: "1.0" }, metadata()));
    expect(error).toMatchObject({ code: status.INVALID_ARGUMENT, details: "task_id: is missing" });
    expect(error?.metadata.get("atp-error-code")).toEqual(["INVALID_REQUEST"]);
    expect(error?.metadata.get("proctor-error-code")).toEqual(["INVALID_REQUEST"]);
  });

  it("says nothing about a bug, which is reported", async () => {
    const { client, hub, problems } = await setUp();
    const ended = collect(client.ExecuteStream(REQUEST, metadata()));
    (await hub.started(0)).fail(new Error("a secret"));
    const { error } = await ended;
    expect(error).toMatchObject({ code: status.INTERNAL, details: "an internal error" });
    expect(problems).toHaveLength(1);
  });
});

describe("our own gRPC driver", () => {
  it("drives an agent of another hub", async () => {
    const { server, hub } = await setUp({ agents: ["coder", "writer"] });
    const driving = drive(server.url, { spec: { headers: { "atp-agent": "writer" } } });
    const run = await hub.started(0);
    expect(run).toMatchObject({ agent: "writer", options: { traceId: TRACE_ID, timeoutSeconds: 330 } });
    run.say(atpEvent(0));
    run.answer({ artifacts: [{ type: "file", path: "a", content: "AAH/", content_encoding: "base64" }] });
    const { end, types, rules, reports } = await driving;
    expect({ end, types, rules }).toEqual({
      end: { status: "completed", metrics: {} },
      types: ["progress"],
      rules: [],
    });
    expect(reports[1]).toMatchObject({ artifact: { content: Buffer.from([0, 1, 255]) } });
  });

  it("asks an agent of another hub to cancel, and gets its response", async () => {
    const { server, hub } = await setUp();
    const cancel = new AbortController();
    const driving = drive(server.url, { cancel: cancel.signal });
    await hub.started(0);
    cancel.abort();
    expect((await driving).end.status).toBe("cancelled");
    expect(hub.cancelled).toEqual(["cancelled by the platform"]);
  });
});

interface Script {
  agent: string;
  body: Json;
  options: object;
  signal: AbortSignal;
  /** Messages that were asked for. */
  taken: number;
  say(event: object): void;
  answer(extra?: object): void;
  fail(problem: Error): void;
}

/** Runs whose agents are the test itself. */
function scriptedHub(): {
  executions: Executions;
  cancelled: string[];
  started(index: number): Promise<Script>;
} {
  const cancelled: string[] = [];
  const scripts: Script[] = [];
  const running: Execution[] = [];

  function open(agent: string, body: Json, options: object): { script: Script; execution: Execution } {
    const pages: (ExecutionMessage | Error)[] = [];
    let wake = (): void => undefined;
    const push = (page: ExecutionMessage | Error): void => {
      pages.push(page);
      wake();
    };
    const script: Script = {
      agent,
      body,
      options,
      taken: 0,
      signal: new AbortController().signal,
      say: (message) => push({ kind: "event", sequence: 0, text: JSON.stringify(message) }),
      answer: (extra = {}) => {
        const base = { version: "1.0", task_id: TASK_ID, status: "completed", artifacts: [], metrics: {} };
        push({ kind: "response", text: JSON.stringify({ ...base, ...extra }) });
      },
      fail: push,
    };
    async function* messages(signal: AbortSignal): AsyncGenerator<ExecutionMessage[]> {
      script.signal = signal;
      signal.addEventListener("abort", () => wake());
      while (!signal.aborted) {
        const page = pages.shift();
        if (page instanceof Error) throw page;
        if (page) {
          script.taken += 1;
          yield [page];
          if (page.kind === "response") return;
        } else await new Promise<void>((resolve) => (wake = resolve));
      }
    }
    const execution: Execution = {
      runId: "run",
      taskId: TASK_ID,
      messages: (_after, signal) => messages(signal),
      async response(signal) {
        for await (const [message] of messages(signal)) if (message?.kind === "response") return message.text;
        signal.throwIfAborted();
        throw new Error("no response");
      },
      async cancel(reason) {
        cancelled.push(reason);
        script.answer({ status: "cancelled" });
      },
    };
    return { script, execution };
  }

  return {
    cancelled,
    async started(index) {
      await until(() => scripts.length > index);
      const script = scripts[index];
      if (script === undefined) throw new Error("not started");
      return script;
    },
    executions: {
      async start(agent, body, options) {
        if (agent === "nobody") throw new ProctorError("AGENT_NOT_FOUND", 'there is no agent "nobody"');
        if (!isJsonObject(body) || body["task_id"] === undefined) {
          throw new ProctorError("INVALID_REQUEST", "task_id: is missing");
        }
        const { script, execution } = open(agent, body, options);
        scripts.push(script);
        running.push(execution);
        return execution;
      },
      async find(_agent, taskId) {
        const found = running.find((execution) => execution.taskId === taskId);
        if (found) return found;
        throw new ProctorError("RUN_NOT_FOUND", `there is no task ${taskId}`);
      },
    },
  };
}

async function setUp({ agents = ["coder"] }: { agents?: string[] } = {}): Promise<{
  client: PeerClient;
  hub: ReturnType<typeof scriptedHub>;
  server: GrpcListening;
  problems: unknown[];
  stop: () => void;
}> {
  const hub = scriptedHub();
  const stopping = new AbortController();
  const problems: unknown[] = [];
  const directory = { agents: async () => ({ items: agents.map((name) => ({ name })), next_cursor: null }) };
  const server = await listenGrpc({
    host: "127.0.0.1",
    port: 0,
    routes: [
      createGrpcRoutes({
        executions: hub.executions,
        stopping: stopping.signal,
        keepAliveMs: 1000,
        report: (problem) => problems.push(problem),
        // Only its list of agents is asked for.
        hub: directory as unknown as Hub,
      }),
    ],
    authorize: () => undefined,
    onError: (problem) => problems.push(problem),
  });
  const client = peerClient(server.url);
  closers.push(
    () => server.close(0),
    () => client.close(),
  );
  return { client, hub, server, problems, stop: () => stopping.abort() };
}

/** A call over bare HTTP/2, which reads nothing until it is told to. */
function executeStream(server: GrpcListening, headers: Record<string, string> = {}): ClientHttp2Stream {
  const session = connect(server.url.replace("grpc:", "http:"));
  closers.push(() => session.destroy());
  const call = session.request({
    ":method": "POST",
    ":path": "/atp.v1.Agent/ExecuteStream",
    "content-type": "application/grpc",
    te: "trailers",
    ...headers,
  });
  return call.end(Buffer.from([0, 0, 0, 0, 3, 0x12, 1, 0x61]));
}

function firstOf(call: {
  once(name: "data", listener: (message: unknown) => void): unknown;
}): Promise<unknown> {
  return new Promise((resolve) => call.once("data", resolve));
}

/** Until nothing has changed for a good while of turns of the loop. */
async function settled(value: () => number): Promise<void> {
  for (let same = 0, last = value(); same < 200; same = value() === last ? same + 1 : 0) {
    last = value();
    await new Promise((resolve) => setImmediate(resolve));
  }
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve));
}
