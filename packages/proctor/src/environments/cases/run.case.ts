// Programs that are run to their end, and programs that are talked to.
import { expect, it } from "vitest";
import type { Environment, EnvironmentCommand, EnvironmentResult } from "../../core/ports/environments.ts";
import { createLines } from "../../../test/support/environments/lines.ts";
import { eventually, HANG_MS } from "../../../test/support/eventually.ts";

/** Times in epoch milliseconds before and after which no program of a test is started. */
const BEFORE_ALL = 0;
const AFTER_ALL = Date.UTC(2200, 0);

export function runCases(use: () => Environment): void {
  const sh = (script: string, options: Partial<EnvironmentCommand> = {}): Promise<EnvironmentResult> =>
    use().run({ command: ["sh", "-c", script], timeoutMs: HANG_MS, ...options });

  /** Runs a script that never ends, with a time limit that lets it say something first, however slow the machine is. */
  async function cutOff(script: string): Promise<EnvironmentResult> {
    for (let timeoutMs = 300; ; timeoutMs *= 2) {
      const result = await sh(script, { timeoutMs });
      if (result.stdout !== "" || timeoutMs > HANG_MS) return result;
    }
  }

  it("reports the exit code, and keeps stdout and stderr apart", async () => {
    expect(await sh("echo out; echo err >&2; exit 7")).toMatchObject({
      code: 7,
      stdout: "out\n",
      stderr: "err\n",
      truncated: false,
      timedOut: false,
    });
  });

  it("reports a signal as 128 plus its number", async () => {
    expect((await sh("kill -9 $$")).code).toBe(137);
  });

  it("starts in the work directory, or where it is told to", async () => {
    const { workdir } = use();
    expect((await sh("pwd")).stdout).toBe(`${workdir}\n`);
    await sh("mkdir -p deep/er");
    expect((await sh("pwd", { cwd: `${workdir}/deep/er` })).stdout).toBe(`${workdir}/deep/er\n`);
  });

  it("passes the given variables, and none of the hub's", async () => {
    process.env["PROCTOR_CASE_SECRET"] = "never to be seen";
    try {
      const { stdout } = await sh("env", { env: { GREETING: "good 'day'\n$x", PATH_LIKE: "a:b" } });
      expect(stdout).toContain("GREETING=good 'day'\n$x\n");
      expect(stdout).not.toContain("never to be seen");
      expect(stdout).not.toContain(`VITEST`);
    } finally {
      delete process.env["PROCTOR_CASE_SECRET"];
    }
  });

  it("passes arguments as they are", async () => {
    const args = ["a b", "", "'\"$(exit)`", "*", "-n", "é\n日"];
    const { stdout } = await use().run({
      command: ["sh", "-c", 'for one in "$@"; do printf "<%s>" "$one"; done', "sh", ...args],
      timeoutMs: HANG_MS,
    });
    expect(stdout).toBe(args.map((one) => `<${one}>`).join(""));
  });

  it("gives a program its input, and then the end of the input", async () => {
    expect((await sh("cat; echo end", { input: "one\ntwo" })).stdout).toBe("one\ntwoend\n");
    expect((await sh("cat; echo end")).stdout).toBe("end\n");
  });

  it("passes a megabyte in and out unharmed", async () => {
    const input = Buffer.alloc(1_000_000, "0123456789abcdef\n");
    const { stdout, truncated } = await sh("cat", { input });
    expect({ truncated, same: Buffer.from(stdout).equals(input) }).toEqual({ truncated: false, same: true });
  });

  it("succeeds when a program reads none of its input", async () => {
    expect((await sh("exit 3", { input: Buffer.alloc(500_000, "x") })).code).toBe(3);
  });

  it("lets programs open /dev/stdout and /dev/stderr", async () => {
    const { code, stdout, stderr } = await sh(
      "echo one | tee /dev/stderr > /dev/stdout; echo two > /dev/stderr",
    );
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: "one\n", stderr: "one\ntwo\n" });
  });

  it("keeps the beginning and the end of too much output, and whole characters", async () => {
    const { stdout, truncated } = await sh("printf 'first é'; yes é | head -c 300000; printf 'é last'", {
      maxOutputBytes: 1001,
    });
    expect(truncated).toBe(true);
    expect(stdout).toMatch(/^first é[é\n]*\[\.\.\. \d+ bytes left out \.\.\.\]\n[é\n]*é last$/);
    expect(Buffer.byteLength(stdout)).toBeLessThan(1100);
  });

  it("shows bytes that are no UTF-8 as U+FFFD", async () => {
    expect((await sh("printf 'a\\377b'")).stdout).toBe("a\uFFFDb");
  });

  it("ends a program at its time limit, and keeps what it said", async () => {
    const result = await cutOff("echo begun; sleep 1000; echo never");
    expect(result).toMatchObject({ code: 124, timedOut: true, stdout: "begun\n" });
  });

  it("kills a program that ignores requests to end", async () => {
    const result = await cutOff("trap '' INT TERM; echo deaf; while :; do sleep 1000; done");
    expect(result).toMatchObject({ code: 124, timedOut: true, stdout: "deaf\n" });
  });

  it("does not wait for what a program leaves running", async () => {
    const result = await sh("sleep 1000 & echo done");
    expect(result).toMatchObject({ code: 0, timedOut: false, stdout: "done\n" });
  });

  it("says why a program could not be started", async () => {
    const result = await use().run({ command: ["no-such-program-here"], timeoutMs: HANG_MS });
    expect([126, 127]).toContain(result.code);
    expect(result.stderr).toContain("no-such-program-here");
    const unrunnable = await sh("touch plain && ./plain");
    expect(unrunnable.code).toBe(126);
  });

  it("kills the program when the caller aborts", async () => {
    const stop = new AbortController();
    const running = sh("sleep 1000", { signal: stop.signal });
    stop.abort(new Error("enough"));
    await expect(running).rejects.toThrow("enough");
    await expect(sh("true", { signal: stop.signal })).rejects.toThrow("enough");
  });

  it("exchanges lines with a running program", async () => {
    const agent = use().start({
      command: ["sh", "-c", 'while read -r line; do echo "{\\"got\\":$line}"; echo log >&2; done; exit 5'],
    });
    const lines = createLines(agent.stdout);
    for (let step = 1; step <= 20; step++) {
      agent.stdin.write(`{"step":${step}}\n`);
      expect(JSON.parse(await lines.next())).toEqual({ got: { step } });
    }
    agent.stdin.end();
    expect(await agent.exited).toEqual({ code: 5 });
  });

  it("signals a program and what it started", async () => {
    const program = use().start({ command: ["sh", "-c", "sleep 1000 & echo up; wait"] });
    await createLines(program.stdout).next();
    program.signal("SIGTERM");
    expect((await program.exited).code).toBe(143);
  });

  it("signals what a program started, and not the program", async () => {
    const program = use().start({ command: ["bash", "-c", "echo up; sleep 1000; echo code $?"] });
    const lines = createLines(program.stdout);
    expect(await lines.next()).toBe("up");
    // Its child may be yet to start.
    await eventually(async () => {
      await program.signalChildren("SIGTERM", BEFORE_ALL);
      expect(lines.waiting).toBeGreaterThan(0);
    });
    expect(await lines.next()).toBe("code 143");
    expect((await program.exited).code).toBe(0);
  });

  it("does not signal children that were started before the given time", async () => {
    const program = use().start({
      command: ["bash", "-c", "sleep 1000 & echo up; read -r x; kill $! && echo was there"],
    });
    const lines = createLines(program.stdout);
    expect(await lines.next()).toBe("up");
    await program.signalChildren("SIGKILL", AFTER_ALL);
    program.stdin.end("\n");
    expect(await lines.next()).toBe("was there");
  });
}
