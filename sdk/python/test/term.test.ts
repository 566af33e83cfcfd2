// term_sdk as users get it: the document's agent, the README, its dependencies. Its behaviour is tested in sdk/term-cases and
// sdk/python/tests.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { NO_PYTHON, ROOT, startPython } from "./python-agent.ts";

/** SHA-256 of the program that document 002 prints under "Minimal Python Agent". */
const DOCUMENT_002_AGENT = "c1633f76ce262b8f49fee367a41377b6387b6b17e2e126338ac00558d681d504";
const SDK = join(ROOT, "sdk/python/term_sdk");
const FIRST = `${JSON.stringify({ instruction: "Look around", step: 1, cwd: "/app" })}\n`;
const WITH_SDK = 'import sys; sys.path.insert(0, "sdk/python")\n';

it("the example is the agent of document 002, byte for byte", () => {
  const bytes = readFileSync(join(ROOT, "examples/terminal-agents/hello.py"));
  expect(createHash("sha256").update(bytes).digest("hex")).toBe(DOCUMENT_002_AGENT);
});

describe.skipIf(NO_PYTHON)("the Python package term_sdk", () => {
  it("runs the agent of its README", async () => {
    const [, code = ""] = /```python\n([^]*?)```/.exec(readFileSync(join(SDK, "README.md"), "utf8")) ?? [];
    const run = startPython(["-c", `${WITH_SDK}${code}`]);
    run.child.stdin?.write(FIRST);
    await run.printed("stdout", /\n/);
    run.child.stdin?.write(FIRST.replace("1", '2, "last_command": "ls -la", "exit_code": 2'));
    await run.printed("stdout", /\n.*\n/);
    run.child.stdin?.end(FIRST.replace("1", '3, "exit_code": 0'));
    expect(await run.ended).toMatchObject({ code: 0 });
    expect(run.stdout().split("\n").map(parse)).toEqual([
      { command: "ls -la", task_complete: false },
      { command: null, task_complete: false, text: "ls -la ended with 2" },
      { command: null, task_complete: true, text: "looked around" },
      undefined,
    ]);
  });

  it("needs nothing but the standard library, of Python 3.8", async () => {
    const check = `${WITH_SDK}
import ast, pathlib, term_sdk
term_sdk.LLM
for file in pathlib.Path("sdk/python/term_sdk").glob("*.py"):
    ast.parse(file.read_text(), feature_version=(3, 8))
print([n for n, m in sys.modules.items() if "site-packages" in (getattr(m, "__file__", None) or "")])`;
    const run = startPython(["-S", "-W", "error", "-c", check]);
    expect(await run.ended, run.stderr()).toMatchObject({ code: 0 });
    expect(run.stdout().trim()).toBe("[]");
  });

  it("exports what its documentation names, and documents what it exports", async () => {
    const run = startPython(["-c", `${WITH_SDK}import term_sdk; print(*term_sdk.__all__)`]);
    await run.ended;
    const readme = readFileSync(join(SDK, "README.md"), "utf8");
    const aliases = new Set(["AgentRequest", "AgentResponse", "FunctionCall"]);
    const names = run.stdout().trim().split(" ");
    expect(names.filter((name) => !aliases.has(name) && !readme.includes(name))).toEqual([]);
    const codes = readdirSync(SDK)
      .filter((file) => file.endsWith(".py"))
      .flatMap((file) => [...readFileSync(join(SDK, file), "utf8").matchAll(/LLMError\(\s*"(\w+)"/g)])
      .map(([, code = ""]) => code);
    expect(codes.length).toBeGreaterThan(8);
    expect(codes.filter((code) => !readme.includes(`\`${code}\``))).toEqual([]);
  });
});

const parse = (line: string): unknown => (line === "" ? undefined : JSON.parse(line));
