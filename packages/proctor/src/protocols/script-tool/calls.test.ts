// Runs on script tools: from the address to what the tool returned, in its real sandbox.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { drive } from "../../../test/support/protocols/drive.ts";
import { openLocalScriptTools } from "../../../test/support/script-tools.ts";
import { parseAddress } from "../../core/address.ts";
import type { JsonObject } from "../../core/json.ts";
import type { OpenedScriptTools } from "../../core/ports/script-tools.case.ts";

let opened: OpenedScriptTools;

const SOURCES = {
  add: "function run({ a, b }) { console.log('adding'); return { sum: a + b } }",
  shout: "const run = ({ text }) => text.toUpperCase()",
  fail: "function run() { throw new Error('no such city') }",
  hang: "function run() { while (true) {} }",
};

beforeAll(async () => {
  opened = await openLocalScriptTools();
  for (const [name, source] of Object.entries(SOURCES)) {
    await opened.tools.put({
      name,
      language: "javascript",
      source,
      parameters: { type: "object", properties: { a: { type: "number" } } },
      limits: { time_ms: 30_000 },
    });
  }
});
afterAll(() => opened.close());

function run(name: string, input?: JsonObject, cancel?: AbortSignal) {
  const task = { description: "call it", ...(input && { input_data: input }) };
  return drive(parseAddress(`script-tool:${name}`), { task }, undefined, cancel, {
    scriptTools: opened.tools,
  });
}

describe("a script tool as an agent", () => {
  it("is called with the run's input, and what it returns is the answer", async () => {
    const { reports, end, said, logs } = await run("add", { a: 1, b: 2 });
    expect(end).toEqual({ status: "completed" });
    expect(said).toBe('{"sum":3}');
    expect(logs).toEqual({ message: "adding" });
    expect(reports).toContainEqual({
      kind: "artifact",
      artifact: { type: "structured", name: "result", data: { sum: 3 } },
    });
  });

  it("answers several runs at once without mixing them, and long texts whole", async () => {
    const texts = Array.from({ length: 8 }, (_, index) => `${index}-${"x".repeat(100_000)}`);
    const answers = await Promise.all(texts.map((text) => run("shout", { text })));
    expect(answers.map(({ said }) => said)).toEqual(texts.map((text) => text.toUpperCase()));
  });

  it.each([
    ["throws", "fail", {}, /no such city/, "SCRIPT_FAILED"],
    ["is given what it does not take", "add", { a: "one" }, /does not fit/, "INVALID_INPUT"],
  ])("fails the run with its own words when it %s", async (_what, name, input, message, code) => {
    expect((await run(name, input as JsonObject)).end).toEqual({
      status: "failed",
      failure: { code: "AGENT_FAILED", message: expect.stringMatching(message) as string, details: { code } },
    });
  });

  it("fails the run where there is no such tool", async () => {
    expect((await run("fly")).end).toMatchObject({ failure: { code: "TOOL_NOT_FOUND" } });
  });

  it("fails the run where no hub keeps tools", async () => {
    const { end } = await drive(parseAddress("script-tool:add"));
    expect(end).toMatchObject({ failure: { code: "UNREACHABLE" } });
  });

  it("is stopped when its run is cancelled", async () => {
    const cancel = new AbortController();
    const running = run("hang", {}, cancel.signal);
    cancel.abort();
    expect((await running).end).toEqual({ status: "cancelled" });
  });
});
