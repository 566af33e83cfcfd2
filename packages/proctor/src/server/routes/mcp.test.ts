// The hub's MCP endpoint, as the official client and others speak to it.
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { JsonObject } from "../../core/json.ts";
import { openServedScriptTools, type ServedScriptTools } from "../../../test/support/script-tools.ts";

let served: ServedScriptTools;
beforeAll(async () => {
  served = await openServedScriptTools();
  const parameters = { type: "object", properties: { a: { type: "number" } }, required: ["a"] };
  const base = { language: "javascript", parameters } as const;
  await served.tools.put({
    ...base,
    name: "double",
    description: "Doubles a number.",
    source: "const run = ({ a }) => ({ result: a * 2 })",
    returns: { type: "object", properties: { result: { type: "number" } }, required: ["result"] },
  });
  await served.tools.put({
    ...base,
    name: "say",
    source: "const run = ({ a }) => `it is ${a}`",
    returns: { type: "string" },
  });
});
afterAll(() => served.close());

function post(body: unknown, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${served.url}/mcp`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...headers,
    },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
}

describe.each(["legacy", "auto"] as const)("the official client of MCP, with the negotiation %s,", (mode) => {
  let client: Client;
  beforeAll(async () => {
    client = new Client({ name: "test", version: "1.0.0" }, { versionNegotiation: { mode } });
    await client.connect(new StreamableHTTPClientTransport(new URL(`${served.url}/mcp`)));
  });
  afterAll(() => client.close());

  it("lists the script tools with their schemas", async () => {
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(["double", "say"]);
    expect(tools[0]).toMatchObject({
      description: "Doubles a number.",
      inputSchema: { type: "object", required: ["a"] },
      outputSchema: { type: "object", required: ["result"] },
    });
    expect(tools[1]).not.toHaveProperty("outputSchema");
  });

  it("calls a script tool and gets structured content, or text", async () => {
    expect(await client.callTool({ name: "double", arguments: { a: 21 } })).toMatchObject({
      structuredContent: { result: 42 },
      content: [{ type: "text", text: '{"result":42}' }],
    });
    expect(await client.callTool({ name: "say", arguments: { a: 1 } })).toMatchObject({
      content: [{ type: "text", text: "it is 1" }],
    });
  });

  it("is told of input that does not fit as a failure of the tool, and of a tool that is not there as an error", async () => {
    const wrong = await client.callTool({ name: "double", arguments: { a: "x" } });
    expect(wrong).toMatchObject({
      isError: true,
      content: [{ text: expect.stringMatching(/INVALID_INPUT: .*\/a/) as string }],
    });
    await expect(client.callTool({ name: "none", arguments: {} })).rejects.toThrow(
      /there is no tool named none/,
    );
    expect(await client.ping()).toEqual({});
  });
});

describe("the MCP endpoint of the hub", () => {
  it.each(["2025-11-25", "2025-06-18", "2025-03-26"])(
    "speaks the revision %s when it is asked to",
    async (revision) => {
      const params = { protocolVersion: revision, capabilities: {}, clientInfo: { name: "x", version: "1" } };
      const answer = (await (
        await post({ jsonrpc: "2.0", id: 1, method: "initialize", params })
      ).json()) as JsonObject;
      expect(answer).toMatchObject({
        id: 1,
        result: { protocolVersion: revision, capabilities: { tools: {} } },
      });
    },
  );

  it("answers a revision that it does not know with its newest", async () => {
    const answer = await (
      await post({ jsonrpc: "2.0", id: "a", method: "initialize", params: { protocolVersion: "1999" } })
    ).json();
    expect(answer).toMatchObject({ id: "a", result: { protocolVersion: "2025-11-25" } });
  });

  it("takes notifications in silence and has no stream of its own", async () => {
    const taken = await post({ jsonrpc: "2.0", method: "notifications/initialized" });
    expect([taken.status, await taken.text()]).toEqual([202, ""]);
    const stream = await fetch(`${served.url}/mcp`, { headers: { accept: "text/event-stream" } });
    expect(stream.status).toBe(405);
    await stream.text();
  });

  it.each<[string, unknown, object, number]>([
    ["what is no JSON-RPC", { id: 1, method: "ping" }, { error: { code: -32_600 } }, 400],
    ["a batch", [{ jsonrpc: "2.0", id: 1, method: "ping" }], { error: { code: -32_600 } }, 400],
    [
      "an unknown method",
      { jsonrpc: "2.0", id: 1, method: "resources/list" },
      { id: 1, error: { code: -32_601 } },
      200,
    ],
    [
      "a method that is no text",
      { jsonrpc: "2.0", id: 1, method: 7 },
      { id: 1, error: { code: -32_601 } },
      200,
    ],
    [
      "a call without a name",
      { jsonrpc: "2.0", id: 1, method: "tools/call" },
      { error: { code: -32_602 } },
      200,
    ],
    [
      "a cursor that it never gave",
      { jsonrpc: "2.0", id: 1, method: "tools/list", params: { cursor: "x" } },
      { error: { code: -32_602 } },
      200,
    ],
    [
      "arguments that are no object",
      { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "say", arguments: 7 } },
      { result: { isError: true } },
      200,
    ],
  ])("answers %s", async (_what, body, answer, status) => {
    const response = await post(body);
    expect([response.status, await response.json()]).toMatchObject([status, answer]);
  });

  it("refuses what is no JSON, too large, or sent by a page of another site", async () => {
    const statuses = await Promise.all([
      post("{"),
      post({ jsonrpc: "2.0", id: 1, method: "ping", params: { x: "x".repeat(2_000_000) } }),
      post({ jsonrpc: "2.0", id: 1, method: "ping" }, { "content-type": "text/plain" }),
      post({ jsonrpc: "2.0", id: 1, method: "ping" }, { origin: "https://example.com" }),
    ]);
    expect(statuses.map(({ status }) => status)).toEqual([400, 413, 415, 403]);
    await Promise.all(statuses.map((response) => response.text()));
  });
});
