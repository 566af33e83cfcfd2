// Document 002, example by example: what it prints is what travels, byte by byte apart from blanks between the parts of JSON.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import type { AgentSpec } from "../../core/agent.ts";
import type { Environment, ShellResult } from "../../core/ports/environments.ts";
import { decodeAnswer } from "./codec.ts";
import { look } from "../../../test/support/term/agents.ts";
import { openCaseTerminal, startTrial } from "../../../test/support/term/terminal.ts";

const checkout = fileURLToPath(new URL("../../../../../", import.meta.url));

/** As the document prints them. */
const REQUEST_FORMAT = `{"instruction": "Create hello.txt with 'Hello, world!'", "step": 1, "last_command": null, "output": null, "exit_code": null, "cwd": "/app"}`;
const SEQUENCE = [
  `{"instruction": "Create a file hello.txt containing 'Hello, world!'", "step": 1, "last_command": null, "output": null, "exit_code": null, "cwd": "/app"}`,
  `{"instruction": "Create a file hello.txt containing 'Hello, world!'", "step": 2, "last_command": "echo 'Hello, world!' > hello.txt", "output": "", "exit_code": 0, "cwd": "/app"}`,
  `{"instruction": "Create a file hello.txt containing 'Hello, world!'", "step": 3, "last_command": "cat hello.txt", "output": "Hello, world!", "exit_code": 0, "cwd": "/app"}`,
];
const COMPLETE = {
  // The first of them leaves out last_command, which its own table has; we send it.
  requests: [
    REQUEST_FORMAT,
    `{"instruction": "Create hello.txt with 'Hello, world!'", "step": 2, "last_command": "echo 'Hello, world!' > hello.txt", "output": "", "exit_code": 0, "cwd": "/app"}`,
    `{"instruction": "Create hello.txt with 'Hello, world!'", "step": 3, "last_command": "cat hello.txt", "output": "Hello, world!", "exit_code": 0, "cwd": "/app"}`,
  ],
  responses: [
    `{"command": "echo 'Hello, world!' > hello.txt", "task_complete": false}`,
    `{"command": "cat hello.txt", "task_complete": false, "text": "Verifying file was created"}`,
    `{"command": null, "task_complete": true, "text": "File created successfully"}`,
  ],
};

/** A terminal in /app that knows the document's two commands. */
function scripted(): Environment {
  const outputs: Record<string, string> = { "cat hello.txt": "Hello, world!" };
  const run = (command: string): Promise<ShellResult> => {
    const text = outputs[command] ?? "";
    const output = { text, bytes: text.length, truncated: false };
    return Promise.resolve({ exitCode: 0, cwd: "/app", output, timedOut: false, durationMs: 1 });
  };
  // Only what a run of the line format needs.
  return {
    workdir: "/app",
    facts: { limits: {} },
    openShell: () => Promise.resolve({ cwd: "/app", run, close: () => Promise.resolve() }),
    changes: () => Promise.resolve([]),
    async *snapshot() {},
  } as unknown as Environment;
}

/** Says these lines as they are; what it reads goes to stderr as it is. */
function reciter(lines: readonly string[]): AgentSpec {
  const program = `const lines = ${JSON.stringify(lines)};
    require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
      console.error("RAW " + line); console.log(lines.shift()); if (lines.length === 0) process.exit(0); });`;
  return { protocol: "term", transport: "stdio", command: [process.execPath, "-e", program] };
}

async function sentTo(
  agent: AgentSpec,
  instruction: string,
): Promise<{ raw: string[]; seen: ReturnType<typeof look> }> {
  const trial = startTrial({ spec: agent, terminal: scripted(), task: { description: instruction } });
  await trial.done;
  const seen = look(trial.reports);
  const raw = seen.logs.flatMap((text) => text.split("\n")).filter((line) => line.startsWith("RAW "));
  return { raw: raw.map((line) => line.slice(4)), seen };
}

/** Without the blanks between the parts of JSON. */
const compact = (line: string): string => JSON.stringify(JSON.parse(line));

