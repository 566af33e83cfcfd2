// The legacy format: keystrokes typed into a screen, and the screen shown. Document 002, "Legacy Format Support".
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test as base } from "vitest";
import type { Job } from "../../core/ports/driver.ts";
import { TYPING } from "./codec.ts";
import { answering, look, type Seen } from "../../../test/support/term/agents.ts";
import { openCaseTerminal, startTrial, type CaseTerminal } from "../../../test/support/term/terminal.ts";

/** Each test has a terminal of its own, so that they can wait side by side. */
const it = base.extend<{ terminal: CaseTerminal }>({
  // oxlint-disable-next-line no-empty-pattern
  terminal: async ({}, use) => {
    const terminal = await openCaseTerminal();
    await use(terminal);
    await terminal.close();
  },
});

async function run(terminal: CaseTerminal, ...answers: object[]): Promise<Seen> {
  const job: Pick<Job, "spec" | "terminal"> = {
    spec: answering(...answers, { commands: [], task_complete: true }),
    terminal: terminal.environment,
  };
  const trial = startTrial(job);
  await trial.done;
  return look(trial.reports);
}

/** The longest wait that an agent can ask for. What is typed is over when the prompt is back, however long that may take. */
const MAX_SECONDS = TYPING.most;

const typed = (keystrokes: string, duration?: number): object => ({
  commands: [{ keystrokes, ...(duration !== undefined && { duration }) }],
  task_complete: false,
});

