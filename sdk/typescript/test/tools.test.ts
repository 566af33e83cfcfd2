import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  type AgentFunction,
  type AtpEvent,
  type AtpRequest,
  type AtpResponse,
  ToolError,
} from "../src/index.ts";
import { type RunningTask, runTask } from "../src/task/run-task.ts";
import { request, TASK_ID } from "./run-agent.ts";

let server: Server;
let endpoint: string;
let calls: { path: string | undefined; body: Record<string, unknown> }[];
let answer: (call: IncomingMessage) => { status?: number; body: string } | undefined;

beforeEach(async () => {
  calls = [];
  answer = () => ({ body: JSON.stringify({ status: "success", output: { n: 1 }, duration_ms: 3 }) });
  server = createServer((call, response) => {
    void text(call).then((body) => {
      calls.push({ path: call.url, body: JSON.parse(body) as Record<string, unknown> });
      const given = answer(call);
      if (given) response.writeHead(given.status ?? 200, { location: "/elsewhere" }).end(given.body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}/tools/run-7/`;
});

afterEach(() => {
  server.closeAllConnections();
  server.close();
});

interface Outcome {
  task: RunningTask;
  events: AtpEvent[];
}

function start(
  agent: AgentFunction,
  constraints: object = {},
  context: object = { tools_endpoint: endpoint },
): Outcome {
  const events: AtpEvent[] = [];
  const task = runTask(agent, request("d", { constraints, context }) as unknown as AtpRequest, (event) =>
    events.push(event),
  );
  return { task, events };
}

const failure = async ({ task }: Outcome): Promise<Partial<AtpResponse>> => task.response;

describe("task.tools.call", () => {
  test("posts to the tool, reports the call with its id, and returns the output", async () => {
    const { task, events } = start((task) => task.tools.call("web search/1", { query: "q" }), {
      allowed_tools: ["web search/1"],
    });
    expect((await task.response).artifacts).toMatchObject([{ data: { n: 1 } }]);
    const { call_id: id, ...body } = calls[0]?.body ?? {};
    expect(calls[0]?.path).toBe("/tools/run-7/web%20search%2F1");
    expect(body).toEqual({ task_id: TASK_ID, input: { query: "q" } });
    expect(events).toMatchObject([
      {
        event_type: "tool_call",
        payload: {
          tool: "web search/1",
          input: { query: "q" },
          output: { n: 1 },
          status: "success",
          call_id: id,
        },
      },
    ]);
    expect((await task.response).metrics).toMatchObject({ tool_calls: 1 });
  });

  test("what is not allowed is not called, and null allows everything", async () => {
    const response = await failure(start((task) => task.tools.call("rm"), { allowed_tools: ["ls"] }));
    expect(response).toMatchObject({
      error_code: "TOOL_NOT_FOUND",
      error_details: { tool: "rm", available_tools: ["ls"] },
      metrics: { tool_calls: 0 },
    });
    await failure(start((task) => task.tools.call("ls"), { allowed_tools: [] }));
    expect(calls).toEqual([]);
    await failure(start((task) => task.tools.call("rm"), { allowed_tools: null }));
    expect(calls).toHaveLength(1);
  });

  test.for(["", ".", ".."])("refuses %j as the name of a tool", async (name) => {
    expect(await failure(start((task) => task.tools.call(name)))).toMatchObject({
      error_code: "TOOL_NOT_FOUND",
    });
    expect(calls).toEqual([]);
  });

  test("without an endpoint there are no tools", async () => {
    expect(await failure(start((task) => task.tools.call("a"), {}, {}))).toMatchObject({
      error: "The task has no tools endpoint",
      error_code: "TOOL_NOT_FOUND",
    });
  });

  test.for<[string, { status?: number; body: string }, string, RegExp]>([
    ["an error", { body: '{"status":"error","error":"limit","error_code":"RATE"}' }, "RATE", /^limit$/],
    ["an error without code", { body: '{"status":"error","error":"limit"}' }, "TOOL_ERROR", /^limit$/],
    [
      "404",
      { status: 404, body: '{"status":"error","error":"no such tool"}' },
      "TOOL_NOT_FOUND",
      /^no such tool$/,
    ],
    ["no JSON", { status: 500, body: "<html>" }, "TOOL_ERROR", /answered 500/],
    ["a redirect", { status: 302, body: "" }, "TOOL_ERROR", /answered 302/],
    ["JSON of no status", { body: "[]" }, "TOOL_ERROR", /answered 200/],
    ["too much", { body: "x".repeat(11 * 1024 * 1024) }, "TOOL_ERROR", /larger than 10 MB/],
  ])("%s is thrown as a ToolError, reported, and can be caught", async ([, given, code, message]) => {
    answer = () => given;
    const { task, events } = start(async (task) => {
      const error: unknown = await task.tools.call("t").catch((thrown: unknown) => thrown);
      return error instanceof ToolError
        ? { code: error.code, message: error.message, tool: error.tool }
        : "no error";
    });
    expect((await task.response).artifacts).toMatchObject([
      { data: { code, tool: "t", message: expect.stringMatching(message) as string } },
    ]);
    expect(events).toMatchObject([
      { payload: { tool: "t", status: "error", error: expect.stringMatching(message) as string } },
    ]);
    expect(calls).toHaveLength(1);
  });

  test("a tool that is not there is TOOL_ERROR", async () => {
    server.close();
    expect(await failure(start((task) => task.tools.call("t")))).toMatchObject({
      error_code: "TOOL_ERROR",
      error: expect.stringContaining("ECONNREFUSED") as string,
    });
  });

  test("cancelling the task ends a call that waits", async () => {
    const asked = new Promise<IncomingMessage>((resolve) => {
      answer = (call) => {
        resolve(call);
        return undefined;
      };
    });
    const { task, events } = start((task) => task.tools.call("slow"));
    const call = await asked;
    const closed = new Promise((resolve) => call.socket.once("close", resolve));
    task.cancel("enough");
    expect(await task.response).toMatchObject({ status: "cancelled", error: "enough" });
    expect(events).toMatchObject([{ payload: { tool: "slow", status: "error" } }]);
    await closed;
  });

  test("secrets reach the tool and not the event", async () => {
    const context = { tools_endpoint: endpoint, environment: { KEY: "hunter2-secret" } };
    const { task, events } = start((task) => task.tools.call("t", { key: task.env["KEY"] }), {}, context);
    await task.response;
    expect(calls[0]?.body["input"]).toEqual({ key: "hunter2-secret" });
    expect(events).toMatchObject([{ payload: { input: { key: "[redacted:KEY]" } } }]);
  });
});
