// Tools as an agent calls them: docs/reference/atp.md, "Tools".
import { EventEmitter, once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  type Message,
  NO_PYTHON,
  readOutput,
  requestWith,
  runStdio,
  startAgent,
  TASK_ID,
} from "./python-agent.ts";

interface Call {
  url: string | undefined;
  body: Message;
}

describe.skipIf(NO_PYTHON).concurrent("tools of a Python agent", () => {
  const calls: Call[] = [];
  const arrivals = new EventEmitter();
  let endpoint = "";
  const server = createServer((incoming, outgoing) => void answer(incoming, outgoing));

  async function answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    let text = "";
    for await (const chunk of incoming) text += String(chunk);
    calls.push({ url: incoming.url, body: JSON.parse(text) as Message });
    arrivals.emit(incoming.url ?? "");
    const send = (status: number, body: unknown): void => {
      outgoing.writeHead(status, { "content-type": "application/json", location: "/elsewhere" });
      outgoing.end(typeof body === "string" ? body : JSON.stringify(body));
    };
    switch (incoming.url?.split("/").at(-1)) {
      case "search?k=1":
        return send(200, { status: "success", output: { results: [1] }, duration_ms: 5 });
      case "broken?k=1":
        return send(200, { status: "error", error: "no luck", error_code: "RATE_LIMITED", duration_ms: 1 });
      case "missing?k=1":
        return send(404, {
          status: "error",
          error: "no such tool",
          error_code: "TOOL_NOT_FOUND",
          error_details: { available_tools: ["search"] },
        });
      case "garbage?k=1":
        return send(200, "<html>");
      case "moved?k=1":
        return send(302, "");
      case "huge?k=1":
        return send(200, JSON.stringify({ status: "success", output: "x".repeat(11_000_000) }));
      default:
        return; // this tool never answers
    }
  }

  beforeAll(async () => {
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}/run/tools/?k=1`;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  const call = (tool: string, more: Message = {}, environment: Message = {}): Message =>
    requestWith(
      "tool",
      { tool, query: "k-secret-1" },
      { context: { tools_endpoint: endpoint, environment }, ...more },
    );

  it("are called with task, input and call id, and reported without secrets", async () => {
    const { response, events } = await runStdio(call("search", {}, { KEY: "k-secret-1" }));
    expect(response).toMatchObject({
      status: "completed",
      artifacts: [{ data: { found: { results: [1] } } }],
      metrics: { tool_calls: 1 },
    });
    const [event] = events;
    expect(event).toMatchObject({
      event_type: "tool_call",
      payload: {
        tool: "search",
        input: { query: "[redacted:KEY]" },
        output: { results: [1] },
        status: "success",
      },
    });
    const made = calls.find(({ url }) => url === "/run/tools/search?k=1");
    expect(made?.body).toEqual({
      task_id: TASK_ID,
      input: { query: "k-secret-1" },
      call_id: (event?.["payload"] as Message | undefined)?.["call_id"],
    });
  });

  it.each([
    ["broken", "RATE_LIMITED", "no luck"],
    ["missing", "TOOL_NOT_FOUND", "no such tool"],
    ["garbage", "TOOL_ERROR", "nothing that can be understood"],
    ["moved", "TOOL_ERROR", "302"],
    ["huge", "TOOL_ERROR", "more than"],
  ])("raise an error that ends the task when the tool is %s", async (tool, code, message) => {
    const { response, events } = await runStdio(call(tool));
    expect(response).toMatchObject({ status: "failed", error_code: code });
    expect(response["error"]).toContain(message);
    expect(events).toMatchObject([{ event_type: "tool_call", payload: { tool, status: "error" } }]);
  });

  it("are neither called nor reported when they are not allowed", async () => {
    const { response, events } = await runStdio(
      call("forbidden", { constraints: { allowed_tools: ["search"] } }),
    );
    expect(response).toMatchObject({
      status: "failed",
      error_code: "TOOL_NOT_FOUND",
      error_details: { tool: "forbidden", available_tools: ["search"] },
    });
    expect(events).toEqual([]);
    expect(calls.some(({ url }) => url?.includes("forbidden"))).toBe(false);
  });

  it("fail without an endpoint, and at one that does not answer", async () => {
    const without = await runStdio(requestWith("tool", { tool: "search" }));
    expect(without.response).toMatchObject({ error_code: "TOOL_NOT_FOUND" });
    const dead = requestWith(
      "tool",
      { tool: "search" },
      { context: { tools_endpoint: "http://127.0.0.1:1/" } },
    );
    expect((await runStdio(dead)).response).toMatchObject({ error_code: "TOOL_ERROR" });
  });

  it("are abandoned when the task is cancelled or out of time", async () => {
    const late = await runStdio(call("silent", { constraints: { timeout_seconds: 1 } }));
    expect(late.response).toMatchObject({ status: "timeout" });
    expect(late.events).toMatchObject([{ payload: { tool: "silent", status: "error" } }]);
    const called = once(arrivals, "/run/tools/mute?k=1");
    const started = startAgent();
    started.child.stdin?.end(`${JSON.stringify(call("mute"))}\n`);
    await called;
    started.child.kill("SIGTERM");
    await started.ended;
    expect(readOutput(started).response).toMatchObject({ status: "cancelled", metrics: { tool_calls: 1 } });
  });

  it("can be awaited by async agents", async () => {
    const asked = requestWith("asynchronous", { tool: true }, { context: { tools_endpoint: endpoint } });
    expect((await runStdio(asked)).response).toMatchObject({
      artifacts: [{ data: { found: { results: [1] } } }],
    });
  });
});
