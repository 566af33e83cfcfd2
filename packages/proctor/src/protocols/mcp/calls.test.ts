// Calls of tools on real servers of the official library, of both kinds of revisions, and on servers that do odd things.
import type { ServerResponse } from "node:http";
import { McpServer, createMcpHandler } from "@modelcontextprotocol/server";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { drive } from "../../../test/support/protocols/drive.ts";
import { serveHttp } from "../../../test/support/http/servers.ts";
import type { AgentSpec } from "../../core/agent.ts";
import { isJsonObject, type Json, type JsonObject } from "../../core/json.ts";
import { listen, type Listening } from "../../runtime/http/listen.ts";
import { listTools } from "./list-tools.ts";

const FAREWELL = { type: "text", text: "bye" } as const;

function createServer(): McpServer {
  const server = new McpServer({ name: "fixture", version: "2.5.0" });
  server.registerTool(
    "add",
    {
      description: "Adds",
      inputSchema: z.object({ a: z.number(), b: z.number() }),
      outputSchema: z.object({ sum: z.number() }),
    },
    async ({ a, b }) => ({
      content: [{ type: "text", text: String(a + b) }],
      structuredContent: { sum: a + b },
    }),
  );
  server.registerTool("greet", { inputSchema: z.object({ name: z.string() }) }, async ({ name }) => ({
    content: [{ type: "text", text: `hello ${name}` }, FAREWELL],
  }));
  server.registerTool("fail", { inputSchema: z.looseObject({}) }, async () => ({
    content: [{ type: "text", text: "no such city" }],
    isError: true,
  }));
  server.registerTool("draw", { inputSchema: z.looseObject({}) }, async () => ({
    content: [
      { type: "image", data: "AAAA", mimeType: "image/png" },
      { type: "resource", resource: { uri: "file:///../../etc/passwd", blob: "AAAA" } },
      { type: "resource_link", uri: "https://example.com/big.bin", name: "big", size: 7 },
    ],
  }));
  return server;
}

let server: Listening;
beforeAll(async () => {
  const old = createMcpHandler(createServer);
  const fresh = createMcpHandler(createServer, { legacy: "reject" });
  const app = {
    fetch: (request: Request) =>
      new URL(request.url).pathname === "/new" ? fresh.fetch(request) : old.fetch(request),
  };
  server = await listen({ app, host: "127.0.0.1", port: 0 });
});
afterAll(() => server.close(0));

const at = (path: string, options?: JsonObject): AgentSpec => ({
  protocol: "mcp",
  transport: "http",
  url: `${server.url}${path}`,
  ...(options && { options }),
});

function call(path: string, capability: string, input?: JsonObject) {
  const task = { description: "call it", ...(input && { input_data: input }) };
  return drive(at(path), { task, options: { capability } });
}

describe.each([
  ["with sessions", "/old"],
  ["without sessions", "/new"],
])("an MCP server %s", (_kind, path) => {
  it("says its tools and its version, as capabilities", async () => {
    const listed = await listTools(at(path), new AbortController().signal);
    expect(listed).toMatchObject({ ok: true, profile: { version: "2.5.0" } });
    const names = listed.ok ? listed.profile.capabilities?.map(({ name }) => name) : [];
    expect(names).toEqual(["add", "greet", "fail", "draw"]);
  });

  it("is called by the capability that the run names, and its structured content is the output", async () => {
    const { end, reports, said } = await call(path, "add", { a: 1, b: 2 });
    expect(end).toEqual({ status: "completed" });
    expect(said).toBe("3");
    expect(reports).toContainEqual({
      kind: "artifact",
      artifact: { type: "structured", name: "result", data: { sum: 3 } },
    });
  });

  it("answers in text where a tool has no structured content", async () => {
    expect(await call(path, "greet", { name: "Ada" })).toMatchObject({
      output: "hello Ada\nbye",
      said: "hello Ada\nbye",
    });
  });

  it("fails the run with the words of a tool that fails", async () => {
    const { end } = await call(path, "fail");
    expect(end).toEqual({ status: "failed", failure: { code: "AGENT_FAILED", message: "no such city" } });
  });

  it("fails the run with its own words where it has no such tool", async () => {
    const { end } = await call(path, "fly");
    expect(end).toMatchObject({
      status: "failed",
      failure: { code: "AGENT_FAILED", message: expect.stringMatching(/fly/) as string },
    });
  });

  it("gives files and links as artifacts whose names lead nowhere", async () => {
    const { reports } = await call(path, "draw");
    expect(reports.flatMap((report) => (report.kind === "artifact" ? [report.artifact] : []))).toMatchObject([
      { type: "file", path: "image-1.png", content_type: "image/png", content: Buffer.alloc(3) },
      { type: "file", path: "passwd", content: Buffer.alloc(3) },
      { type: "reference", path: "https://example.com/big.bin", elsewhere: true, size_bytes: 7 },
    ]);
  });
});

describe("an MCP server as an agent", () => {
  it("is refused where neither the run nor its options say which tool to call", async () => {
    const { end } = await drive(at("/old"));
    expect(end).toMatchObject({
      failure: { code: "INVALID_REQUEST", message: expect.stringMatching(/--capability/) as string },
    });
  });

  it("is asked as its options say where the run names no capability", async () => {
    const options = { tool: "greet", arguments: { name: "{task}" } };
    const { output } = await drive(at("/old", options), { task: { description: "Grace" } });
    expect(output).toBe("hello Grace\nbye");
  });

  it.each([
    ["a word that is no option", { toool: "x" }],
    ["arguments without a tool", { arguments: {} }],
    ["a mistyped placeholder", { tool: "x", arguments: { a: "{taks}" } }],
  ])("has no options with %s", async (_what, options) => {
    const { end } = await drive(at("/old", options));
    expect(end.failure?.code).toBe("INVALID_REQUEST");
  });
});

