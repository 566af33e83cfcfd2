import { writeFileSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Shell, ShellResult, StartOptions } from "../../core/ports/environments.ts";
import { gone, pidsOf, running, uniqueSeconds, until } from "../../../test/support/environments/running.ts";
import { runToEnd } from "../../runtime/processes/run-to-end.ts";
import { sendSignal } from "../../runtime/processes/signal.ts";
import { startHere } from "../../runtime/processes/start-here.ts";
import { openShell } from "./open-shell.ts";
import type { OpenShellOptions } from "./open-shell.ts";
import { propertyRuns } from "../../../test/support/property-runs.ts";
import { HANG_MS } from "../../../test/support/eventually.ts";

let folder = "";
let shell: Shell | undefined;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "proctor-shell-"));
});
afterEach(async () => {
  await shell?.close();
  shell = undefined;
  await rm(folder, { recursive: true, force: true });
});

const PATH = process.env["PATH"] ?? "/usr/bin:/bin";
const start = ({ command, env, cwd }: StartOptions) =>
  startHere({ command, env: { PATH, HOME: folder, ...env }, ...(cwd === undefined ? {} : { cwd }) });

async function open(options: Partial<OpenShellOptions> = {}, begin = start): Promise<Shell> {
  shell = await openShell(begin, { workdir: folder, spillDir: folder, ...options });
  return shell;
}

async function run(command: string, timeoutMs = 20_000): Promise<ShellResult> {
  return (shell ?? (await open())).run(command, { timeoutMs });
}

const text = async (command: string): Promise<string> => (await run(command)).output.text;

