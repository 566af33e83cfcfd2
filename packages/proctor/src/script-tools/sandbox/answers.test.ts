// Scripts that answer with what is no answer.
import { afterAll, describe, expect, it } from "vitest";
import { openTestSandbox } from "../../../test/support/sandbox.ts";

const pool = openTestSandbox();
const { expectUnharmed, failure } = pool;
afterAll(() => pool.close());

describe("an odd script in the sandbox", () => {
  it.each([
    ["a deep result", "let deep = []; for (let i = 0; i < 5e4; i++) deep = [deep]; return deep"],
    ["a circle", "const all = {}; all.all = all; return all"],
    ["a bigint", "return 1n"],
    ["a proxy that throws", "return new Proxy({}, { ownKeys() { throw new Error('no') } })"],
    ["a toJSON that throws", "return { toJSON() { throw null } }"],
  ])("that returns %s is told that this is no JSON", async (_what, body) => {
    expect(await failure(`function run() { ${body} }`)).toMatchObject({ code: "INVALID_OUTPUT" });
    await expectUnharmed();
  });

  it.each([
    ["null", "throw null", "it threw null"],
    ["undefined", "throw undefined", "it threw undefined"],
    ["a text", "throw 'text'", "it threw text"],
    ["a symbol", "throw Symbol('s')", "it threw Symbol(s)"],
    ["an object", "throw { a: 1 }", 'it threw {"a":1}'],
    [
      "an object whose message throws",
      "throw { get message() { throw 1 } }",
      "it threw something that cannot be shown",
    ],
    ["a proxy", "throw new Proxy({}, { has() { throw 1 } })", "it threw something that cannot be shown"],
    [
      "an error without a name",
      "throw Object.assign(new Error('m'), { name: undefined })",
      "script.js:1:47: undefined: m",
    ],
  ])("may throw %s", async (_what, body, message) => {
    expect(await failure(`function run() { ${body} }`)).toEqual({ code: "SCRIPT_FAILED", message });
  });

  it("that waits for what never comes is told so", async () => {
    expect(await failure("function run() { return new Promise(() => {}) }")).toMatchObject({
      code: "SCRIPT_FAILED",
      message: expect.stringMatching(/never settles/) as string,
    });
    expect(await failure("export default await new Promise(() => {})")).toMatchObject({
      message: expect.stringMatching(/never settles/) as string,
    });
  });
});
