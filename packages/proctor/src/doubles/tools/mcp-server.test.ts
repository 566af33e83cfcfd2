// Tools of real MCP servers: programs on stdio, and servers over HTTP.
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findMarked } from "../../runtime/processes/strays.ts";
import type { JsonObject } from "../../core/json.ts";
import type { McpServer } from "../../core/tools.ts";
import { listen, type Listening } from "../../runtime/http/listen.ts";
import {
  RUN,
  startTools,
  until,
  type OpenedTools,
  type ToolsHarness,
} from "../../../test/support/doubles/tools-harness.ts";
import { mcpHandler, mcpProgram } from "../../../test/support/doubles/mcp-program.ts";

let tools: ToolsHarness;
beforeAll(async () => {
  tools = await startTools();
});
afterAll(() => tools.close());

function alive(pid: number): boolean {
  try {
    // A zombie has ended; only its parent has not looked yet.
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}

describe("an MCP server on stdio", () => {
  let session: OpenedTools;
  beforeAll(async () => {
    const mine = { name: "count", default: { output: "mocked" } };
    session = await tools.open({ tools: [mine], mcp: [mcpProgram({ env: { TOKEN: "t0ken-in-env" } })] });
  });
  afterAll(() => session.close());

  test("offers its tools under their own names, beside those listed, which win", async () => {
    expect([...session.names].sort()).toEqual(
      ["add", "child", "count", "crash", "env", "fail", "hang", "image", "pid", "weather"].sort(),
    );
    expect((await session.call("count")).body).toMatchObject({ output: "mocked" });
    const { tools: listed } = (await (await fetch(session.url)).json()) as { tools: JsonObject[] };
    expect(listed.find(({ name }) => name === "add")).toMatchObject({
      description: "Adds.",
      input_schema: { type: "object", required: ["a", "b"] },
    });
  });

  test.each<[string, JsonObject, object]>([
    ["add", { a: 2, b: 3 }, { status: "success", output: "5" }],
    ["weather", {}, { status: "success", output: { degrees: 21 } }],
    ["image", {}, { output: [{ type: "image", data: "AAAA", mimeType: "image/png" }] }],
    ["fail", {}, { status: "error", error: "no such city", error_code: "TOOL_ERROR" }],
    ["add", { a: "two" }, { status: "error", error_code: "TOOL_ERROR" }],
  ])("answers %s(%j)", async (name, input, expected) => {
    expect((await session.call(name, input)).body).toMatchObject(expected);
    expect(session.calls.at(-1)).toMatchObject({ tool: name, mode: "mcp" });
  });

  test("takes an object only", async () => {
    expect((await session.call("add", [1])).body).toMatchObject({
      error_code: "TOOL_ERROR",
      error: "add is an MCP tool and takes an object as its input",
    });
  });

  test("is started once, with its own environment and nothing of ours", async () => {
    const textOf = async (name: string): Promise<string> =>
      JSON.stringify((await session.call(name)).body["output"]).slice(1, -1);
    const pid = await textOf("pid");
    expect(await textOf("pid")).toBe(pid);
    const names = (await textOf("env")).split(",");
    expect(names).toContain("TOKEN");
    expect(names).toContain("PATH");
    expect(names).not.toContain("VITEST");
    expect(readFileSync(`/proc/${pid}/environ`, "utf8")).toContain(`=${RUN}-tools-`);
  });

  test("that crashes fails the call and all that follow, and says why without its secrets", async () => {
    const crashed = (await session.call("crash")).body;
    expect(crashed).toMatchObject({ status: "error", error_code: "TOOL_ERROR" });
    expect(crashed["error"]).toMatch(/is gone: it exited with code 7: going down with \[redacted:TOKEN\]/);
    expect((await session.call("add", { a: 1, b: 1 })).body).toMatchObject({ error_code: "TOOL_ERROR" });
    expect(JSON.stringify(session.calls)).not.toContain("t0ken-in-env");
  });
});

describe.skipIf(process.platform !== "linux")("the end of a session with an MCP server", () => {
  test.each([{}, { STUBBORN: "1" }])("kills the server with its children, %j", async (env) => {
    const session = await tools.open({ tools: [], mcp: [mcpProgram({ env })] });
    const pids = await Promise.all(
      ["pid", "child"].map(async (name) => Number((await session.call(name)).body["output"])),
    );
    expect(pids.map(alive)).toEqual([true, true]);
    const arrived = tools.arrivals(1);
    const hanging = session.call("hang");
    await arrived;
    await session.close();
    expect((await hanging).body).toMatchObject({ error: "cut off: the run has ended" });
    expect(pids.map(alive)).toEqual([false, false]);
  });
});

describe("an MCP server that cannot be used", () => {
  test.each<[string, () => McpServer, RegExp]>([
    [
      "ends at once",
      () => mcpProgram({ env: { FAIL: "lic-123456" } }),
      /exited with code 3: cannot find the license \[redacted:FAIL\]/,
    ],
    [
      "does not exist",
      () => ({ command: ["no-such-program-anywhere"] }),
      /"no-such-program-anywhere" was not found/,
    ],
    [
      "says nothing",
      () => ({ command: ["sleep", "3600"], timeout_ms: 100 }),
      /"sleep 3600" cannot be used: .*timed out/i,
    ],
    [
      "does not have the wanted tool",
      () => mcpProgram({ tools: ["ad"] }),
      /has no tool "ad"\ndid you mean "add"\?/,
    ],
  ])("because it %s is refused before the run begins", async (_what, server, message) => {
    await expect(tools.open({ tools: [], mcp: [server()] })).rejects.toMatchObject({
      code: "CONFIG_INVALID",
      message: expect.stringMatching(message),
    });
  });

  test("leaves no other one running", async () => {
    const TWIN = randomUUID();
    const twice = ["add", "pid"].map((name) => mcpProgram({ tools: ["add", name], env: { TWIN } }));
    await expect(tools.open({ tools: [], mcp: twice })).rejects.toThrow('two MCP servers have a tool "add"');
    expect(findMarked("TWIN", TWIN)).toEqual([]);
  });

  test("takes no other one of its session with it", async () => {
    const mcp = ["crash", "add"].map((name) => mcpProgram({ tools: [name] }));
    const session = await tools.open({ tools: [], mcp });
    expect((await session.call("crash")).body).toMatchObject({ error_code: "TOOL_ERROR" });
    expect((await session.call("add", { a: 1, b: 1 })).body).toMatchObject({ output: "2" });
    await session.close();
  });

  test("fails a tool that takes longer than the server may", async () => {
    const session = await tools.open({ tools: [], mcp: [mcpProgram({ tools: ["hang"], timeout_ms: 6000 })] });
    // Only what was asked for is there.
    expect(session.names).toEqual(["hang"]);
    expect((await session.call("hang")).body).toMatchObject({
      error_code: "TOOL_ERROR",
      error: expect.stringMatching(/timed out/i),
    });
    await session.close();
  });
});

test("an MCP server that speaks only the newest revision is understood", async () => {
  const session = await tools.open({ tools: [], mcp: [mcpProgram({ env: { ONLY_NEW: "1" } })] });
  expect((await session.call("add", { a: 1, b: 1 })).body).toMatchObject({ output: "2" });
  await session.close();
});

describe("an MCP server over HTTP", () => {
  let server: Listening;
  let redirect: string | undefined;
  const seen: (string | null)[] = [];

  beforeAll(async () => {
    const old = mcpHandler();
    const fresh = mcpHandler({ legacy: "reject" });
    const app = {
      fetch(request: Request): Promise<Response> | Response {
        seen.push(request.headers.get("authorization"));
        if (redirect !== undefined)
          return new Response(null, { status: 307, headers: { location: redirect } });
        return new URL(request.url).pathname === "/new" ? fresh.fetch(request) : old.fetch(request);
      },
    };
    server = await listen({ app, host: "127.0.0.1", port: 0 });
  });
  afterAll(() => server.close(0));

  test.each(["/mcp", "/new"])("at %s is called with its headers", async (path) => {
    seen.length = 0;
    const headers = { authorization: "Bearer secret-token" };
    const session = await tools.open({ tools: [], mcp: [{ url: `${server.url}${path}`, headers }] });
    expect(session.names).toEqual(["shout", "big"]);
    expect((await session.call("shout", { text: "hey" })).body).toMatchObject({ output: "HEY" });
    expect(session.calls).toMatchObject([{ tool: "shout", mode: "mcp", output: "HEY" }]);
    expect(new Set(seen)).toEqual(new Set(["Bearer secret-token"]));
    await session.close();
  });

  test("is not read without end", async () => {
    // Long enough to connect on any machine.
    const session = await tools.open({ tools: [], mcp: [{ url: `${server.url}/mcp`, timeout_ms: 3000 }] });
    expect((await session.call("big")).body).toMatchObject({ error_code: "TOOL_ERROR" });
    await session.close();
  });

  test("is not followed to somewhere else", async () => {
    redirect = "http://10.0.0.1/";
    await expect(tools.open({ tools: [], mcp: [{ url: `${server.url}/mcp` }] })).rejects.toMatchObject({
      code: "CONFIG_INVALID",
      message: expect.stringContaining("redirect"),
    });
    redirect = undefined;
  });

  test("must be allowed", async () => {
    await expect(tools.open({ tools: [], mcp: [{ url: "http://10.0.0.1/mcp" }] })).rejects.toMatchObject({
      code: "FORBIDDEN",
    });
  });

  test("that goes away fails the call", async () => {
    const app = { fetch: (request: Request) => mcpHandler().fetch(request) };
    const own = await listen({ app, host: "127.0.0.1", port: 0 });
    const session = await tools.open({ tools: [], mcp: [{ url: `${own.url}/mcp` }] });
    await own.close(0);
    expect((await session.call("shout", { text: "hey" })).body).toMatchObject({ error_code: "TOOL_ERROR" });
    await session.close();
    await until(() => session.calls.length === 1);
  });
});
