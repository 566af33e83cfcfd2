// What scripts try in the sandbox, well-meaning and not. Scripts that need their whole time get little of it.
import { afterAll, describe, expect, it } from "vitest";
import type { Json } from "../../core/json.ts";
import { createSandboxPool } from "./sandbox-pool.ts";
import type { SandboxAnswer, SandboxJob } from "./sandbox-worker.ts";

const pool = createSandboxPool();
afterAll(() => pool.close());
const { signal } = new AbortController();
/** CPU milliseconds that no script of these tests needs, unless it never ends. */
const PLENTY_MS = 60_000;
const SOON_MS = 50;
const MB = 1024 * 1024;

function run(source: string, input: Json = {}, job: Partial<SandboxJob> = {}, timeMs = PLENTY_MS) {
  const whole = { source, input: JSON.stringify(input), memoryBytes: 32 * MB, outputBytes: MB, ...job };
  return pool.run(whole, timeMs, signal);
}

async function output(source: string, input?: Json): Promise<Json> {
  const answer = await run(source, input);
  if (!answer.ok) throw new Error(`${answer.code}: ${answer.message}`);
  return JSON.parse(answer.output) as Json;
}

async function failure(source: string, ...more: [Json?, Partial<SandboxJob>?, number?]) {
  const answer = await run(source, ...more);
  return answer.ok
    ? `succeeded with ${answer.output.slice(0, 100)}`
    : { code: answer.code, message: answer.message };
}

/** The pool works as before, and nothing of an earlier script is left. */
async function expectUnharmed(): Promise<void> {
  expect(await output("function run(input) { return [input, typeof left, [].left] }", 1)).toEqual([
    1,
    "undefined",
    null,
  ]);
}

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
    const { log } = await run(source);
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
    const answer = await run(
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

  it("changes what is its own only: nothing survives a call", async () => {
    const source = `globalThis.left = 1; Array.prototype.left = 1; Object.prototype.left = 1;
      JSON.parse = JSON.stringify = String = () => "changed"; Promise.prototype.then = null; console.log = null;
      function run() { return { real: 1 } }`;
    expect(await output(source)).toEqual({ real: 1 });
    await expectUnharmed();
  });

  it("cannot make the host keep a long message, line or name", async () => {
    const long = "'x'.repeat(1e6)";
    const answer = await run(`function run() { console.log(${long}); throw new Error(${long}) }`);
    expect(answer).toMatchObject({ ok: false, code: "SCRIPT_FAILED" });
    expect(JSON.stringify(answer).length).toBeLessThan(10_000);
  });
});

describe("the pool of sandboxes", () => {
  it("runs scripts beside one that uses all of its time", async () => {
    const slow = run("function run() { while (true) {} }", 0, {}, 2000);
    const order: string[] = [];
    await Promise.all([
      slow.then(() => order.push("slow")),
      ...Array.from({ length: 5 }, () =>
        output("function run() { return 1 }").then(() => order.push("fast")),
      ),
    ]);
    expect(order.at(-1)).toBe("slow");
  });

  it("runs many more scripts at once than it has threads, and mixes none up", async () => {
    const numbers = Array.from({ length: 60 }, (_, index) => index);
    const answers = await Promise.all(
      numbers.map((index) => output("function run(n) { return n * 2 }", index)),
    );
    expect(answers).toEqual(numbers.map((index) => index * 2));
  });

  it("stops a script when its caller leaves, and one that has not begun", async () => {
    const leaving = new AbortController();
    const job: SandboxJob = {
      source: "function run() { while (true) {} }",
      input: "0",
      memoryBytes: MB,
      outputBytes: 1,
    };
    const running: Promise<SandboxAnswer>[] = [];
    for (let index = 0; index < 40; index++) running.push(pool.run(job, PLENTY_MS, leaving.signal));
    leaving.abort(new Error("gone"));
    const ends = await Promise.allSettled(running);
    expect(ends.every((end) => end.status === "rejected" && String(end.reason) === "Error: gone")).toBe(true);
    await expectUnharmed();
  });

  it("takes no script after it was closed, and ends those that run", async () => {
    const closing = createSandboxPool();
    const job: SandboxJob = {
      source: "function run() { while (true) {} }",
      input: "0",
      memoryBytes: MB,
      outputBytes: 1,
    };
    const running = closing.run(job, PLENTY_MS, signal);
    await closing.close();
    await expect(running).rejects.toMatchObject({ code: "SHUTTING_DOWN" });
    await expect(closing.run(job, PLENTY_MS, signal)).rejects.toMatchObject({ code: "SHUTTING_DOWN" });
  });
});