describe.concurrent("an agent of the legacy format", () => {
  it("is answered with the screen, as in the document's example", async ({ terminal }) => {
    const { requests, thoughts, calls, ends, rules } = await run(
      terminal,
      {
        analysis: "Terminal shows empty directory",
        plan: "Create file using echo",
        commands: [{ keystrokes: "echo 'hello' > file.txt\n", duration: MAX_SECONDS }],
        task_complete: false,
      },
      typed("cat file.txt; false\n", MAX_SECONDS),
    );
    expect(await readFile(join(terminal.workdir, "file.txt"), "utf8")).toBe("hello\n");
    expect(thoughts).toEqual([
      { thought: "Terminal shows empty directory", plan: "Create file using echo", step: "step-1" },
    ]);
    expect(requests[1]).toMatchObject({
      step: 2,
      last_command: "echo 'hello' > file.txt\n",
      exit_code: 0,
      cwd: terminal.workdir,
    });
    expect(requests[1]?.["output"]).toMatch(/echo 'hello' > file\.txt\n.*[$#]$/);
    expect(requests[2]?.["output"]).toMatch(/cat file\.txt; false\nhello\n/);
    expect(requests[2]).toMatchObject({ exit_code: 1 });
    expect(calls[0]).toMatchObject({
      tool: "shell",
      call_id: "step-1",
      input: { commands: [{ keystrokes: "echo 'hello' > file.txt\n", duration: MAX_SECONDS }], step: 1 },
      status: "success",
    });
    expect(ends).toEqual([{ status: "completed" }]);
    expect(rules).toEqual([]);
  });

  it("is shown the screen when it types nothing, up to the limit of steps that do nothing", async ({
    terminal,
  }) => {
    const look = { commands: [], task_complete: false };
    const { requests, calls, ends } = await run(terminal, look, typed("echo seen\n", MAX_SECONDS), look);
    expect(requests[1]).toMatchObject({ step: 2, output: expect.stringMatching(/[$#]$/) as string });
    expect(requests[3]).toMatchObject({
      step: 4,
      output: expect.stringMatching(/\nseen\n.*[$#]$/) as string,
    });
    expect(calls).toHaveLength(3);
    expect(ends).toEqual([{ status: "completed" }]);
    const idle = await run(terminal, look, look, look, look);
    expect(idle.ends).toMatchObject([{ status: "failed", failure: { code: "TOO_MANY_NOOPS" } }]);
  });

  it("sees what it typed once, on the first screen, too", async ({ terminal }) => {
    const { requests } = await run(terminal, typed("echo once-only\n", MAX_SECONDS));
    const [, { output } = { output: "" }] = requests;
    expect(String(output).split("echo once-only")).toHaveLength(2);
  });

  it("waits no longer than it said, and knows no exit code then", async ({ terminal }) => {
    const { calls, requests } = await run(terminal, typed("sleep 100000\n", 0.3), typed("C-c", MAX_SECONDS));
    expect(calls[0]?.duration_ms).toBeGreaterThan(290);
    expect(calls[0]).toMatchObject({ output: { exit_code: null }, status: "success" });
    expect(requests[1]).toMatchObject({ exit_code: null });
    expect(requests[2]).toMatchObject({ exit_code: 130 });
    expect(requests[2]?.["output"]).toContain("^C");
  });

  it("is ready when all that it typed is done, not at the first prompt", async ({ terminal }) => {
    const { requests } = await run(terminal, typed("echo a\nsleep 0.3\necho b$((1+1))\n", MAX_SECONDS));
    expect(requests[1]?.["output"]).toMatch(/\nb2\n.*[$#]$/);
  });

  it("is shown programs that wait for input", async ({ terminal }) => {
    const { requests } = await run(
      terminal,
      typed("read -p 'Name: ' name\n", MAX_SECONDS),
      typed("Ada\n", MAX_SECONDS),
      typed('echo "[$name]"\n', MAX_SECONDS),
      typed("cat > f <<EOF\nx ü\nEOF\ncat f\n", MAX_SECONDS),
    );
    expect(requests[1]?.["output"]).toMatch(/Name:$/);
    expect(requests[1]).toMatchObject({ exit_code: null });
    expect(requests[3]?.["output"]).toMatch(/\n\[Ada\]\n/);
    expect(requests[4]?.["output"]).toMatch(/cat f\nx ü\n.*[$#]$/);
  });

  it("follows its shell's directory, and one line of the other format begins there", async ({ terminal }) => {
    const { requests } = await run(
      terminal,
      { command: "mkdir -p a/b && cd a" },
      typed("cd b\n", MAX_SECONDS),
      { command: "pwd" },
      { command: "cd /" },
      typed("pwd\n", MAX_SECONDS),
    );
    const inside = join(terminal.workdir, "a/b");
    expect(requests[1]).toMatchObject({ cwd: join(terminal.workdir, "a") });
    expect(requests[2]).toMatchObject({ cwd: inside, exit_code: 0 });
    expect(requests[3]).toMatchObject({ output: inside, cwd: inside });
    expect(requests[4]).toMatchObject({ cwd: "/" });
    expect(requests[5]?.["output"]).toMatch(/pwd\n\/\n/);
    expect(requests[5]).toMatchObject({ cwd: "/" });
  });

  it("gets a new shell when it ended the old one", async ({ terminal }) => {
    const { requests } = await run(
      terminal,
      typed("exit 3\n", MAX_SECONDS),
      typed("echo again\n", MAX_SECONDS),
    );
    expect(requests[1]).toMatchObject({ exit_code: 3, shell_restarted: "exited" });
    expect(requests[1]?.["output"]).toMatch(/\[proctor\] the shell exited/);
    expect(requests[2]?.["output"]).toMatch(/again/);
    expect(requests[2]).not.toHaveProperty("shell_restarted");
  });

  it("may type much at once", async ({ terminal }) => {
    const lines = Array.from({ length: 600 }, (_, index) => `line ${index} ${"x".repeat(100)}`).join("\n");
    await run(terminal, typed(`cat > big <<'EOF'\n${lines}\nEOF\n`, MAX_SECONDS));
    expect(await readFile(join(terminal.workdir, "big"), "utf8")).toBe(`${lines}\n`);
  });

  it("may say is_task_complete, and command wins over commands", async ({ terminal }) => {
    const { calls, ends } = await run(
      terminal,
      { command: "echo mine", commands: [{ keystrokes: "touch other\n" }] },
      { commands: [{ keystrokes: "touch last\n" }], is_task_complete: true },
    );
    expect(calls).toMatchObject([
      { input: { command: "echo mine" } },
      { input: { commands: [{ duration: 1 }] } },
    ]);
    expect(ends).toEqual([{ status: "completed" }]);
    await expect(readFile(join(terminal.workdir, "other"))).rejects.toThrow(/ENOENT/);
    expect(await readFile(join(terminal.workdir, "last"), "utf8")).toBe("");
  });

  it("leaves no history behind", async ({ terminal }) => {
    await run(terminal, typed("echo x\n", MAX_SECONDS), typed("exit\n", MAX_SECONDS));
    await expect(readFile(join(terminal.workdir, ".bash_history"))).rejects.toThrow(/ENOENT/);
  });
});
