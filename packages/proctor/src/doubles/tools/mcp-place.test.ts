// MCP servers whose programs live in environments: each in one of its own, which is gone when the session is.
import { randomUUID } from "node:crypto";
import { afterEach, expect, test } from "vitest";
import { ProctorError } from "../../core/errors.ts";
import type { ToolEnvironment } from "../../core/tools.ts";
import {
  ROOT,
  startProcess,
  startTools,
  type ToolsHarness,
} from "../../../test/support/doubles/tools-harness.ts";
import { mcpProgram } from "../../../test/support/doubles/mcp-program.ts";
import type { OpenToolPlace, StartOptions, ToolPlaceRequest } from "./tool-process.ts";

const opened: ToolsHarness[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((tools) => tools.close()));
});

/** Programs of others that bear the same mark would be killed with these. */
const runId = randomUUID();

interface Places {
  requests: Omit<ToolPlaceRequest, "signal" | "command">[];
  started: StartOptions[];
  /** How many are open. */
  open: number;
}

async function start(refusal?: ProctorError): Promise<{ tools: ToolsHarness; places: Places }> {
  const places: Places = { requests: [], started: [], open: 0 };
  const openPlace: OpenToolPlace = async ({ signal: _signal, command: _command, ...request }) => {
    if (refusal) throw refusal;
    places.requests.push(request);
    places.open++;
    return {
      startProcess(options) {
        places.started.push(options);
        return startProcess(options);
      },
      close: async () => void places.open--,
    };
  };
  const tools = await startTools({ openPlace });
  opened.push(tools);
  return { tools, places };
}

const environment: ToolEnvironment = { kind: "bwrap", network: "allow-list", allow_hosts: ["example.com"] };

test("MCP servers are started in environments of their own, and answer from there", async () => {
  const { tools, places } = await start();
  const mcp = [mcpProgram({ tools: ["add"], env: { TOKEN: "t" } }), mcpProgram({ tools: ["weather"] })];
  const session = await tools.open({ tools: [], mcp, environment }, { runId });
  expect((await session.call("add", { a: 1, b: 2 })).body).toMatchObject({ output: "3" });
  expect((await session.call("weather")).body).toMatchObject({ output: { degrees: 21 } });
  expect(places.requests).toEqual([
    { id: `${runId}-tools-0`, environment, cwd: ROOT },
    { id: `${runId}-tools-1`, environment, cwd: ROOT },
  ]);
  expect(places.started.map(({ env }) => env)).toMatchObject([
    { TOKEN: "t", PROCTOR_RUN_ID: expect.stringContaining(`${runId}-tools-`) },
    {},
  ]);
  expect(places.open).toBe(2);
  await session.close();
  expect(places.open).toBe(0);
});

test("MCP servers leave no environment behind when they do not start", async () => {
  const { tools, places } = await start();
  const mcp = [mcpProgram(), mcpProgram({ env: { FAIL: "1" } })];
  await expect(tools.open({ tools: [], mcp, environment }, { runId })).rejects.toThrow(
    /cannot find the license/,
  );
  expect(places.requests).toHaveLength(2);
  expect(places.open).toBe(0);
});

test("MCP servers run on this machine when the set says local, or nothing", async () => {
  const { tools, places } = await start();
  for (const more of [{ environment: { kind: "local" } as const }, {}]) {
    const session = await tools.open(
      { tools: [], mcp: [mcpProgram({ tools: ["add"] })], ...more },
      { runId },
    );
    expect((await session.call("add", { a: 1, b: 2 })).body).toMatchObject({ output: "3" });
    await session.close();
  }
  expect(places.requests).toEqual([]);
});

test("MCP servers are refused where there is no such environment, and never started elsewhere", async () => {
  const { tools, places } = await start(new ProctorError("ENVIRONMENT_UNAVAILABLE", "bwrap is not here"));
  const set = { tools: [], mcp: [mcpProgram()], environment };
  await expect(tools.open(set)).rejects.toMatchObject({ code: "ENVIRONMENT_UNAVAILABLE" });
  expect(places.started).toEqual([]);
  const without = await startTools();
  opened.push(without);
  await expect(without.open(set)).rejects.toMatchObject({
    code: "ENVIRONMENT_UNAVAILABLE",
    message: "tools are asked to live in bwrap, and there are no environments here",
  });
});
