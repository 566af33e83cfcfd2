// What a shell that remembers promises, in any environment.
import { readFile } from "node:fs/promises";
import { afterEach, expect, it } from "vitest";
import type { Environment, Shell, ShellResult } from "../../core/ports/environments.ts";
import { HANG_MS } from "../../../test/support/eventually.ts";

export function shellCases(use: () => Environment): void {
  let shell: Shell | undefined;
  afterEach(async () => {
    await shell?.close();
    shell = undefined;
  });

  async function run(command: string, timeoutMs = HANG_MS): Promise<ShellResult> {
    shell ??= await use().openShell();
    return shell.run(command, { timeoutMs });
  }

  const text = async (command: string): Promise<string> => (await run(command)).output.text;

  /** Runs a command that never ends, with a time limit that lets it say the word first, however slow the machine is. */
  async function cutOff(command: string, word: string): Promise<ShellResult> {
    for (let timeoutMs = 400; ; timeoutMs *= 2) {
      const result = await run(command, timeoutMs);
      if (result.output.text.includes(word) || timeoutMs > HANG_MS) return result;
    }
  }

  it("knows its directory after each command", async () => {
    const { workdir } = use();
    expect((await run("true")).cwd).toBe(workdir);
    expect((await run("mkdir -p one && cd one")).cwd).toBe(`${workdir}/one`);
    expect(await text("pwd")).toBe(`${workdir}/one`);
    expect((await run("cd /")).cwd).toBe("/");
    expect(shell?.cwd).toBe("/");
  });

  it("starts where it is told to, with the variables it is given", async () => {
    await use().run({ command: ["mkdir", "-p", `${use().workdir}/other`], timeoutMs: HANG_MS });
    shell = await use().openShell({ cwd: `${use().workdir}/other`, env: { GIVEN: "it's" } });
    expect(shell.cwd).toBe(`${use().workdir}/other`);
    expect(await text('echo "$GIVEN"')).toBe("it's");
    await expect(use().openShell({ cwd: "/no/such/directory" })).rejects.toMatchObject({
      code: "ENVIRONMENT_UNAVAILABLE",
    });
  });

  it("remembers variables, functions and the last exit code", async () => {
    await run("x=5; export Y=6; greet() { echo hello $1; }; false");
    expect(await text("echo $? $x $Y; greet you; sh -c 'echo $Y'")).toBe("1 5 6\nhello you\n6");
  });

  it("shows stdout and stderr as they came, without the final newline", async () => {
    expect(await text("echo 1; echo 2 >&2; echo 3; echo 4 > /dev/stderr; echo")).toBe("1\n2\n3\n4\n");
  });

  it("survives what cannot be parsed", async () => {
    for (const broken of [
      'echo "abc',
      "echo 'abc",
      "(",
      ")",
      "$(",
      "`",
      "if true",
      "case x in",
      "f() {",
      "}",
      "[[ a",
      "a=(",
    ]) {
      const result = await run(`x=kept\n`);
      expect(result.restarted).toBeUndefined();
      const failed = await run(broken);
      expect({ broken, code: failed.exitCode > 0, gone: failed.restarted }).toEqual({
        broken,
        code: true,
        gone: undefined,
      });
      expect(await text("echo $x")).toBe("kept");
    }
    expect((await run('echo "abc')).exitCode).toBe(2);
  });

  it("takes here-documents and many lines", async () => {
    expect(
      await text("cat <<'END' | tr a-z A-Z\nit's $HOME\n\"x\"\nEND\nfor i in 1 2; do\n  echo $i\ndone"),
    ).toBe('IT\'S $HOME\n"X"\n1\n2');
  });

  it("takes long commands in every alphabet", async () => {
    const long = `it's \\ "日本" é $x\n`.repeat(4000);
    await run(`cat > long.txt <<'END'\n${long}END`);
    expect(await text("wc -c < long.txt")).toBe(String(Buffer.byteLength(long)));
    expect(await text("tail -n 1 long.txt")).toBe(`it's \\ "日本" é $x`);
  });

  it("gives commands an empty input", async () => {
    expect(await run("cat; read -r line; echo $?")).toMatchObject({ exitCode: 0, output: { text: "1" } });
  });

  it.each([
    ["exit 3", 3, "exited"],
    ["exit", 0, "exited"],
    ["set -e; false", 1, "exited"],
    ["exec true", 0, "exited"],
    ["kill -9 $$", 137, "killed"],
  ] as const)(
    "goes on with a new shell in the same directory after: %s",
    async (command, exitCode, restarted) => {
      const { cwd } = await run("mkdir -p again && cd again; lost=1");
      expect(await run(command)).toMatchObject({ exitCode, restarted, cwd });
      const after = await run('pwd; echo "[$lost]"');
      expect(after.output.text).toBe(`${cwd}\n[]`);
      expect(after.restarted).toBeUndefined();
    },
  );

  it("starts in the work directory when the last one is gone", async () => {
    await run("mkdir -p fleeting && cd fleeting && rmdir ../fleeting");
    expect((await run("exit 1")).cwd).toBe(use().workdir);
  });

  it("does not wait for background jobs, and loses nothing of what they say", async () => {
    expect(await text("mkfifo gate gate2; { read -r x < gate; echo late; echo > gate2; } & echo now")).toBe(
      "now",
    );
    expect(await text("echo > gate; read -r x < gate2; echo next")).toBe("late\nnext");
  });

  it("stops a command at its time limit and keeps the shell", async () => {
    await run("x=kept");
    const result = await cutOff("echo begun; sleep 1000", "begun");
    expect(result).toMatchObject({ exitCode: 124, timedOut: true, output: { text: "begun" } });
    expect(result.restarted).toBeUndefined();
    expect(await text("echo $x")).toBe("kept");
  });

  it("kills a command that ignores requests to end, and keeps the shell", async () => {
    await run("x=kept");
    const result = await cutOff("bash -c 'trap \"\" INT TERM; echo deaf; sleep 1000; sleep 1000'", "deaf");
    expect(result).toMatchObject({ exitCode: 124, timedOut: true });
    expect(result.output.text).toContain("deaf");
    expect(await text("echo $x")).toBe("kept");
  });

  it("replaces a shell that does not answer any more", async () => {
    // Made before: a slow mkfifo would be stopped at the time limit instead.
    await run("mkfifo stuck");
    // It waits for itself, without a program that could be signalled, and without a processor.
    const result = await run('cd /; read -r x <> "$OLDPWD/stuck"', 300);
    expect(result).toMatchObject({ exitCode: 124, timedOut: true, restarted: "killed", cwd: use().workdir });
    expect(await text("echo ok")).toBe("ok");
  });

  it("keeps the beginning and the end of long output, and all of it in a file", async () => {
    shell = await use().openShell({ excerptBytes: 1000, wholeBytes: 500_000 });
    const { output, whole } = await run("echo first; yes é | head -c 90000; echo last");
    expect(output).toMatchObject({ bytes: 90_011, truncated: true });
    expect(output.text).toMatch(/^first\n[é\n]*\[\.\.\. \d+ bytes left out \.\.\.\]\n[é\n]*last$/);
    expect(whole).toMatchObject({ bytes: 90_011, complete: true });
    const kept = await readFile(whole?.path ?? "");
    expect(kept.subarray(0, 8).toString()).toBe("first\né");
    expect(kept.length).toBe(90_011);
    await whole?.remove();
    const cut = await run("head -c 600000 /dev/zero");
    expect(cut.whole).toMatchObject({ bytes: 500_000, complete: false });
    expect(cut.output.bytes).toBe(600_000);
    await cut.whole?.remove();
  });

  it("takes no printed text for the end of a command", async () => {
    const { output, exitCode } = await run(
      "printf '\\036AAAAAAAAAAAAAAAA 0 /\\0'; declare -f; set -x; set +x; exit_code() { :; }; (exit 9)",
    );
    expect(exitCode).toBe(9);
    expect(output.text.startsWith("\u001eAAAAAAAAAAAAAAAA 0 /\0")).toBe(true);
  });

  it("refuses a command with NUL in it", async () => {
    const result = await run("echo a\0b");
    expect(result.exitCode).not.toBe(0);
    expect(result.output.text).toContain("NUL");
  });

  it("stops a command when the caller aborts, and runs the next one", async () => {
    shell = await use().openShell();
    const stop = new AbortController();
    const running = shell.run("sleep 1000", { timeoutMs: HANG_MS, signal: stop.signal });
    stop.abort(new Error("enough"));
    await expect(running).rejects.toThrow("enough");
    expect(await text("echo ok")).toBe("ok");
  });
}