/** A server whose `tools/call` is answered as the test says; what it was sent is kept. */
async function oddServer(answer: (id: Json, response: ServerResponse) => void) {
  const sent: JsonObject[] = [];
  const { url } = await serveHttp((request, response) => {
    let text = "";
    request.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
    request.on("end", () => {
      const message = text === "" ? { method: request.method ?? "" } : (JSON.parse(text) as JsonObject);
      sent.push(message);
      const { id, method } = message;
      if (method === "tools/call") return answer(id ?? null, response);
      if (method !== "initialize") return void response.writeHead(202).end();
      const result = { protocolVersion: "2025-06-18", capabilities: {}, serverInfo: {} };
      json(response, { jsonrpc: "2.0", id: id ?? null, result }, { "mcp-session-id": "s1" });
    });
  });
  const spec: AgentSpec = { protocol: "mcp", transport: "http", url, options: { tool: "t" } };
  return { spec, sent };
}

function json(response: ServerResponse, body: JsonObject, headers: Record<string, string> = {}): void {
  response.writeHead(200, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
}

function stream(response: ServerResponse, ...messages: (JsonObject | string)[]): void {
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (const message of messages)
    response.write(`data: ${typeof message === "string" ? message : JSON.stringify(message)}\n\n`);
  response.end();
}

const DONE = { content: [{ type: "text", text: "done" }] };

describe("a driver of MCP", () => {
  it("reports progress, answers a ping, refuses other questions, and gives the session back", async () => {
    const { spec, sent } = await oddServer((id, response) =>
      stream(
        response,
        { jsonrpc: "2.0", method: "notifications/progress", params: { progress: 1, total: 4, message: "m" } },
        { jsonrpc: "2.0", id: "p", method: "ping" },
        { jsonrpc: "2.0", id: "q", method: "sampling/createMessage", params: {} },
        { jsonrpc: "2.0", id: "another", result: {} },
        { jsonrpc: "2.0", id, result: DONE },
      ),
    );
    const { reports, end } = await drive(spec);
    expect(end.status).toBe("completed");
    const payload = { current_step: 1, total_steps: 4, percentage: 25, message: "m" };
    expect(reports).toContainEqual({ kind: "event", event: { type: "progress", payload } });
    expect(sent.find(({ id }) => id === "p")).toMatchObject({ result: {} });
    expect(sent.find(({ id }) => id === "q")).toMatchObject({ error: { code: -32_601 } });
    expect(sent.at(-1)).toEqual({ method: "DELETE" });
  });

  it("records what is no message, and hears what follows", async () => {
    const { spec } = await oddServer((id, response) =>
      stream(response, "nonsense", "[".repeat(5000), { jsonrpc: "2.0", id, result: DONE }),
    );
    const { rules, end } = await drive(spec);
    expect(rules).toEqual(["mcp.json", "mcp.json"]);
    expect(end.status).toBe("completed");
  });

  it.each([
    ["ends its stream early", (response: ServerResponse) => stream(response), "NO_RESPONSE"],
    ["answers nothing", (response: ServerResponse) => json(response, {}), "INVALID_RESPONSE"],
    ["answers in HTML", (response: ServerResponse) => void response.end("<p>"), "WRONG_CONTENT_TYPE"],
    ["refuses", (response: ServerResponse) => void response.writeHead(500).end(), "HTTP_ERROR"],
    [
      "redirects",
      (response: ServerResponse) => void response.writeHead(307, { location: "http://x.test/" }).end(),
      "REDIRECTED",
    ],
  ])("fails when the server %s", async (_what, answer, code) => {
    const { spec } = await oddServer((_id, response) => answer(response));
    expect((await drive(spec)).end).toMatchObject({ status: "failed", failure: { code } });
  });

  it("fails when a tool asks for more", async () => {
    const { spec } = await oddServer((id, response) =>
      json(response, { jsonrpc: "2.0", id, result: { resultType: "input_required" } }),
    );
    expect((await drive(spec)).end).toMatchObject({ failure: { code: "NO_ANSWER" } });
  });

  it("tells the server when a call is cancelled", async () => {
    const cancel = new AbortController();
    const { spec, sent } = await oddServer((_id, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders();
      cancel.abort();
    });
    const { end } = await drive(spec, {}, () => undefined, cancel.signal);
    expect(end).toEqual({ status: "cancelled" });
    const call = sent.find(({ method }) => method === "tools/call");
    const told = sent.find(({ method }) => method === "notifications/cancelled");
    expect(isJsonObject(told?.["params"]) && told["params"]["requestId"]).toBe(call?.["id"]);
  });

  it("keeps the messages of a run that is recorded", async () => {
    const { spec } = await oddServer((id, response) => json(response, { jsonrpc: "2.0", id, result: DONE }));
    const { reports } = await drive(spec, { record: true });
    const wire = reports.flatMap((report) =>
      report.kind === "event" && report.event.type === "wire.message" ? [report.event.payload] : [],
    );
    expect(wire.map(({ direction }) => direction)).toEqual(["sent", "received", "sent", "sent", "received"]);
  });
});
