// Scripts that use too much: time, memory, depth, output.
import { afterAll, describe, expect, it } from "vitest";
import { MB, SOON_MS, openTestSandbox } from "../../../test/support/sandbox.ts";

const pool = openTestSandbox();
const { expectUnharmed, failure, runScript } = pool;
afterAll(() => pool.close());

describe("a script that uses too much", () => {
  it.each([
    ["a loop", "while (true) {}"],
    ["a loop that catches everything", "while (true) try { while (true) {} } catch {} finally { continue }"],
    ["a pattern", "/^(a+)+$/.test('a'.repeat(60) + 'b')"],
    ["a getter of its result", "return { get a() { while (true) {} } }"],
    ["a proxy", "return new Proxy({}, { ownKeys() { while (true) {} } })"],
    ["the message of what it throws", "throw { get message() { while (true) {} } }"],
    ["a flood of lines", "while (true) console.log('x')"],
    ["a flood of lines that catches everything", "while (true) try { console.log('x') } catch {}"],
    ["what it prints", "console.log({ toJSON() { while (true) {} } })"],
  ])("that never ends because of %s is stopped at its CPU time", async (_reason, body) => {
    expect(await failure(`function run() { ${body} }`, 0, {}, SOON_MS)).toEqual({
      code: "TOO_SLOW",
      message: "",
    });
    await expectUnharmed();
  });

  it.each([
    ["promises that make promises", "async function run() { while (true) await 1 }"],
    ["its loading", "while (true) {}"],
    ["the loading of a module", "export default 1; while (true) await 1"],
  ])("that never ends because of %s is stopped at its CPU time as well", async (_reason, source) => {
    expect(await failure(source, 0, {}, SOON_MS)).toEqual({ code: "TOO_SLOW", message: "" });
    await expectUnharmed();
  });

  it("that is in one long step is ended with its thread", async () => {
    const source = "function run() { return new Array(2 ** 31).join('x').length }";
    expect(await failure(source, 0, { memoryBytes: 256 * MB }, SOON_MS)).toEqual({
      code: "TOO_SLOW",
      message: "",
    });
    await expectUnharmed();
  });

  it("keeps its log when it is stopped, and keeps little of a flood", async () => {
    const answer = await runScript(
      "function run() { console.log('begun'); while (true) console.log('x'.repeat(500)) }",
      0,
      {},
      SOON_MS,
    );
    expect(answer).toMatchObject({ ok: false, code: "TOO_SLOW" });
    expect(answer.log[0]).toBe("begun");
    expect(answer.log.length).toBeLessThan(1002);
    expect(answer.log.join("").length).toBeLessThan(100_000);
  });

  it.each([
    ["objects", "const all = []; while (true) all.push({})"],
    ["a buffer", "return new Uint8Array(1e9).length"],
    ["a text", "let text = 'x'; while (true) text += text"],
    ["a repeated text", "return 'x'.repeat(2 ** 29)"],
    ["an array", "return new Array(2 ** 31).fill(1)"],
    ["the encoded result", "const text = 'x'.repeat(2e6); return Array(1000).fill(text)"],
    ["a number", "let number = 2n ** (2n ** 20n); while (true) number *= number"],
  ])("that takes more memory than its limit for %s is told so", async (_what, body) => {
    expect(await failure(`function run() { ${body} }`)).toMatchObject({ code: "TOO_MUCH_MEMORY" });
    await expectUnharmed();
  });

  it("gets no input that its memory cannot hold", async () => {
    const source = "function run() { return 1 }";
    expect(await failure(source, "x".repeat(3 * MB), { memoryBytes: 2 * MB })).toMatchObject({
      code: "TOO_MUCH_MEMORY",
    });
    await expectUnharmed();
  });

  it.each([
    ["a function that calls itself", "return run()"],
    ["a text that asks for itself", "const all = { toString() { return '' + all } }; return '' + all"],
    ["a deep expression", "return eval('('.repeat(1e5))"],
    ["a deep document", "return JSON.parse('['.repeat(1e5))"],
    [
      "a deep proxy",
      "let deep = {}; for (let i = 0; i < 1e5; i++) deep = new Proxy(deep, {}); return deep.x",
    ],
  ])("that goes too deep with %s fails, and nothing else does", async (_what, body) => {
    expect(await failure(`function run() { ${body} }`)).toMatchObject({
      code: "SCRIPT_FAILED",
      message: expect.stringMatching(/stack overflow/) as string,
    });
    await expectUnharmed();
  });

  it("that returns too much is told so, and nothing of it is kept", async () => {
    const source = "function run() { return 'x'.repeat(1000) }";
    expect(await failure(source, 0, { outputBytes: 1001 })).toEqual({ code: "TOO_MUCH_OUTPUT", message: "" });
    expect(await failure(source, 0, { outputBytes: 1002 })).toMatch(/^succeeded/);
    // Bytes count, not characters.
    expect(
      await failure("function run() { return 'ä'.repeat(600) }", 0, { outputBytes: 1002 }),
    ).toMatchObject({
      code: "TOO_MUCH_OUTPUT",
    });
  });
});
