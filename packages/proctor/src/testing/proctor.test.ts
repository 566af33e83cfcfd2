// The entry for test runners, in this one and in a small project of its own.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { HANG_MS } from "../../test/support/eventually.ts";
import { proctor } from "./index.ts";

const root = fileURLToPath(new URL("../../../..", import.meta.url));
const AGENT = `atp+stdio:${process.execPath} ${join(root, "examples/minimal-node/agent.mjs")}`;
const fixture = (name: string): string =>
  `atp+stdio:${process.execPath} ${join(root, "packages/proctor/test/fixtures/agents", name)}`;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "proctor-project-"));
});
afterAll(async () => {
  await proctor.close();
  await rm(folder, { recursive: true });
});

describe("a run of proctor/testing", () => {
  test("is judged, and has everything to look at", async () => {
    const result = await proctor.run({
      agent: AGENT,
      task: "Say ${HOME} and {{ name }}",
      checks: [{ type: "contains", config: { pattern: "Processed" } }, { type: "no_errors" }],
    });
    expect(result).toMatchObject({ passed: true, status: "completed", metrics: { total_steps: 1 } });
    expect(result.json()).toEqual({ output: "Processed: Say ${HOME} and {{ name }}" });
    expect(result.text("result")).toContain("Processed");
    expect(result.verdicts.map(({ type, outcome }) => [type, outcome])).toEqual([
      ["contains", "pass"],
      ["no_errors", "pass"],
    ]);
    expect(result.events.at(0)?.type).toBe("run.created");
    expect(result.events.at(-1)?.type).toBe("run.ended");
    expect(String(result)).toMatch(/^passed\n {2}run \S+ on atp\+stdio:/);
    result.expectPass();
  });

  test("says which checks failed", async () => {
    const result = await proctor.run({
      agent: { address: AGENT, cwd: root },
      task: { description: "x", input_data: { a: 1 } },
      checks: [
        { type: "contains", config: { pattern: "nothing like it" } },
        { type: "max_steps", config: { limit: 5 } },
      ],
      timeoutSeconds: 20,
    });
    expect(result.passed).toBe(false);
    expect(() => result.expectPass()).toThrow(
      /^1 of 2 checks passed\n {2}contains: "nothing like it" not found/,
    );
    expect(() => result.text("none")).toThrow('there is no artifact "none"; there is: "result"');
  });

  test("is a result even when the agent crashes", async () => {
    const result = await proctor.run({ agent: fixture("crash.mjs"), task: "x" });
    expect(result).toMatchObject({ passed: false, status: "failed", toolCalls: [] });
    expect(() => result.expectPass()).toThrow(/^the run ended as failed: /);
    expect(() => result.text()).toThrow("the run has no artifact; the run ended as failed and left none");
  });

  test("shares one hub with others at once, and can be cancelled", async () => {
    const stop = new AbortController();
    const sleeping = proctor.run({ agent: fixture("sleeps.mjs"), task: "x", signal: stop.signal });
    const others = await Promise.all([1, 2, 3].map(() => proctor.run({ agent: AGENT, task: "x" })));
    expect(others.map(({ passed }) => passed)).toEqual([true, true, true]);
    stop.abort();
    await expect(sleeping).rejects.toThrow(/abort/i);
  });

  test("is refused with the place of a mistake in the request", async () => {
    const request = {
      agent: AGENT,
      task: "x",
      checks: [{ type: "contians" }],
      constraints: { max_steps: 0 },
    };
    await expect(proctor.run(request as never)).rejects.toThrow(
      /proctor\.run {2}constraints\.max_steps: {2}"max_steps" must be at least 1\nproctor\.run {2}checks\[0\]\.type: {2}unknown check "contians"\n {3}did you mean "contains"/,
    );
    await expect(proctor.run({ agent: "no-such-agent", task: "x" })).rejects.toThrow("no-such-agent");
  });
});

describe("proctor/testing in vitest", () => {
  const project = {
    "agent.test.mjs": `import { afterAll, expect, test } from "vitest";
import { proctor } from "proctor/testing";

test("answers", async () => {
  const result = await proctor.run({ agent: ${JSON.stringify(AGENT)}, task: "Say hello" });
  expect(result.json()).toEqual({ output: "Processed: Say hello" });
  result.expectPass();
});

test("does not answer", async () => {
  const result = await proctor.run({
    agent: ${JSON.stringify(AGENT)},
    task: "x",
    // Its server would keep a program alive.
    tools: { tools: [{ name: "search", default: { output: 1 } }] },
    checks: [{ type: "contains", config: { pattern: "no such text" } }],
  });
  result.expectPass();
});
`,
    "vitest.config.mjs": `export default {
  // The built package lies in node_modules, as one that was installed does.
  resolve: { preserveSymlinks: true },
  test: { include: ["*.test.mjs"], testTimeout: ${HANG_MS}, hookTimeout: ${HANG_MS} },
};
`,
  };

  test("passes, fails with the checks' words, and leaves no process and no file behind", async () => {
    const temporary = join(folder, "tmp");
    await mkdir(temporary);
    for (const [name, text] of Object.entries(project)) await writeFile(join(folder, name), text);
    await symlink(join(root, "node_modules"), join(folder, "node_modules"));
    const { code, output } = await runVitest(folder, temporary);
    expect(code, output).toBe(1);
    expect(output).toContain("1 failed | 1 passed");
    expect(output).toContain('contains: "no such text" not found');
    expect(output).not.toContain("close timed out");
    expect((await readdir(temporary)).filter((name) => name.startsWith("proctor-testing"))).toEqual([]);
    expect(existsSync(join(folder, ".proctor"))).toBe(false);
  });
});

describe("a program that uses proctor/testing", () => {
  const ends = { "by itself": "process.exit(0)", "by a signal": 'process.kill(process.pid, "SIGTERM")' };

  test.each(Object.entries(ends))(
    "leaves no folder when it ends %s while its hub is being removed",
    async (how, end) => {
      const temporary = join(folder, how);
      await mkdir(temporary);
      const program = `import { readdirSync } from "node:fs";
import { proctor } from "proctor/testing";
await proctor.run({ agent: ${JSON.stringify(AGENT)}, task: "x" });
const names = () => readdirSync(process.env.TMPDIR, { recursive: true }).filter((name) => name.startsWith("proctor-testing"));
const before = names().length;
const look = () => (names().length < before ? ${end} : setImmediate(look));
void proctor.close();
look();`;
      const child = spawn(process.execPath, ["--input-type=module", "-e", program], {
        cwd: root,
        env: { ...process.env, TMPDIR: temporary },
        stdio: "ignore",
      });
      await new Promise((resolve) => child.once("close", resolve));
      expect((await readdir(temporary)).filter((name) => name.startsWith("proctor-testing"))).toEqual([]);
    },
  );
});

function runVitest(cwd: string, temporary: string): Promise<{ code: number | null; output: string }> {
  const { VITEST: _, VITEST_WORKER_ID: __, VITEST_POOL_ID: ___, PROCTOR_URL: ____, ...rest } = process.env;
  const env = { ...rest, TMPDIR: temporary, NO_COLOR: "1", CI: "1" };
  const child = spawn(process.execPath, [join(root, "node_modules/vitest/vitest.mjs"), "run"], { cwd, env });
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (output += chunk.toString()));
  return new Promise((resolve) => child.on("close", (code) => resolve({ code, output })));
}
