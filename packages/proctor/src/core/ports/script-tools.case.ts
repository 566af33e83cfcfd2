// Every promise of the ScriptTools port, for any implementation: in this process, or elsewhere over HTTP.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { nested } from "../../../test/support/nested.ts";
import { expectError } from "../../../test/support/expect-error.ts";
import type { NewScriptTool } from "../script-tool.ts";
import type { ScriptTools } from "./script-tools.ts";

export interface OpenedScriptTools {
  tools: ScriptTools;
  /** The same tools after a restart of whatever keeps them. */
  reopen(): Promise<ScriptTools>;
  close(): Promise<void>;
}

const ADD: NewScriptTool = {
  name: "add",
  description: "Adds two numbers.",
  version: "1.0.0",
  language: "javascript",
  source: "function run({ a, b }) { console.log('adding', a, b); return { sum: a + b }; }",
  parameters: {
    type: "object",
    properties: { a: { type: "number" }, b: { type: "number" } },
    required: ["a", "b"],
    additionalProperties: false,
  },
  returns: { type: "object", properties: { sum: { type: "number" } }, required: ["sum"] },
  limits: { time_ms: 20_000, memory_mb: 16, output_bytes: 1000 },
};
const ANY: NewScriptTool = {
  name: "any",
  language: "javascript",
  source: "function run(input) { return input }",
  parameters: { type: "object" },
};
const { signal } = new AbortController();