describe("document 002", () => {
  it('"Example Request Sequence": the three requests are what an agent is sent', async () => {
    const { raw, seen } = await sentTo(
      reciter(COMPLETE.responses),
      "Create a file hello.txt containing 'Hello, world!'",
    );
    expect(raw).toEqual(SEQUENCE.map(compact));
    expect(seen.rules).toEqual([]);
  });

  it('"Complete Example": three requests, three responses, and the task is complete', async () => {
    const { raw, seen } = await sentTo(reciter(COMPLETE.responses), "Create hello.txt with 'Hello, world!'");
    expect(raw).toEqual(COMPLETE.requests.map(compact));
    expect(seen.ends).toEqual([{ status: "completed" }]);
    expect(seen.calls.map(({ input }) => (input as { command: string }).command)).toEqual([
      "echo 'Hello, world!' > hello.txt",
      "cat hello.txt",
    ]);
  });

  it('"Request Format": one JSON object per line, and the fields in their order', async () => {
    const { raw } = await sentTo(
      reciter(['{"task_complete": true}']),
      "Create hello.txt with 'Hello, world!'",
    );
    expect(raw).toEqual([compact(REQUEST_FORMAT)]);
  });

  it.each([
    [
      `{"command": "ls -la", "task_complete": false}`,
      { action: { kind: "command", command: "ls -la" }, complete: false },
    ],
    [
      `{"command": "cat hello.txt", "task_complete": false, "text": "Verifying file contents"}`,
      {
        action: { kind: "command", command: "cat hello.txt" },
        complete: false,
        thought: "Verifying file contents",
      },
    ],
    [`{"command": null, "task_complete": true}`, { action: { kind: "none" }, complete: true }],
    [
      `{"command": null, "task_complete": true, "text": "Task completed successfully"}`,
      { action: { kind: "none" }, complete: true, thought: "Task completed successfully" },
    ],
  ])('"Response Examples": %s', (line, answer) => {
    expect(decodeAnswer(line)).toEqual({ ok: true, answer, violations: [] });
  });

  it('"Reading Input Correctly": an agent that reads until EOF times out', async () => {
    const program = `require("fs").readFileSync(0); console.log('{"task_complete":true}')`;
    const trial = startTrial({
      spec: { protocol: "term", transport: "stdio", command: [process.execPath, "-e", program] },
      terminal: scripted(),
      options: { terminal: { agent_response_seconds: 0.5 } },
    });
    await trial.done;
    expect(look(trial.reports).ends).toMatchObject([{ failure: { code: "AGENT_RESPONSE_TIMEOUT" } }]);
  });
});

const python = spawnSync("python3", ["--version"]).status === 0;
if (!python) console.log("skipped: the document's minimal agent: python3 is not installed"); // oxlint-disable-line no-console

describe("the agents of examples/terminal-agents", () => {
  it.each([
    ["hello.py", python],
    ["hello.ts", true],
  ])("%s does the document's task", async (name, there) => {
    if (!there) return;
    const terminal = await openCaseTerminal();
    try {
      const spec: AgentSpec = {
        protocol: "term",
        transport: "stdio",
        command: [name],
        cwd: join(checkout, "examples/terminal-agents"),
        env: { PYTHONPATH: join(checkout, "sdk/python"), PYTHONDONTWRITEBYTECODE: "1" },
      };
      const trial = startTrial({ spec, terminal: terminal.environment });
      await trial.done;
      const { ends, rules, calls } = look(trial.reports);
      expect({ ends, rules }).toEqual({ ends: [{ status: "completed" }], rules: [] });
      expect(calls).toMatchObject([
        { input: { command: "echo 'Hello, world!' > hello.txt" }, status: "success" },
      ]);
      expect(await readFile(join(terminal.workdir, "hello.txt"), "utf8")).toBe("Hello, world!\n");
    } finally {
      await terminal.close();
    }
  });

  it("hello.py is the document's minimal agent", () => {
    const text = readFileSync(join(checkout, "examples/terminal-agents/hello.py"), "utf8");
    expect(
      text.startsWith("#!/usr/bin/env python3\nfrom term_sdk import Agent, Request, Response, run\n"),
    ).toBe(true);
    expect(text).toContain(
      `            return Response.cmd("echo 'Hello, world!' > hello.txt")\n        return Response.done()\n`,
    );
  });
});
