// Probes are real exchanges in the protocol of the agent; agents that are given by a URL alone describe themselves.
import type { IncomingMessage, ServerResponse } from "node:http";
import { afterEach, describe, expect, it } from "vitest";
import { startAgent } from "../../test/support/doubles/scripted.ts";
import { eventually } from "../../test/support/eventually.ts";
import { serveHttp } from "../../test/support/http/servers.ts";
import { openTestRegistry, type TestRegistry } from "../../test/support/test-registry.ts";
import { ProctorError } from "../core/errors.ts";
import { discoverAgent } from "../cli/compose/discover-agent.ts";
import { probeAgent } from "../cli/compose/probe-agent.ts";
import { createProber, type Prober, type ProberDeps } from "./prober.ts";

const signal = new AbortController().signal;

function json(response: ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

async function bodyOf(request: IncomingMessage): Promise<{ id?: number; method?: string }> {
  let text = "";
  for await (const chunk of request.setEncoding("utf8")) text += String(chunk);
  return text === "" ? {} : (JSON.parse(text) as object);
}

/** Answers as an MCP server with one tool does. */
async function serveMcp(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { id, method } = await bodyOf(request);
  if (request.method !== "POST") return json(response, {}, 405);
  if (id === undefined) return void response.writeHead(202).end();
  const inputSchema = { type: "object", properties: { city: { type: "string" } } };
  const results: Record<string, unknown> = {
    initialize: {
      protocolVersion: "2025-06-18",
      capabilities: { tools: {} },
      serverInfo: { name: "weather", version: "3.1.0" },
    },
    "tools/list": { tools: [{ name: "forecast", description: "Says how it will be", inputSchema }] },
  };
  const result = results[method ?? ""];
  json(
    response,
    result ? { jsonrpc: "2.0", id, result } : { jsonrpc: "2.0", id, error: { code: -32601, message: "no" } },
  );
}

describe("a probe", () => {
  it("of A2A reads the card and asks for a task that does not exist", async () => {
    const { url } = await startAgent({});
    expect(await probeAgent({ protocol: "a2a", transport: "http", url }, signal)).toBeUndefined();
  });

  it("of A2A is not taken in by a server that is none", async () => {
    const { url } = await serveHttp((_, response) => json(response, { hello: true }));
    const trouble = await probeAgent({ protocol: "a2a", transport: "http", url }, signal);
    expect(trouble).toEqual(expect.any(String));
  });

  it.each([
    ["ap", "GET /ap/v1/agent/tasks"],
    ["openai", "GET /models"],
    ["rest", "OPTIONS /"],
    ["atp", "GET /execute"],
  ])("of %s is the request %s, with the agent's headers", async (protocol, expected) => {
    const seen: string[] = [];
    const { url } = await serveHttp((request, response) => {
      seen.push(`${request.method} ${request.url} ${String(request.headers["x-key"])}`);
      json(response, {}, protocol === "atp" ? 400 : 200);
    });
    const spec = { protocol, transport: "http", url, headers: { "x-key": "k" } };
    expect(await probeAgent(spec, signal)).toBeUndefined();
    expect(seen).toEqual([`${expected} k`]);
  });

  it.each(["ap", "openai", "rest", "atp", "a2a"])("of %s says what is wrong", async (protocol) => {
    const server = await serveHttp((_, response) => json(response, {}, 503));
    const { url } = server;
    const broken = await probeAgent({ protocol, transport: "http", url }, signal);
    expect(broken).toMatch(/503/);
    await server.close();
    const gone = await probeAgent({ protocol, transport: "http", url }, signal);
    expect(gone).toMatch(/ECONNREFUSED|connect|refused/i);
  });

  it("of a program does not exist: it would have to be started", async () => {
    expect(await probeAgent({ protocol: "text", transport: "stdio", command: ["x"] }, signal)).toBeNull();
  });
});

describe("an agent that is given by its URL alone", () => {
  it("is known by its A2A card, whose skills are its capabilities", async () => {
    const { url } = await startAgent({});
    const { spec, profile } = await discoverAgent(url);
    expect(spec).toEqual({ protocol: "a2a", transport: "http", url });
    expect(profile.version).toEqual(expect.any(String));
  });

  it("is known by the tools of its MCP server, with their schemas", async () => {
    const { url } = await serveHttp((request, response) => void serveMcp(request, response));
    expect(await discoverAgent(`${url}/mcp`)).toEqual({
      spec: { protocol: "mcp", transport: "http", url: `${url}/mcp` },
      profile: {
        version: "3.1.0",
        capabilities: [
          {
            name: "forecast",
            description: "Says how it will be",
            parameters: { type: "object", properties: { city: { type: "string" } } },
          },
        ],
      },
    });
  });

  it("is known as an agent of ATP by its refusal of an empty task", async () => {
    const { url } = await serveHttp((request, response) =>
      json(response, {}, request.url === "/execute" && request.method === "POST" ? 400 : 404),
    );
    expect(await discoverAgent(url)).toMatchObject({ spec: { protocol: "atp" } });
  });

  it("is refused where nothing describes itself, with everything that was tried", async () => {
    const { url } = await serveHttp((_, response) => json(response, {}, 404));
    await expect(discoverAgent(url)).rejects.toMatchObject({
      code: "INVALID_REQUEST",
      message: expect.stringMatching(/A2A card.*MCP server.*ATP.*rest\+/s) as string,
    });
  });
});

describe("the prober", () => {
  let opened: TestRegistry;
  let prober: Prober;
  let trouble: string | undefined;
  let asked = 0;
  afterEach(async () => {
    await prober.close();
    await opened.close();
  });

  type Watched = ProberDeps["registry"];

  async function start(wrap = (watched: Watched): Watched => watched): Promise<void> {
    opened = await openTestRegistry();
    asked = 0;
    trouble = undefined;
    const { registry, clock } = opened;
    const watched: Watched = {
      probed: (name, found) => registry.probed(name, found),
      probedAgents: () => registry.probedAgents(),
      watch: (after, stop) => registry.watch(after, stop),
    };
    prober = createProber({
      registry: wrap(watched),
      clock,
      specOf: async () => ({ protocol: "rest", transport: "http", url: "http://127.0.0.1:9/" }),
      probe: async () => {
        asked += 1;
        return trouble;
      },
      random: () => 0.5,
      everyMs: 60_000,
      report: (problem) => opened.problems.push(problem),
    });
    prober.start();
  }

  const state = async () => (await opened.registry.get("site")).health.state;
  async function round(number: number): Promise<void> {
    opened.clock.advance(60_000);
    await eventually(() => expect(asked).toBe(number));
  }

  it("asks a new agent at once, then once in an interval; one failure is suspect, three are offline", async () => {
    await start();
    const endpoint = "rest+http://127.0.0.1:9/";
    await opened.registry.register({ name: "site", endpoint, probe: true });
    await eventually(async () => expect(await state()).toBe("online"));
    trouble = "it is closed";
    await eventually(() => expect(opened.clock.waiting).toBeGreaterThan(0));
    await round(2);
    await eventually(async () => expect(await state()).toBe("suspect"));
    await eventually(async () => {
      opened.clock.advance(60_000);
      expect(await state()).toBe("offline");
    });
    expect((await opened.registry.get("site")).health.trouble).toBe("it is closed");
    trouble = undefined;
    await eventually(async () => {
      opened.clock.advance(60_000);
      expect(await state()).toBe("online");
    });
    const { items } = await opened.registry.history("site", {});
    expect(items.map((entry) => entry.state).slice(0, 4)).toEqual(["online", "offline", "suspect", "online"]);
  });

  it("watches again after it was let go as too slow, and still asks new agents at once", async () => {
    await start(({ watch, ...registry }) => {
      let isFirst = true;
      return {
        ...registry,
        async *watch(after, stop) {
          if (isFirst) {
            isFirst = false;
            throw new ProctorError("RATE_LIMITED", "this watcher is too slow");
          }
          yield* watch(after, stop);
        },
      };
    });
    await eventually(() => expect(opened.clock.waiting).toBe(2));
    opened.clock.advance(60_000);
    await opened.registry.register({ name: "site", endpoint: "rest+http://127.0.0.1:9/", probe: true });
    await eventually(async () => expect(await state()).toBe("online"));
    expect(opened.problems).toEqual([]);
  });

  it("never asks agents that beat", async () => {
    await start();
    await opened.registry.register({ name: "beater" });
    await opened.registry.register({ name: "site", endpoint: "rest+http://127.0.0.1:9/", probe: true });
    await eventually(() => expect(asked).toBe(1));
    const beat = Promise.resolve().then(() => opened.registry.beat("site", {}));
    await expect(beat).rejects.toMatchObject({ code: "NOT_SUPPORTED" });
  });
});
