// Runs that talk, in a real terminal and in a pipe: an agent says something, asks, and is answered.
import { mkdirSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import type { Page } from "../../src/core/page.ts";
import type { ConversationMessage } from "../../src/core/ports/hub.ts";
import type { Run } from "../../src/core/run.ts";
import { textOf } from "../../src/core/message.ts";
import { runInPipe, startInTerminal, type TerminalProgram } from "../support/cli/terminal-program.ts";
import { runCommand } from "../support/run-command.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const root = temporaryFolder("talking");
const open: TerminalProgram[] = [];
afterEach(async () => {
  for (const program of open.splice(0)) await program.close();
});

function folderOf(name: string): string {
  const folder = join(root, name);
  mkdirSync(folder);
  return folder;
}

const run = (...lines: string[]): string[] => ["run", "-a", "talk+builtin:agent", "-t", lines.join("\n")];

async function start(folder: string, args: readonly string[]): Promise<TerminalProgram> {
  const program = await startInTerminal(args, folder);
  open.push(program);
  return program;
}

async function said(folder: string): Promise<string[]> {
  const { stdout } = await runCommand(["runs", "messages", "last", "--json"], { folder });
  const { items } = JSON.parse(stdout) as Page<ConversationMessage>;
  return items.slice(1).map(({ message }) => textOf(message.parts));
}

describe("proctor run in a terminal", () => {
  it("shows what the agent says, asks the person, and never shows or keeps a secret in the clear", async () => {
    const folder = folderOf("asks");
    const task = run(
      "stream Hello there",
      "permit Delete build?",
      "ask Which colour?",
      "auth A token",
      "form",
    );
    const program = await start(folder, task);

    await program.until("Hello there");
    await program.until("1  Allow once  allows it");
    await program.until("› ");
    program.type("sure\r");
    await program.until("type a number from 1 to 2");
    await program.until("› ");
    program.type("1\r");
    await program.until("I heard once");
    await program.until("› ");
    program.type("dark blue\r");
    await program.until("I heard dark blue");
    await program.until("› ");
    program.type("s3cret-token\r");
    await program.until("I have 12 characters");
    await program.until("city › ");
    program.type("Rome\r");
    await program.until("nights › ");
    program.type("many\r");
    await program.until("a whole number");
    await program.until("nights › ");
    program.type("3\r");
    await program.until("breakfast (optional) › ");
    program.type("\r");

    expect(await program.ended).toBe(0);
    expect(program.shown()).toContain('I heard {"city":"Rome","nights":3}');
    expect(program.shown()).not.toContain("s3cret");
    expect(await said(folder)).toEqual([
      "Hello there",
      "I heard once",
      "I heard dark blue",
      "I have 12 characters",
      'I heard {"city":"Rome","nights":3}',
    ]);
    const data = join(folder, ".proctor");
    for (const file of readdirSync(data).filter((name) => name.startsWith("proctor.db")))
      expect(readFileSync(join(data, file)).includes("s3cret-token"), file).toBe(false);
  });

  it("cancels the run on Ctrl-C at a prompt", async () => {
    const folder = folderOf("cancels");
    const program = await start(folder, run("ask Which colour?"));

    await program.until("› ");
    program.type("bl\u0003");

    expect(await program.ended).toBe(130);
    expect(program.shown()).toContain("■ cancelled");
  });
});

describe("proctor run in a pipe", () => {
  it("asks nobody: a run that needs input fails, and --answer and --policy answer instead", async () => {
    const folder = folderOf("pipe");
    const task = run("permit Delete build?", "ask Which colour?", "ask Which size?");

    const alone = await runInPipe(task, folder);
    const given = await runInPipe([...task, "--answer", "blue", "--policy", "permission=allow"], folder);

    expect(alone).toMatchObject({ code: 1, stdout: expect.stringContaining("NO_ANSWER") });
    expect(given).toMatchObject({ code: 0, stderr: "" });
    expect(await said(folder)).toEqual(["I heard once", "I heard blue", "I heard declined"]);
  });

  it("goes on with a conversation with --continue", async () => {
    const folder = folderOf("continues");
    await runInPipe(run("say Hello"), folder);

    const next = await runInPipe(["run", "--continue", "last", "-t", "history"], folder);
    const shown = await runCommand(["runs", "show", "last", "--json"], { folder });
    const thread = await runCommand(["runs", "messages", "last", "--all"], { folder });

    expect(next).toMatchObject({ code: 0, stdout: expect.stringContaining("2 before") });
    const { conversation_id, follows } = JSON.parse(shown.stdout) as Run;
    expect(follows).toBe(conversation_id);
    expect(thread.stdout).toMatch(/^[^]*« talk\+builtin:agent\n {2}Hello\n[^]*» user\n {2}history\n/);
  });
});
