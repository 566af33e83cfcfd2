// What scripts try to reach beyond their sandbox, and what they leave in it.
import { afterAll, describe, expect, it } from "vitest";
import { openTestSandbox } from "../../../test/support/sandbox.ts";

const pool = openTestSandbox();
const { expectUnharmed, failure, output, runScript } = pool;
afterAll(() => pool.close());

describe("a hostile script in the sandbox", () => {
  it.each([
    "require",
    "process",
    "fetch",
    "Deno",
    "XMLHttpRequest",
    "WebAssembly",
    "setTimeout",
    "Buffer",
    "std",
    "os",
    "Atomics",
    "navigator",
  ])("finds no %s", async (name) => {
    const ways = [
      `typeof ${name}`,
      `typeof globalThis.${name}`,
      `typeof (0, eval)("typeof ${name} === 'undefined' ? undefined : ${name}")`,
    ];
    expect(await output(`function run() { return [${ways.join(", ")}] }`)).toEqual(
      ways.map(() => "undefined"),
    );
  });

  it.each([
    ["the constructor of a function", `return run.constructor("return typeof process")()`],
    [
      "the constructor of a constructor",
      `return (function () { return this })().constructor.constructor("return typeof process")()`,
    ],
    ["the console", `return console.log.constructor("return typeof process")()`],
    [
      "a generator",
      `return Object.getPrototypeOf(function* () {}).constructor("yield typeof process")().next().value`,
    ],
    [
      "an error's stack",
      `try { null.x } catch (error) { return typeof error.constructor.prepareStackTrace }`,
    ],
  ])("gets nothing of Node through %s", async (_way, body) => {
    expect(await output(`function run() { ${body} }`)).toBe("undefined");
  });

  it.each(["fs", "node:fs", "std", "os", "file:///etc/passwd", "https://example.com/x.js"])(
    "imports nothing called %s",
    async (name) => {
      const at = JSON.stringify(name);
      expect(await failure(`import x from ${at}; export default () => 1`)).toMatchObject({
        code: "SCRIPT_FAILED",
      });
      expect(await failure(`function run() { return import(${at}) }`)).toMatchObject({
        code: "SCRIPT_FAILED",
      });
      await expectUnharmed();
    },
  );

  it("changes what is its own only: nothing survives a call", async () => {
    const source = `globalThis.left = 1; Array.prototype.left = 1; Object.prototype.left = 1;
      JSON.parse = JSON.stringify = String = () => "changed"; Promise.prototype.then = null; console.log = null;
      function run() { return { real: 1 } }`;
    expect(await output(source)).toEqual({ real: 1 });
    await expectUnharmed();
  });

  it("cannot make the host keep a long message, line or name", async () => {
    const long = "'x'.repeat(1e6)";
    const answer = await runScript(`function run() { console.log(${long}); throw new Error(${long}) }`);
    expect(answer).toMatchObject({ ok: false, code: "SCRIPT_FAILED" });
    expect(JSON.stringify(answer).length).toBeLessThan(10_000);
  });
});
