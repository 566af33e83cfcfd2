import { randomUUID } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { HANG_MS } from "../../../test/support/eventually.ts";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import type { CommandRequest, CommandResult } from "../../core/ports/commands.ts";
import { runCommand } from "./run-command.ts";
import { findMarked } from "../../runtime/processes/strays.ts";

const linux = process.platform === "linux";
const cwd = temporaryFolder("command");
const never = new AbortController().signal;

function run(
  command: readonly string[],
  more: Partial<CommandRequest> = {},
  signal = never,
): Promise<CommandResult> {
  return runCommand({ command, cwd, timeoutMs: 10_000, ...more }, signal);
}

const shell = (
  script: string,
  more?: Partial<CommandRequest>,
  signal?: AbortSignal,
): Promise<CommandResult> => run(["sh", "-c", script], more, signal);

describe("a command that ends by itself", () => {
  test("gives both streams as they were, and its exit code", async () => {
    const result = await shell("printf 'a\\n\\nb'; echo oops >&2; exit 7");
    expect(result).toMatchObject({
      code: 7,
      signal: null,
      stdout: "a\n\nb",
      stderr: "oops\n",
      truncated: false,
      timedOut: false,
    });
    expect(result.durationMs).toBeGreaterThan(0);
  });

  test("runs in the directory, with its input", async () => {
    writeFileSync(join(cwd, "here"), "");
    expect((await shell("ls; cat", { input: "given\n" })).stdout).toBe("here\ngiven\n");
    expect((await run(["cat"])).stdout).toBe("");
  });

  test("may leave a large input unread", async () => {
    expect((await run(["true"], { input: "x".repeat(4_000_000) })).code).toBe(0);
  });

  test("sees a few harmless variables and those it is given", async () => {
    process.env["SECRET_OF_OURS"] = "leaked";
    try {
      const { stdout } = await run(["env"], { env: { MINE: "1" } });
      expect(stdout).toContain("MINE=1\n");
      expect(stdout).toContain(`PATH=${process.env["PATH"]}\n`);
      expect(stdout).not.toContain("leaked");
    } finally {
      delete process.env["SECRET_OF_OURS"];
    }
  });

  test("is distinguished from one that a signal ended", async () => {
    expect(await shell("kill -ABRT $$")).toMatchObject({ code: null, signal: "SIGABRT", timedOut: false });
  });
});

describe("output of a command beyond the limit", () => {
  test("is read and dropped, in lines", async () => {
    const result = await shell("yes | head -c 500000; echo done >&2", { maxOutputBytes: 1001 });
    expect(result.stdout).toBe(`${"y\n".repeat(500)}y`);
    expect(result).toMatchObject({ code: 0, truncated: true, stderr: "done\n" });
  });

  test("is read and dropped, in one line and between characters", async () => {
    const long = await run([process.execPath, "-e", "process.stdout.write('ä'.repeat(3_000_000))"]);
    expect(long).toMatchObject({ code: 0, truncated: true });
    expect(long.stdout).toMatch(/^ä{1000,}$/);
    const cut = await shell("echo aää; echo more", { maxOutputBytes: 4 });
    expect(cut.stdout).toBe("aä");
  });
});

describe("a command that does not end", () => {
  test("is killed at the time limit with all it started, and what it wrote is kept", async () => {
    const mark = randomUUID();
    const script = "echo begun; setsid sleep 3600 & trap '' TERM; sleep 3600";
    let result = await shell(script, { timeoutMs: 400, env: { PROCTOR_RUN_ID: mark } });
    // A machine that is too slow to say anything by then gets more time.
    for (let timeoutMs = 800; result.stdout === "" && timeoutMs < HANG_MS; timeoutMs *= 2)
      result = await shell(script, { timeoutMs, env: { PROCTOR_RUN_ID: mark } });
    expect(result).toMatchObject({ code: null, timedOut: true, stdout: "begun\n" });
    if (linux) expect(findMarked("PROCTOR_RUN_ID", mark)).toEqual([]);
  });

  test("is killed when the signal fires", async () => {
    const mark = randomUUID();
    const abort = new AbortController();
    const file = join(cwd, "started");
    const running = shell(
      `echo $$ > ${file}.new; mv ${file}.new ${file}; sleep 3600`,
      { env: { PROCTOR_RUN_ID: mark } },
      abort.signal,
    );
    while (pidIn(file) === "") await setTimeout(5);
    abort.abort(new Error("interrupted"));
    await expect(running).rejects.toThrow("interrupted");
    if (linux) expect(findMarked("PROCTOR_RUN_ID", mark)).toEqual([]);
    await expect(shell("true", {}, abort.signal)).rejects.toThrow("interrupted");
  });

  test("does not die with another that is about the same run", async () => {
    const env = { PROCTOR_RUN_ID: randomUUID() };
    const first = shell("while [ ! -e end-first ]; do sleep 0.01; done", { env });
    const second = shell("touch second; while [ ! -e end-second ]; do sleep 0.01; done; echo ok", { env });
    while (!existsSync(join(cwd, "second"))) await setTimeout(5);
    writeFileSync(join(cwd, "end-first"), "");
    await first;
    writeFileSync(join(cwd, "end-second"), "");
    const long = await second;
    expect(long).toMatchObject({ code: 0, stdout: "ok\n" });
  });

  test("leaves no child behind when only its child goes on", async () => {
    const mark = randomUUID();
    expect((await shell("sleep 3600 & echo ok", { env: { PROCTOR_RUN_ID: mark } })).stdout).toBe("ok\n");
    if (linux) expect(findMarked("PROCTOR_RUN_ID", mark)).toEqual([]);
  });
});

describe("a command that cannot be started", () => {
  test.each<[string, readonly string[], Partial<CommandRequest>, RegExp]>([
    ["is not there", ["no-such-program"], {}, /"no-such-program" was not found/],
    ["is no program", ["./"], {}, /not a file that may be executed/],
    ["has no name", [], {}, /the command is empty/],
    ["has no directory", ["true"], { cwd: join(cwd, "nowhere") }, /not a directory that can be entered/],
    ["has a NUL in an argument", ["true", "a\0b"], {}, /could not be started/],
  ])("%s: throws with the reason", async (_, command, more, reason) => {
    await expect(run(command, more)).rejects.toThrow(reason);
  });
});

function pidIn(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
