// Script tools on the tool endpoint of a run.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { uuidV7 } from "../../core/id.ts";
import type { ObservedCall, ToolSet } from "../../core/tools.ts";
import { openLocalScriptTools } from "../../../test/support/script-tools.ts";
import { startTools, type ToolsHarness } from "../../../test/support/doubles/tools-harness.ts";

let scripts: Awaited<ReturnType<typeof openLocalScriptTools>>;
let host: ToolsHarness;
beforeAll(async () => {
  scripts = await openLocalScriptTools();
  host = await startTools({ scripts: scripts.tools });
  const parameters = { type: "object", properties: { a: { type: "number" } }, required: ["a"] };
  const base = { language: "javascript", parameters } as const;
  await scripts.tools.put({
    ...base,
    name: "double",
    description: "Doubles.",
    source: "const run = ({ a }) => a * 2",
  });
  await scripts.tools.put({ ...base, name: "broken", source: "const run = () => { throw new Error('no') }" });
  await scripts.tools.put({
    ...base,
    name: "loop",
    source: "const run = () => { while (true); }",
    limits: { time_ms: 30_000 },
  });
});
afterAll(async () => {
  await host.close();
  await scripts.close();
});

const SET: ToolSet = {
  tools: [{ name: "mock", default: { output: "mocked" } }],
  scripts: ["double", "broken", "loop"],
};

describe("a script tool of a run", () => {
  it("is listed with its schema, called like any other, and seen", async () => {
    const session = await host.open(SET);
    expect(session.names).toEqual(["mock", "double", "broken", "loop"]);
    const list = (await (await fetch(session.url)).json()) as { tools: object[] };
    expect(list.tools[1]).toMatchObject({
      name: "double",
      description: "Doubles.",
      input_schema: { required: ["a"] },
    });
    expect(await session.call("double", { a: 4 })).toMatchObject({
      status: 200,
      body: { status: "success", output: 8 },
    });
    expect(await session.call("mock")).toMatchObject({ body: { output: "mocked" } });
    expect(session.calls).toMatchObject([
      { tool: "double", input: { a: 4 }, output: 8, status: "success", mode: "script" },
      { tool: "mock", mode: "mock" },
    ] satisfies Partial<ObservedCall>[]);
    await session.close();
  });

  it("answers input that does not fit with the place, and failures with their reason", async () => {
    const session = await host.open(SET);
    expect(await session.call("double", { a: "x" })).toMatchObject({
      status: 200,
      body: {
        status: "error",
        error: expect.stringMatching(/\/a: must be number/) as string,
        error_code: "INVALID_REQUEST",
        error_details: { code: "INVALID_INPUT" },
      },
    });
    expect(await session.call("broken", { a: 1 })).toMatchObject({
      body: { status: "error", error_code: "TOOL_ERROR", error_details: { code: "SCRIPT_FAILED" } },
    });
    expect(session.calls.map(({ mode, status }) => [mode, status])).toEqual([
      ["script", "error"],
      ["script", "error"],
    ]);
    await session.close();
  });

  it("that was removed meanwhile is an error of the tool, and the run goes on", async () => {
    await scripts.tools.put({
      name: "gone",
      language: "javascript",
      source: "const run = () => 1",
      parameters: { type: "object" },
    });
    const session = await host.open({ tools: [], scripts: ["gone"] });
    await scripts.tools.remove("gone");
    expect(await session.call("gone")).toMatchObject({
      body: { status: "error", error_details: { code: "TOOL_NOT_FOUND" } },
    });
    await session.close();
  });

  it("is stopped when the run ends", async () => {
    const session = await host.open(SET, { runId: uuidV7() });
    const arrived = host.arrivals(1);
    const call = session.call("loop", { a: 1 });
    await arrived;
    await session.close();
    expect(await call).toMatchObject({ status: 503, body: { error: "cut off: the run has ended" } });
  });

  it("is refused before the run begins when the hub does not know it, or its name is taken", async () => {
    await expect(host.open({ tools: [], scripts: ["none"] })).rejects.toMatchObject({
      code: "TOOL_NOT_FOUND",
    });
    await expect(
      host.open({ tools: [{ name: "double", default: {} }], scripts: ["double"] }),
    ).rejects.toMatchObject({
      code: "INVALID_REQUEST",
    });
    const alone = await startTools();
    await expect(alone.open({ tools: [], scripts: ["double"] })).rejects.toMatchObject({
      code: "NOT_SUPPORTED",
    });
    await alone.close();
  });
});
