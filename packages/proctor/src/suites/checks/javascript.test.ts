import { spawnSync } from "node:child_process";
import { rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";
import { moduleLiteral, scriptArgs } from "../../../test/support/source-script.ts";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import type { Verdict } from "../verdict.ts";
import { check, file, structured, subject } from "../../../test/support/suites/check-subject.ts";
import type { Given } from "../../../test/support/suites/check-subject.ts";
import { openModuleWorker } from "../modules/module-worker.ts";
import { findCheck } from "./registry.ts";
import { workspaceWith } from "../../../test/support/suites/check-workspace.ts";

const folder = temporaryFolder("javascript");
const workspace = workspaceWith(join(folder, "workspace"), {});
const base: Given = {
  folder,
  workspace,
  run: { id: "run-7" },
  artifacts: [
    file("1", "a.txt"),
    structured("2", "data", { n: 1 }),
    file("3", "lost.txt"),
    file("4", "b.json"),
  ],
  bytes: { "1": "hello", "4": '{"b":2}' },
  events: [{ type: "tool_call", payload: { tool: "search" } }],
};
let count = 0;

function write(source: string): string {
  const name = `check-${count++}.mjs`;
  writeFileSync(join(folder, name), source);
  return name;
}

const judge = (config: object, given: Given = base): Promise<Verdict> => check("javascript", config, given);
const run = (body: string, more: object = {}): Promise<Verdict> =>
  judge({ file: write(`export default async (subject) => { ${body} };`), ...more });

describe("returning from a check in JavaScript", () => {
  test.each<[string, string, number | undefined]>([
    ["true", "pass", undefined],
    ["false", "fail", undefined],
    ["1", "pass", 1],
    ["0.5", "pass", 0.5],
    ["0.4", "fail", 0.4],
    ["{ pass: true }", "pass", undefined],
    ["{ pass: false, score: 0.2 }", "fail", 0.2],
    ["{ outcome: 'unevaluated', message: 'do not know' }", "unevaluated", undefined],
    ["undefined", "unevaluated", undefined],
    ["null", "unevaluated", undefined],
    ["2", "unevaluated", undefined],
    ["NaN", "unevaluated", undefined],
    ["'yes'", "unevaluated", undefined],
    ["{ pass: 'yes' }", "unevaluated", undefined],
    ["{ pass: true, score: 7 }", "unevaluated", undefined],
    ["() => true", "unevaluated", undefined],
    ["{ pass: true, details: { when: new Map() } }", "unevaluated", undefined],
  ])("%s gives %s with the score %s", async (value, outcome, score) => {
    const verdict = await run(`return ${value}`);
    expect({ outcome: verdict.outcome, score: verdict.score }).toEqual({ outcome, score });
  });

  test("may give a message and details", async () => {
    expect(
      await run("return { pass: false, score: 0.5, message: 'half', details: { expected: 2, actual: 1 } }"),
    ).toEqual({
      outcome: "fail",
      score: 0.5,
      message: "half",
      details: { expected: 2, actual: 1 },
    });
    expect((await run("return 0.7", { threshold: 0.8 })).message).toContain(
      "says 0.7, at least 0.8 expected",
    );
    expect((await run("return { pass: false, message: 'a\\x1b[31mb' }")).message).toBe("a\\u001b[31mb");
  });
});

describe("a check in JavaScript", () => {
  test("gets the run, its events and artifacts, the workspace and its own config", async () => {
    const body = `
      const [a, data, , b] = subject.artifacts;
      const seen = [subject.run.id, subject.events[0].payload.tool, subject.workspace, subject.config.x,
        await a.text(), (await a.bytes()).length, (await data.json()).n, await data.text(), (await b.json()).b];
      return { pass: true, message: JSON.stringify(seen) };`;
    const { message } = await run(body, { config: { x: [1] } });
    expect(JSON.parse(message)).toEqual([
      "run-7",
      "search",
      workspace.path,
      [1],
      "hello",
      5,
      1,
      '{"n":1}',
      2,
    ]);
  });

  test("gets null for a workspace that is not here, and an error for what cannot be read", async () => {
    const { workspace: _, ...gone } = base;
    const source = write("export default ({ workspace }) => workspace === null;");
    expect((await judge({ file: source }, gone)).outcome).toBe("pass");
    expect((await run("return await subject.artifacts[2].text() !== ''")).message).toContain(
      "the hub is gone",
    );
  });

  test("may be another export, or in a CommonJS module", async () => {
    const source = write("export const strict = () => false; export const lenient = () => true;");
    expect((await judge({ file: source, export: "lenient" })).outcome).toBe("pass");
    expect((await judge({ file: source, export: "strict" })).outcome).toBe("fail");
    expect((await judge({ file: source })).message).toContain(
      'it exports no function "default", only: lenient, strict',
    );
    writeFileSync(join(folder, "old.cjs"), "module.exports = () => true;");
    expect((await judge({ file: "old.cjs" })).outcome).toBe("pass");
  });
});

describe("a check in JavaScript is unevaluated, not failed, when", () => {
  test.each<[string, string]>([
    ["throw new Error('oh\\n no')", "Error: oh no"],
    ["throw 'text'", "it threw text"],
    ["process.exit(0)", "it ended the thread that it ran in"],
    ["setTimeout(() => { throw new Error('later') }); await new Promise(() => {})", "later"],
  ])("it runs: %s", async (body, reason) => {
    const verdict = await run(body);
    expect(verdict).toMatchObject({ outcome: "unevaluated", message: expect.stringContaining(reason) });
  });

  test("it takes too much memory", async () => {
    const source = write(
      "export default () => { const all = []; for (;;) all.push(new Array(1e5).fill(0)); };",
    );
    const worker = openModuleWorker(pathToFileURL(join(folder, source)).href, 64);
    const { signal } = new AbortController();
    const readArtifact = () => Promise.reject(new Error("none"));
    const call = worker.call({
      subject: { artifacts: [] },
      name: "default",
      timeoutMs: 120_000,
      readArtifact,
      signal,
    });
    await expect(call).rejects.toThrow("memory");
    expect(worker.usable()).toBe(false);
  });

  test("it exceeds its time limit, even while it is busy", async () => {
    const late = "could not be evaluated: it did not end within 0.2 s";
    expect((await run("for (;;) {}", { timeout_seconds: 0.2 })).message).toContain(late);
    expect((await run("await new Promise(() => {})", { timeout_seconds: 0.2 })).message).toContain(late);
  });

  test("its file does not exist or is not a file", async () => {
    const missing = await judge({ file: "checks/none.mjs" });
    expect(missing).toMatchObject({ outcome: "unevaluated" });
    expect(missing.message).toContain(`there is no file "checks/none.mjs" in "${folder}"`);
    expect((await judge({ file: write("export default (") })).message).toContain("SyntaxError");
    expect((await judge({ file: "workspace" })).message).toContain("it is no file");
  });

  test("the suite is interrupted", async () => {
    const abort = new AbortController();
    const source = write(
      "export default async ({ artifacts }) => { await artifacts[0].text(); for (;;) {} };",
    );
    const inside = subject(base);
    const running = findCheck("javascript")?.bind({ file: source })({
      ...inside,
      signal: abort.signal,
      readArtifact(artifact) {
        // It is under way.
        setImmediate(() => abort.abort());
        return inside.readArtifact(artifact);
      },
    });
    expect((await running)?.outcome).toBe("unevaluated");
  });
});

test("what a check in JavaScript prints is kept from our output, and shown when it does not pass", async () => {
  const write = process.stdout.write.bind(process.stdout);
  const printed: string[] = [];
  process.stdout.write = (text: string | Uint8Array) => printed.push(String(text)) > 0;
  try {
    const failed = await run(
      "console.log('seen', subject.events.length); console.error('too'); return false",
    );
    expect(failed.details?.["output"]).toBe("seen 1\ntoo");
    expect(await run("console.log('unseen'); return true")).not.toHaveProperty("details");
    const thrown = await run(
      "console.log('before'); process.stdout.write(Buffer.from('too')); throw new Error('x')",
    );
    expect(thrown).toMatchObject({ outcome: "unevaluated", details: { output: "before\ntoo" } });
    expect(printed.join("")).not.toContain("seen");
  } finally {
    process.stdout.write = write;
  }
});

test("a module is loaded once, and again when it changes; concurrent calls do not share a thread", async () => {
  const source = write("let calls = 0; export default () => ({ pass: true, message: `call ${++calls}` });");
  expect((await judge({ file: source })).message).toBe("call 1");
  expect((await judge({ file: source })).message).toBe("call 2");
  writeFileSync(join(folder, source), "export default () => ({ pass: true, message: 'changed' });");
  utimesSync(join(folder, source), 1, 1);
  expect((await judge({ file: source })).message).toBe("changed");
  rmSync(join(folder, source));
  expect((await judge({ file: source })).outcome).toBe("unevaluated");

  const mixed = write("export const busy = () => { for (;;) {} }; export const quick = () => true;");
  const [busy, quick] = await Promise.all([
    judge({ file: mixed, export: "busy", timeout_seconds: 0.3 }),
    judge({ file: mixed, export: "quick" }),
  ]);
  expect([busy.outcome, quick.outcome]).toEqual(["unevaluated", "pass"]);
});

test("a module that never rests does not keep the program alive", () => {
  const program = `
    let closedIdle = false;
    const later = globalThis.setTimeout;
    globalThis.setTimeout = (work, ms) => later(() => { closedIdle = true; work(); }, ms);
    const { findCheck } = await import(${moduleLiteral("./registry.ts", import.meta.url)});
    const subject = {
      run: { artifacts: [] }, async *events() {}, workspace: () => Promise.reject(new Error("none")),
      folder: ${JSON.stringify(folder)}, signal: new AbortController().signal,
    };
    const verdict = await findCheck("javascript").bind({ file: "restless.mjs" })(subject);
    process.on("exit", () => console.log(verdict.outcome, closedIdle));`;
  writeFileSync(join(folder, "restless.mjs"), "setInterval(() => {}, 10); export default () => true;");
  const { stdout, stderr, status } = spawnSync(process.execPath, scriptArgs(program), {
    timeout: 120_000,
    encoding: "utf8",
  });
  // It ends by itself, not because the thread was closed for being idle.
  expect({ stderr, status, stdout }).toEqual({ stderr: "", status: 0, stdout: "pass false\n" });
});

test("a suite learns which files its checks read, at whatever depth", () => {
  const inner = { type: "javascript", config: { file: "a.mjs" } };
  expect(findCheck("javascript")?.files({ file: "a.mjs" })).toEqual(["a.mjs"]);
  expect(findCheck("not_javascript")?.files({ file: "a.mjs" })).toEqual(["a.mjs"]);
  expect(findCheck("at_least")?.files({ count: 1, checks: [inner, inner] })).toEqual(["a.mjs", "a.mjs"]);
  expect(findCheck("composite")?.files({ conditions: [inner] })).toEqual(["a.mjs"]);
  expect(findCheck("contains")?.files({ pattern: "a" })).toEqual([]);
});
