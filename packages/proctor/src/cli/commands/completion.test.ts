// The completion scripts, the one for bash in a real bash.
import { execFile, execFileSync, spawnSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createProgramDouble } from "../../../test/support/cli/program-double.ts";

const run = promisify(execFile);
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "proctor-completion-"));
  for (const shell of ["bash", "zsh", "fish"]) {
    const { code, out } = await createProgramDouble().run(["completion", shell]);
    expect(code).toBe(0);
    await writeFile(join(folder, shell), out);
  }
});
afterAll(() => rm(folder, { recursive: true }));

async function completeInBash(...words: string[]): Promise<string[]> {
  const script = `source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _proctor; echo "\${COMPREPLY[@]}"`;
  const { stdout } = await run("bash", ["--norc", "-c", script, "bash", join(folder, "bash"), ...words]);
  return stdout.trim().split(" ").filter(Boolean).sort();
}

test.each([
  [
    ["proctor", ""],
    [
      "agents",
      "approvals",
      "baseline",
      "bridge",
      "compare",
      "completion",
      "conform",
      "docs",
      "doctor",
      "evaluations",
      "goal",
      "help",
      "messages",
      "migrate",
      "mock",
      "run",
      "runs",
      "tasks",
      "test",
      "token",
      "tools",
      "up",
      "validate",
      "worker",
      "workers",
    ],
  ],
  [
    ["proctor", "ru"],
    ["run", "runs"],
  ],
  [
    ["proctor", "runs", ""],
    [
      "answer",
      "artifact",
      "cancel",
      "events",
      "export",
      "fork",
      "help",
      "list",
      "messages",
      "questions",
      "say",
      "show",
    ],
  ],
  [
    ["proctor", "run", "--ma"],
    ["--max-steps", "--max-tokens"],
  ],
  [["proctor", "runs", "events", "abc", "--f"], ["--follow"]],
  [
    ["proctor", "runs", "list", "--status", "pa"],
    ["partial", "paused"],
  ],
  [
    ["proctor", "runs", "questions", "--kind", "a"],
    ["approval", "auth"],
  ],
  [
    ["proctor", "completion", ""],
    ["bash", "fish", "zsh"],
  ],
  [["proctor", "run", "--input", ""], []],
  [["proctor", "run", "--task", "runs", "--js"], ["--json"]],
])("bash completes %j", async (words, expected) => {
  expect(await completeInBash(...words)).toEqual(expected);
});

test("the completion script of every shell has every command and flag", async () => {
  for (const shell of ["bash", "zsh", "fish"]) {
    const { out } = await createProgramDouble().run(["completion", shell]);
    for (const word of ["validate", "cancel", "agent-concurrency", "follow", "partial"])
      expect(out).toContain(word);
  }
});

for (const shell of ["bash", "zsh", "fish"]) {
  test.skipIf(!isInstalled(shell))(`${shell}, where installed, accepts its completion script`, () => {
    execFileSync(shell, ["-n", join(folder, shell)], { stdio: "pipe" });
  });
}

function isInstalled(shell: string): boolean {
  return spawnSync(shell, ["--version"], { stdio: "ignore" }).status === 0;
}
