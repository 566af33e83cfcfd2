// How agents are started: by extension, with what is there, or with what to install.
import { spawnSync } from "node:child_process";
import { chmodSync, copyFileSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { look } from "../../../../test/support/term/agents.ts";
import { openCaseTerminal, startTrial } from "../../../../test/support/term/terminal.ts";
import { agentCommand } from "./command.ts";

const folder = mkdtempSync(join(tmpdir(), "proctor-agents-"));
afterAll(() => rmSync(folder, { recursive: true }));

const never = new AbortController().signal;
const options = { elsewhere: false, path: process.env["PATH"], signal: never };

function write(name: string, text: string, mode = 0o644): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  chmodSync(file, mode);
  return file;
}

const spec = (...command: string[]) => ({ protocol: "term", transport: "stdio", command, cwd: folder });

const PYTHON = `import sys, json
for line in sys.stdin:
    request = json.loads(line)
    first = request["step"] == 1
    print(json.dumps({"command": "echo python" if first else None, "task_complete": not first}))
    if not first: break
`;
const JAVASCRIPT = `
const rl = readline.createInterface({ input: process.stdin });
for await (const line of rl) {
  const request = JSON.parse(line);
  const first = request.step === 1;
  console.log(JSON.stringify({ command: first ? "echo NAME" : null, task_complete: !first }));
  if (!first) break;
}
rl.close();
`;
const RUST = `use std::io::{BufRead, Write};
fn main() {
    let mut first = true;
    for line in std::io::stdin().lock().lines() {
        line.unwrap();
        println!("{}", if first { r#"{"command": "echo rust", "task_complete": false}"# } else { r#"{"command": null, "task_complete": true}"# });
        std::io::stdout().flush().unwrap();
        if !first { break; }
        first = false;
    }
}
`;
const SHELL = `#!/bin/sh
read -r line; echo '{"command": "echo binary"}'
read -r line; echo '{"task_complete": true}'
`;

const has = (program: string): boolean => spawnSync(program, ["--version"]).status === 0;
function need(program: string): { skip: boolean } {
  const skip = !has(program);
  if (skip) console.log(`skipped: a ${program} agent: ${program} is not installed`); // oxlint-disable-line no-console
  return { skip };
}

async function play(...command: string[]): Promise<string[]> {
  const terminal = await openCaseTerminal();
  try {
    const trial = startTrial({ spec: spec(...command), terminal: terminal.environment });
    await trial.done;
    const { ends, calls, rules } = look(trial.reports);
    expect({ ends, rules }).toEqual({ ends: [{ status: "completed" }], rules: [] });
    return calls.map(({ output }) => (output as { output: string }).output);
  } finally {
    await terminal.close();
  }
}

describe("a terminal agent is started by its extension:", () => {
  it(".py, without waiting for its buffers", need("python3"), async () => {
    write("agent.py", PYTHON);
    expect(await play("agent.py")).toEqual(["python"]);
    expect(await agentCommand(spec("agent.py", "--fast"), options)).toMatchObject({
      command: ["python3", "-u", join(folder, "agent.py"), "--fast"],
    });
  });

  it(".mjs and .js", async () => {
    write("agent.mjs", `import readline from "node:readline";${JAVASCRIPT.replace("NAME", "mjs")}`);
    expect(await play("agent.mjs")).toEqual(["mjs"]);
    write(
      "agent.js",
      `const readline = require("readline"); (async () => {${JAVASCRIPT.replace("NAME", "js")}})();`,
    );
    expect(await play("./agent.js")).toEqual(["js"]);
  });

  it(".ts", async () => {
    const typed = JAVASCRIPT.replace("NAME", "ts").replace("const first =", "const first: boolean =");
    write(
      "agent.ts",
      `import * as readline from 'readline';\nasync function main(): Promise<void> {${typed}}\nvoid main();`,
    );
    expect(await play("agent.ts")).toEqual(["ts"]);
  });

  it(".rs, compiled once", need("rustc"), async () => {
    write("agent.rs", RUST);
    expect(await play("agent.rs")).toEqual(["rust"]);
    const compiledAt = async (): Promise<number> => {
      const found = await agentCommand(spec("agent.rs"), options);
      if ("code" in found) throw new Error(found.message);
      const [program = ""] = found.command;
      expect(program).toMatch(/proctor-rust-agents-\d+\/[0-9a-f]{64}$/);
      return statSync(program).ctimeMs;
    };
    expect(await compiledAt()).toBe(await compiledAt());
  });

  it("or as the program that it is", async () => {
    write("agent", SHELL, 0o755);
    expect(await play("agent")).toEqual(["binary"]);
    expect(await play(join(folder, "agent"))).toEqual(["binary"]);
    copyFileSync(join(folder, "agent"), join(folder, "agent.sh"));
    expect(await play("sh", "agent.sh")).toEqual(["binary"]);
  });
});

describe("an agent that cannot be started fails with what to do:", () => {
  it("a file that is not there", async () => {
    expect(await agentCommand(spec("gone.py"), options)).toMatchObject({
      code: "AGENT_NOT_STARTED",
      message: "gone.py: there is no such file",
    });
  });

  it("Python that is not installed", async () => {
    write("agent.py", PYTHON);
    const found = await agentCommand(spec("agent.py"), { ...options, path: folder });
    expect(found).toMatchObject({
      code: "AGENT_NOT_STARTED",
      message: expect.stringMatching(/python3 was not found\ninstall Python 3/) as string,
    });
  });

  it("Rust with crates", async () => {
    write("sdk.rs", "use term_sdk::{Agent, run};\nfn main() {}\n");
    expect(await agentCommand(spec("sdk.rs"), options)).toMatchObject({
      code: "AGENT_NOT_STARTED",
      message: expect.stringMatching(/uses the crate term_sdk.*\nbuild it with cargo/) as string,
    });
  });

  it("Rust that is wrong", need("rustc"), async () => {
    write("wrong.rs", "fn main() { let x: u8 = true; }\n");
    expect(await agentCommand(spec("wrong.rs"), options)).toMatchObject({
      code: "AGENT_NOT_STARTED",
      message: expect.stringMatching(/rustc refused .*wrong\.rs:[^]*mismatched types/) as string,
    });
  });
});
