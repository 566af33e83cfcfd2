// What a script may be, what it gets and gives, and what it says where it fails.
import { afterAll, describe, expect, it } from "vitest";
import { MB, PLENTY_MS, openTestSandbox } from "../../../test/support/sandbox.ts";

const pool = openTestSandbox();
const { failure, output, runScript } = pool;
const { signal } = new AbortController();
afterAll(() => pool.close());

describe("a script in the sandbox", () => {
  it.each([
    ["a function", "function run({ a }) { return a + 1 }"],
    ["a constant", "const run = ({ a }) => a + 1"],
    ["an async function", "async function run({ a }) { await null; return a + 1 }"],
    ["a default export", "export default ({ a }) => a + 1"],
    ["an export named run", "export function run({ a }) { return a + 1 }"],
    ["a module that waits", "const one = await Promise.resolve(1); export const run = ({ a }) => a + one"],
    ["a script that mentions the word export", "/* export */ function run({ a }) { return a + 1 }"],
  ])("may be %s", async (_form, source) => {
    expect(await output(source, { a: 1 })).toBe(2);
  });

  it("gets and gives JSON of every kind", async () => {
    const value = {
      text: "ä\u{1F600}\u0000\ud800",
      numbers: [0, -1.5, 1e21],
      yes: true,
      none: null,
      deep: [[{}]],
    };
    expect(await output("function run(input) { return input }", value)).toEqual(value);
    expect(await output("function run() {}")).toBeNull();
    expect(await output("function run() { return { then(done) { done(7) } } }")).toBe(7);
  });

  it("logs what it prints, whatever it prints", async () => {
    const source = `function run() {
      const loop = {}; loop.loop = loop;
      console.log("a", 1, { b: [2] }, null, undefined, loop, 3n, Symbol("s"));
      console.error("c");
    }`;
    const { log } = await runScript(source);
    expect(log).toEqual(['a 1 {"b":[2]} null undefined (cannot be shown) 3 Symbol(s)', "c"]);
  });

  it("says where it failed", async () => {
    expect(await failure("\nfunction run() {\n  none();\n}")).toEqual({
      code: "SCRIPT_FAILED",
      message: "script.js:3:3: ReferenceError: 'none' is not defined",
    });
    expect(await failure("function run(\n  a {")).toEqual({
      code: "SCRIPT_FAILED",
      message: "script.js:2:5: SyntaxError: expecting ','",
    });
    expect(await failure("export default function (\n  a {")).toMatchObject({
      message: expect.stringMatching(/^script\.js:2:5: SyntaxError/) as string,
    });
    expect(await failure("function other() {}")).toMatchObject({
      message: expect.stringMatching(/defines no function/) as string,
    });
  });

  it("is loaded without being called when there is no input", async () => {
    const job = {
      source: "console.log('loaded'); function run() { throw 1 }",
      memoryBytes: 32 * MB,
      outputBytes: 1,
    };
    expect(await pool.run(job, PLENTY_MS, signal)).toMatchObject({ ok: true, log: ["loaded"] });
  });
});