describe("a shell that remembers", () => {
  it("has nothing of ours in its variables or descriptors", async () => {
    expect(await text("set; env")).not.toContain("proctor_text");
    // Whoever started the tests may have left some open for everybody.
    const others = await runToEnd(start, { command: ["ls", "/proc/self/fd"], timeoutMs: HANG_MS });
    expect(await text("ls /proc/self/fd")).toBe(others.stdout.trim());
    expect(await text("readlink /proc/self/fd/0")).toBe("/dev/null");
    await run(`: ${"x".repeat(5000)}`);
    expect(await text("declare -p | grep -c proctor_text; true")).toBe("0");
  });

  it("keeps redirections and traps of the shell itself", async () => {
    await run("exec 3> three; exec 9> nine; trap 'echo bye' USR1; exec > log");
    await run("echo to log; echo to three >&3; echo to nine >&9");
    await run("exec > /dev/stderr");
    expect(await text("cat log three nine; kill -USR1 $$")).toBe("to log\nto three\nto nine\nbye");
  });

  it("knows the exit codes of pipelines, and the options that are set", async () => {
    expect((await run("false | true")).exitCode).toBe(0);
    expect((await run("set -o pipefail; false | true")).exitCode).toBe(1);
    expect((await run("exit_with() { return 42; }; exit_with")).exitCode).toBe(42);
    expect((await run("no-such-command")).exitCode).toBe(127);
    expect((await run("(kill -TERM $BASHPID)")).exitCode).toBe(143);
    expect(await text("break; continue; return 3; echo still")).toContain("still");
  });

  it("shows of `set -x` nothing of its own frame but the command", async () => {
    await run("set -x");
    expect(await text("echo one")).toBe("+ eval 'echo one'\n++ echo one\none");
    expect((await run("set +x")).restarted).toBeUndefined();
    expect(await text("echo two")).toBe("two");
  });

  it("keeps working after `set -e` and `set -u` until something fails", async () => {
    await run("set -eu");
    expect(await run("false || echo caught")).toMatchObject({ exitCode: 0, output: { text: "caught" } });
    expect(await run("if false; then :; fi; echo fine")).toMatchObject({ exitCode: 0 });
    expect(await run("echo $undefined_here")).toMatchObject({ exitCode: 1, restarted: "exited" });
    expect(await text("echo [$undefined_here]")).toBe("[]");
  });

  it("says in the next result that it was lost in between", async () => {
    const pid = await text("echo $$");
    sendSignal(Number(pid), "SIGKILL");
    await until(() => !isAlive(Number(pid)));
    // The end of an idle shell is told when its last words are out.
    const next = await run("echo again");
    expect(next.restarted).toBe("killed");
    expect([0, 137]).toContain(next.exitCode);
    expect(await text("echo again")).toBe("again");
  });

  it("takes commands one at a time", async () => {
    const first = run("sleep 0.2; echo first");
    await until(() => shell !== undefined);
    await expect(run("echo second")).rejects.toThrow("busy");
    expect((await first).output.text).toBe("first");
  });

  it("leaves background jobs running when it is closed, and can be closed twice", async () => {
    const seconds = uniqueSeconds();
    await run(`sleep ${seconds} & echo; (while echo noise; do sleep 0.01; done) & echo $! > noisy`);
    const noisy = Number(await readFile(join(folder, "noisy"), "utf8"));
    await shell?.close();
    await shell?.close();
    await until(() => running(seconds) === 1);
    expect(isAlive(noisy)).toBe(true);
    await expect(run("echo")).rejects.toThrow("closed");
    for (const pid of [...pidsOf(seconds), noisy]) sendSignal(pid, "SIGKILL");
    await gone(seconds);
  });

  it("can be closed in the middle of a command", async () => {
    const seconds = uniqueSeconds();
    const pending = run(`sleep ${seconds}`);
    await until(() => running(seconds) === 1);
    await shell?.close();
    await pending;
    await gone(seconds);
  });

  it("kills at the time limit what the command started, and not what was running before", async () => {
    const [before, after] = [uniqueSeconds(), uniqueSeconds()];
    await run(`sleep ${before} &`);
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect(await run(`sleep ${after} & sleep ${after}`, 300)).toMatchObject({
      exitCode: 124,
      timedOut: true,
    });
    await gone(after);
    expect(running(before)).toBe(1);
    expect(await text("kill %1 && echo known")).toBe("known");
  });

  it("keeps the shell when a script of many lines is stopped", async () => {
    await run("x=kept");
    const result = await run("for i in 1 2 3 4 5; do sleep 1000; done; trap '' INT TERM; sleep 1000", 300);
    expect(result).toMatchObject({ exitCode: 124, timedOut: true });
    expect(result.restarted).toBeUndefined();
    expect(await text("echo $x")).toBe("kept");
  });

  it("replaces a shell that has become another program", async () => {
    expect(await run("exec sleep 1000", 300)).toMatchObject({
      exitCode: 124,
      timedOut: true,
      restarted: "killed",
    });
    expect(await text("echo ok")).toBe("ok");
  });

  it("shows the first of the output while it comes", async () => {
    const pieces: string[] = [];
    await open({ excerptBytes: 100 });
    const result = await shell?.run("echo one; until [ -e seen ]; do sleep 0.01; done; yes | head -c 5000", {
      timeoutMs: HANG_MS,
      onOutput(piece) {
        pieces.push(Buffer.from(piece).toString());
        writeFileSync(join(folder, "seen"), "");
      },
    });
    expect(pieces[0]).toBe("one\n");
    expect(pieces.join("").length).toBe(100);
    await result?.whole?.remove();
  });

  it("keeps binary output whole in a file, and leaves no file", async () => {
    await open({ excerptBytes: 100 });
    await run("head -c 70000 /dev/urandom > random");
    const { whole, output } = await run("cat random");
    expect(output.text).toContain("\uFFFD");
    expect(await readFile(whole?.path ?? "")).toEqual(await readFile(join(folder, "random")));
    expect((await stat(whole?.path ?? "")).mode & 0o777).toBe(0o600);
    await whole?.remove();
    const stop = new AbortController();
    const aborted = shell?.run("yes", {
      timeoutMs: HANG_MS,
      signal: stop.signal,
      onOutput: () => stop.abort(new Error("stop")),
    });
    await expect(aborted).rejects.toThrow("stop");
    const late = await run("yes late | head -c 3000 &", 5000);
    await late.whole?.remove();
    await shell?.close();
    expect(await readdir(folder)).toEqual(["random"]);
  });

  it("needs little memory and time for much output", async () => {
    await run("true");
    const before = process.memoryUsage().rss;
    let peak = before;
    const sampler = setInterval(() => (peak = Math.max(peak, process.memoryUsage().rss)), 10);
    const { output, whole } = await run("head -c 300000000 /dev/zero");
    clearInterval(sampler);
    expect(output).toMatchObject({ bytes: 300_000_000, truncated: true });
    expect(whole).toMatchObject({ bytes: 16 * 1024 * 1024, complete: false });
    expect((peak - before) / 1e6).toBeLessThan(60);
    await whole?.remove();
  });

  it("survives every text", async () => {
    await open();
    // Nothing in this alphabet names a program or a path.
    const character = fc.constantFrom(...Array.from("'\"`$(){}[]<>|&;!#\\*?=% \n\t-+:,@^qzé日😀"));
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: character, maxLength: 25 }), async (command) => {
        await run(command, 3000);
        // A background job may still have something to say.
        expect(await run("echo ok")).toMatchObject({
          exitCode: 0,
          output: { text: expect.stringMatching(/(^|\n)ok(\n|$)/) },
        });
      }),
      { numRuns: propertyRuns(300) },
    );
  });

  it("is a plain sh where there is no bash", async () => {
    await open({}, (options) =>
      start(options.command[0] === "bash" ? { ...options, command: ["no-bash-here"] } : options),
    );
    expect(await run("mkdir d && cd d; x=5; f() { echo f; }; false")).toMatchObject({
      exitCode: 1,
      cwd: `${folder}/d`,
    });
    expect(await text("echo $? $x; f; echo err >&2; cat")).toBe("1 5\nf\nerr");
    expect((await run('echo "abc')).exitCode).toBe(2);
    expect(await text(`echo ${"long é ".repeat(1000)} | wc -c`)).toBe("8000");
    expect(await run("exit 3")).toMatchObject({ exitCode: 3, restarted: "exited", cwd: `${folder}/d` });
    expect(await run("sleep 1000", 300)).toMatchObject({ exitCode: 124 });
    expect(await text("echo ok")).toBe("ok");
  });

  it("says why there is no shell", async () => {
    const none = () => startHere({ command: ["no-shell-here"], env: {} });
    await expect(open({}, none)).rejects.toMatchObject({
      code: "ENVIRONMENT_UNAVAILABLE",
      message: expect.stringContaining("no-shell-here"),
    });
  });
});

const isAlive = (pid: number): boolean => sendSignal(pid, 0);
