// Every command through the built program as it is started: what each of them does in detail is tested elsewhere, mostly in the process of the test
// (support/run-command.ts).
import { cpSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { runProgram } from "../support/program.ts";
import { shareEnvironments } from "../support/share-environments.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const HELLO = fileURLToPath(new URL("../../../../examples/terminal-tasks/hello", import.meta.url));
const SUITE = `
test_suite: commands
agents: [{ name: echo, address: "text+stdio:cat" }]
tests:
  - id: echo
    name: Repeats what it is told
    task: { description: Hello }
    assertions: [{ type: contains, config: { pattern: Hello } }]
`;
const folder = temporaryFolder("commands");

/** In this order: some need what others left. */
const COMMANDS: readonly (readonly [line: string, code: number | typeof whatIsIsolated, said: string])[] = [
  ["validate suite.yaml", 0, "✓ suite.yaml  1 test, 1 agent"],
  ["test suite.yaml", 0, "1 passed"],
  ["baseline save saved.json", 0, "✓ saved saved.json"],
  ["compare saved.json saved.json", 0, "saved.json"],
  ["evaluations list", 0, "commands"],
  ["run --agent text+stdio:cat --task Hello", 0, "✓ completed"],
  ["runs list", 0, "completed"],
  ["tasks list tasks", 0, "hello"],
  ["agents list", 0, "no agents yet"],
  ["tools list", 0, "no tools yet"],
  ["token list", 0, "no tokens yet"],
  ["goal list", 0, "no goal yet"],
  ["approvals list", 0, "nothing waits for a person"],
  ["messages dead", 0, "everything arrived"],
  ["docs errors", 0, "# Errors and failures"],
  ["doctor", whatIsIsolated, "Environments"],
  ["completion bash", 0, "# bash completion for proctor"],
  ["workers list", 0, "no workers"],
  ["worker", 2, "a worker needs a database that it shares with others"],
  ["migrate sqlite-to-postgres", 2, "a move needs --from and --to"],
  ["up --port 70000", 2, "must be a whole number from 0 to 65535"],
  ["mock llm none.yaml", 2, "there is no such file"],
  ["conform text+stdio:cat", 2, "no protocol speaks"],
  ["bridge a2a nowhere", 2, "say which version the clients speak"],
];

/** The exit code of `proctor doctor` says whether this machine can isolate anything. */
function whatIsIsolated(stdout: string): number {
  return /nothing can be isolated here/.test(stdout) ? 3 : 0;
}

beforeAll(() => {
  writeFileSync(join(folder, "suite.yaml"), SUITE);
  shareEnvironments(join(folder, ".proctor"));
  cpSync(HELLO, join(folder, "tasks/hello"), { recursive: true });
});

describe("the built program", () => {
  it.each(COMMANDS)("carries out proctor %s", async (line, code, said) => {
    const ended = await runProgram(line.split(" "), { folder });
    expect(ended).toMatchObject({ code: typeof code === "number" ? code : code(ended.stdout) });
    expect(ended.stdout + ended.stderr).toContain(said);
    expect(ended.stderr).not.toContain("ExperimentalWarning");
  });

  it("has no command that is not carried out here", async () => {
    const { stdout } = await runProgram(["--help"], { folder });
    const [, listed = ""] = /\nCommands:\n([^]*?)\n\n/.exec(stdout) ?? [];
    const names = Array.from(listed.matchAll(/^ {2}([a-z]+)/gm), ([, name]) => name);
    expect(names.length).toBeGreaterThan(10);
    const tried = new Set(COMMANDS.map(([line]) => line.split(" ")[0]));
    expect(names.filter((name) => name !== "help" && !tried.has(name))).toEqual([]);
  });
});