/** `open` makes a new, empty place each time. */
export function scriptToolsCases(name: string, open: () => Promise<OpenedScriptTools>): void {
  describe(name, () => {
    let opened: OpenedScriptTools;
    let tools: ScriptTools;
    beforeEach(async () => {
      opened = await open();
      ({ tools } = opened);
    });
    afterEach(() => opened.close());

    it("keeps a tool with all that was said of it, and calls it, also after a restart", async () => {
      const added = await tools.put(ADD);
      expect(added).toMatchObject(ADD);
      expect(added.sha256).toMatch(/^[0-9a-f]{64}$/);
      expect(added.created_at).toBe(added.updated_at);
      tools = await opened.reopen();
      expect(await tools.get("add")).toEqual(added);
      const result = await tools.call("add", { a: 1, b: 2 }, signal);
      expect(result).toEqual({
        ok: true,
        output: { sum: 3 },
        duration_ms: expect.any(Number),
        log: ["adding 1 2"],
      });
    });

    it("refuses a taken name unless the tool is replaced", async () => {
      const first = await tools.put(ADD);
      await expectError(tools.put(ADD), "TOOL_EXISTS");
      const second = await tools.put(
        { ...ADD, version: "2.0.0", source: "const run = () => ({ sum: 0 })" },
        { replace: true },
      );
      expect(second).toMatchObject({ version: "2.0.0", created_at: first.created_at });
      expect(second.sha256).not.toBe(first.sha256);
      expect(await tools.call("add", { a: 1, b: 2 }, signal)).toMatchObject({ output: { sum: 0 } });
      // What does not exist can be replaced as well.
      expect(await tools.put(ANY, { replace: true })).toMatchObject({ name: "any" });
    });

    it("lists tools by name and forgets those that are removed", async () => {
      await tools.put(ADD);
      await tools.put(ANY);
      const first = await tools.list({ limit: 1 });
      expect(first.items.map(({ name: each }) => each)).toEqual(["add"]);
      const rest = await tools.list({ cursor: first.next_cursor ?? "" });
      expect(rest).toMatchObject({ items: [{ name: "any" }], next_cursor: null });
      await tools.remove("add");
      await expectError(tools.remove("add"), "TOOL_NOT_FOUND");
      await expectError(tools.get("add"), "TOOL_NOT_FOUND");
      await expectError(tools.call("add", {}, signal), "TOOL_NOT_FOUND");
      expect((await tools.list({})).items).toHaveLength(1);
    });

    it.each<[string, object, RegExp]>([
      ["a name with a slash", { name: "a/b" }, /name/],
      ["a name that is too long", { name: "x".repeat(65) }, /name/],
      ["an unknown language", { language: "perl" }, /language/],
      ["no source", { source: "" }, /source/],
      [
        "parameters that are no schema",
        { parameters: { type: "object", properties: 7 } },
        /parameters.*JSON Schema/,
      ],
      ["parameters that are no object's", { parameters: { type: "string" } }, /parameters.*object/],
      [
        "an unknown keyword in the schema",
        { parameters: { type: "object", propertys: {} } },
        /parameters.*propertys/,
      ],
      ["returns that are no schema", { returns: { type: "nothing" } }, /returns.*JSON Schema/],
      ["a draft that nobody knows", { returns: { $schema: "https://example.com/draft" } }, /returns/],
      ["a limit above what there is", { limits: { time_ms: 30_001 } }, /limits\.time_ms/],
      ["a limit of nothing", { limits: { memory_mb: 0 } }, /limits\.memory_mb/],
      ["an unknown field", { nmae: "x" }, /nmae/],
      ["an environment for the sandbox", { environment: "bwrap" }, /environment/],
      ["an image outside of a container", { language: "python", environment: "bwrap", image: "x" }, /image/],
      ["a syntax error", { source: "function run(\n  a {" }, /source: script\.js:2:5: SyntaxError/],
      ["a script without a function", { source: "const other = 1" }, /source: it defines no function/],
      [
        "a script that fails when it is loaded",
        { source: "none(); function run() {}" },
        /source: script\.js:1:1/,
      ],
      [
        "a script that never ends loading",
        { source: "while (true);", limits: { time_ms: 20 } },
        /source: stopped after 20 ms/,
      ],
    ])("refuses a tool with %s", async (_what, wrong, message) => {
      await expectError(tools.put({ ...ANY, ...wrong }), "INVALID_REQUEST", message);
      expect((await tools.list({})).items).toEqual([]);
    });

    it.each([
      ["300 levels deep", 300],
      ["so deep that no stack would do", 100_000],
    ])("refuses a schema and an input that are nested %s", async (_what, levels) => {
      const deep = nested(levels);
      const wrong = /nested more than 200 levels deep/;
      const parameters = { type: "object", properties: { deep } };
      await expectError(tools.put({ ...ADD, parameters }), "INVALID_REQUEST", wrong);
      await expectError(tools.put({ ...ADD, returns: deep }), "INVALID_REQUEST", wrong);
      await tools.put(ADD);
      await expectError(tools.call("add", deep, signal), "INVALID_REQUEST", wrong);
      expect(await tools.call("add", { a: 1, b: 2 }, signal)).toMatchObject({ ok: true });
    });

    it("answers a call whose input does not fit with the place that is wrong", async () => {
      await tools.put(ADD);
      const wrong = async (input: Parameters<ScriptTools["call"]>[1]) => tools.call("add", input, signal);
      expect(await wrong({ a: 1, b: "2" })).toMatchObject({
        ok: false,
        code: "INVALID_INPUT",
        message: expect.stringMatching(/\/b: must be number/) as string,
        log: [],
      });
      expect(await wrong({ a: 1 })).toMatchObject({
        code: "INVALID_INPUT",
        message: expect.stringMatching(/'b'/) as string,
      });
      expect(await wrong({ a: 1, b: 2, c: 3 })).toMatchObject({
        code: "INVALID_INPUT",
        message: expect.stringMatching(/"c"/) as string,
      });
      expect(await wrong(null)).toMatchObject({ code: "INVALID_INPUT" });
    });

    it("answers a call whose output does not fit with the place that is wrong", async () => {
      await tools.put({ ...ADD, source: "const run = () => { console.log('x'); return { sum: 'three' } }" });
      expect(await tools.call("add", { a: 1, b: 2 }, signal)).toMatchObject({
        ok: false,
        code: "INVALID_OUTPUT",
        message: expect.stringMatching(/\/sum: must be number/) as string,
        log: ["x"],
      });
    });

    it.each<[string, string, NewScriptTool["limits"], object]>([
      [
        "fails",
        "throw new Error('broken')",
        {},
        { code: "SCRIPT_FAILED", message: expect.stringMatching(/Error: broken/) as string },
      ],
      [
        "loops",
        "while (true);",
        { time_ms: 300 },
        { code: "TOO_SLOW", message: expect.stringMatching(/300 ms of CPU time/) as string },
      ],
      [
        "allocates",
        "return new Uint8Array(2e6).length",
        { memory_mb: 1 },
        { code: "TOO_MUCH_MEMORY", message: expect.stringMatching(/1 MB/) as string },
      ],
      [
        "says too much",
        "return 'x'.repeat(50)",
        { output_bytes: 50 },
        { code: "TOO_MUCH_OUTPUT", message: expect.stringMatching(/50 bytes/) as string },
      ],
    ])("answers a call of a script that %s, and goes on", async (_what, body, limits, failed) => {
      await tools.put({ ...ANY, name: "bad", source: `function run() { ${body} }`, limits: limits ?? {} });
      await tools.put(ANY);
      expect(await tools.call("bad", {}, signal)).toMatchObject({ ok: false, ...failed });
      expect(await tools.call("any", { still: "here" }, signal)).toMatchObject({ output: { still: "here" } });
    });

    it("ends a call when the caller leaves", async () => {
      await tools.put({ ...ANY, source: "function run() { while (true); }", limits: { time_ms: 30_000 } });
      const leaving = new AbortController();
      const call = tools.call("any", {}, leaving.signal);
      leaving.abort(new Error("gone"));
      await expect(call).rejects.toThrow("gone");
    });
  });
}
