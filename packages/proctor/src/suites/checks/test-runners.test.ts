import { spawnSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import type { Verdict } from "../verdict.ts";
import { check } from "../../../test/support/suites/check-subject.ts";
import { tallyOf } from "../workspace/tally.ts";
import { given, withTools, workspaceWith } from "../../../test/support/suites/check-workspace.ts";
import type { Files } from "../../../test/support/suites/check-workspace.ts";

const base = temporaryFolder("runners");
let count = 0;

/** On a new workspace with these files; `tools` are programs on the path, `only` leaves no others there. */
function judge(
  type: string,
  config: object,
  files: Files,
  tools: Files = {},
  only = false,
): Promise<Verdict> {
  const number = count++;
  const workspace = workspaceWith(join(base, `w${number}`), files);
  const runCommand = withTools(join(base, `t${number}`), { marker: "", ...tools }, only);
  return check(type, config, given(workspace, { services: { runCommand } }));
}

const missing = (command: readonly string[]): string | undefined => {
  const [program = "", ...args] = command;
  return spawnSync(program, args).status === 0 ? undefined : `there is no ${command.join(" ")} here`;
};
const noPytest = missing(["python3", "-m", "pytest", "--version"]);
const noNpm = missing(["npm", "--version"]);
for (const reason of [noPytest, noNpm])
  if (reason !== undefined) process.stderr.write(`skipped: ${reason}\n`);

describe.skipIf(noPytest !== undefined)("pytest", () => {
  const tests =
    "from calc import add\n\ndef test_add():\n  assert add(1, 2) == 3\n\ndef test_more():\n  assert add(1, 1) == 2\n";
  const right = {
    "conftest.py": "",
    "calc.py": "def add(a, b): return a + b\n",
    "tests/test_calc.py": tests,
  };
  const wrong = { ...right, "calc.py": "def add(a, b): return 3\n" };

  test("passes when all tests pass, and leaves no traces", async () => {
    const left = {
      checks: [{ type: "pytest" }, { type: "file_count", config: { count: 3, pattern: "**" } }],
    };
    expect(await judge("all", left, right)).toMatchObject({ outcome: "pass", message: "2 of 2 passed" });
  });

  test("fails with the share and the names of those that failed", async () => {
    const verdict = await judge("pytest", {}, wrong);
    expect(verdict).toMatchObject({ outcome: "fail", score: 0.5 });
    expect(verdict.message).toMatch(
      /^1 of 2 tests passed, all expected; failed: "tests\/test_calc.py::test_more/,
    );
  });

  test("fails when what the agent wrote cannot be imported", async () => {
    const broken = { ...right, "calc.py": "def add(:\n" };
    expect(await judge("pytest", {}, broken)).toMatchObject({ outcome: "fail", score: 0 });
  });

  test("takes more arguments, and settings from the workspace only", async () => {
    writeFileSync(join(base, "pytest.ini"), "[pytest]\naddopts = --no-such-option\n");
    expect((await judge("pytest", { args: ["-k", "add"] }, wrong)).message).toContain("1 of 1");
    const own = { ...wrong, "pytest.ini": "[pytest]\naddopts = -k more\n" };
    expect((await judge("pytest", {}, own)).message).toContain("0 of 1");
    rmSync(join(base, "pytest.ini"));
  });
});

describe("pytest, as it may end", () => {
  const python = (output: string, code: number): Files => ({
    python3: `#!/bin/sh\necho "${output}"\nexit ${code}\n`,
  });

  test.each<[string, number, string]>([
    ["no tests ran in 0.01s", 5, "unevaluated"],
    ["1 skipped in 0.01s", 0, "unevaluated"],
    ["ERROR: file or directory not found: tests/", 4, "unevaluated"],
    ["INTERNALERROR> oops", 3, "unevaluated"],
    ["1 failed, 3 passed, 2 skipped, 1 warning in 61.20s (0:01:01)", 1, "pass"],
    ["===== 1 failed, 3 passed in 0.12s =====", 1, "pass"],
    ["1 failed, 2 passed, 1 error in 0.12s", 1, "fail"],
    ["5 passed in 0.01s", 1, "fail"],
    ["", 1, "fail"],
    ["", 0, "pass"],
  ])("%j with %i → %s", async (output, code, outcome) => {
    const verdict = await judge("pytest", { threshold: 0.75 }, { "tests/a": "" }, python(output, code));
    expect(verdict.outcome).toBe(outcome);
  });

  test("is unevaluated and says what to install", async () => {
    const files = { "tests/test_a.py": "" };
    const bare = await judge("pytest", {}, files, {}, true);
    expect(bare).toMatchObject({
      outcome: "unevaluated",
      message: expect.stringContaining("pip install pytest"),
    });
    const python = '#!/bin/sh\necho "/usr/bin/python3: No module named pytest" >&2\nexit 1\n';
    const without = await judge("pytest", {}, files, { python3: python });
    expect(without).toMatchObject({
      outcome: "unevaluated",
      message: expect.stringContaining("pip install pytest"),
    });
  });

  test("refuses containers and ways out", () => {
    expect(() => judge("pytest", { container: true }, {})).toThrow("do not run in a container");
    expect(() => judge("pytest", { image: "python:3" }, {})).toThrow("do not run in a container");
    expect(() => judge("pytest", { path: "../tests" }, {})).toThrow("leads out");
    expect(() => judge("pytest", { threshold: 2 }, {})).toThrow("threshold");
  });
});

describe.skipIf(noNpm !== undefined)("npm", () => {
  const project = (script: string): Files => ({
    "package.json": JSON.stringify({ scripts: { test: script, other: "exit 0" } }),
    "a.test.mjs":
      'import { test } from "node:test";\ntest("a", () => {});\ntest("b", () => { throw new Error("no"); });\n',
  });

  test("counts what the runner of the project says", async () => {
    const verdict = await judge("npm", {}, project("node --test"));
    expect(verdict).toMatchObject({
      outcome: "fail",
      message: "1 of 2 tests passed, all expected",
      score: 0.5,
    });
    expect(
      (await judge("npm", { command: "npm test", threshold: 0.5 }, project("node --test"))).outcome,
    ).toBe("pass");
  });

  test("goes by the exit code where nothing is counted", async () => {
    const node = (script: string, more: object = {}): Promise<Verdict> =>
      judge("npm", { command: ["node", "-e", script], ...more }, project("exit 0"));
    expect((await judge("npm", {}, project("exit 0"))).message).toBe('"npm test" exited with 0');
    expect((await node("", { threshold: 0.5 })).outcome).toBe("unevaluated");
    expect((await node("process.exit(4)")).outcome).toBe("fail");
    const more = await node("console.log('3 passing'); process.exit(1)");
    expect(more.message).toContain("3 of 3 tests passed, all expected, but");
  });
});

test("npm does not go looking for a project above the workspace, and may be missing", async () => {
  expect(await judge("npm", {}, {})).toEqual({
    outcome: "fail",
    message: 'the workspace has no "package.json"',
  });
  const bare = await judge("npm", {}, { "package.json": "{}" }, {}, true);
  expect(bare).toMatchObject({ outcome: "unevaluated", message: expect.stringContaining("nodejs.org") });
});

test.each<[string, string, number, number]>([
  ["Jest", "Tests:       1 failed, 2 skipped, 3 passed, 6 total\n", 3, 1],
  ["Vitest", "\n Test Files  1 failed | 1 passed (2)\n      Tests  1 failed | 4 passed (5)\n", 4, 1],
  ["Vitest, all passed", "      Tests  4 passed (4)\n", 4, 0],
  ["Mocha", "  3 passing (5ms)\n  1 pending\n  2 failing\n", 3, 2],
  ["node:test", "ℹ tests 3\nℹ pass 2\nℹ fail 1\n", 2, 1],
  ["TAP", "1..2\n# tests 2\n# pass  1\n# fail  1\n", 1, 1],
  ["the last word", "Tests: 9 passed, 9 total\nTests: 1 failed, 8 passed, 9 total\n", 8, 1],
])("the words of %s are understood", (_, output, passed, failed) => {
  expect(tallyOf(output)).toEqual({ passed, failed });
});

test("what no runner says is no tally, however long it is", () => {
  expect(tallyOf("All good, 3 tests\n")).toBeUndefined();
  expect(tallyOf(`Tests: ${"1 ".repeat(3_000_000)}`)).toBeUndefined();
});

describe("lint", () => {
  const tool = (output: unknown, code: number): string =>
    `#!/bin/sh\ncat <<'END'\n${typeof output === "string" ? output : JSON.stringify(output)}\nEND\nexit ${code}\n`;
  const ruff = [
    { code: "E501", message: "Line too long", filename: "/w/a.py", location: { row: 3, column: 1 } },
    { code: "F401", message: "unused", filename: "/w/b.py", location: { row: 1, column: 1 } },
  ];
  const eslint = [
    { filePath: "/w/ok.js", errorCount: 0, warningCount: 0, messages: [] },
    {
      filePath: "/w/a.js",
      errorCount: 1,
      warningCount: 2,
      messages: [{ line: 7, message: "no", ruleId: "no-undef" }],
    },
  ];

  test.each<[string, object, string]>([
    ["clean", { linter: "ruff" }, "pass"],
    ["found", { linter: "ruff" }, "fail"],
    ["found", { linter: "ruff", max_violations: 2 }, "fail"],
    ["found", { linter: "ruff", max_violations: 2, max_errors: 1 }, "pass"],
    ["clean", { linter: "eslint" }, "pass"],
    ["found", { linter: "eslint" }, "fail"],
    ["found", { linter: "eslint", max_violations: 3, max_errors: 1 }, "pass"],
    ["found", { linter: "eslint", max_violations: 2, max_errors: 1 }, "fail"],
  ])("%s %j → %s", async (state, config, outcome) => {
    const clean = state === "clean";
    const tools = {
      ruff: tool(clean ? [] : ruff, clean ? 0 : 1),
      eslint: tool(clean ? eslint.slice(0, 1) : eslint, clean ? 0 : 1),
    };
    expect((await judge("lint", config, { "a.py": "" }, tools)).outcome).toBe(outcome);
  });

  test("says what was found, and where the first stands", async () => {
    const found = await judge("lint", { linter: "ruff" }, {}, { ruff: tool(ruff, 1) });
    expect(found.message).toBe(
      'ruff: 2 violations (1 error), at most 0 (0 errors) expected; "a.py:3": "Line too long" ("E501") (and 1 more)',
    );
  });

  test("prefers the project's own ESLint", async () => {
    const own = "node_modules/.bin/eslint";
    const verdict = await judge(
      "lint",
      { linter: "eslint" },
      { [own]: tool(eslint, 1) },
      { eslint: tool([], 0) },
    );
    // It is there and cannot be executed: written without the right to.
    expect(verdict).toMatchObject({ outcome: "unevaluated", message: expect.stringContaining(own) });
  });

  test.each<[string, Files]>([
    ["is not installed", {}],
    ["cannot read its settings", { ruff: tool([], 2) }],
    ["writes something else", { ruff: tool("Found 1 error.", 1) }],
    ["writes another report", { ruff: tool([{ oops: 1 }], 1) }],
  ])("is unevaluated when the linter %s", async (_, tools) => {
    expect((await judge("lint", { linter: "ruff" }, {}, { cat: CAT, ...tools }, true)).outcome).toBe(
      "unevaluated",
    );
  });

  test("refuses another linter", () => {
    expect(() => judge("lint", { linter: "pylint" }, {})).toThrow("linter");
  });
});

/** For the tools above where nothing else is on the path. */
const CAT = '#!/bin/sh\nwhile read -r line; do echo "$line"; done\n';
