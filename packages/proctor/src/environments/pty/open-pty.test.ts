import { spawn } from "node:child_process";
import { readdirSync, readlinkSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { Pty } from "../../core/ports/environments.ts";
import { createLines } from "../../../test/support/environments/lines.ts";
import { gone, pidsOf, running, uniqueSeconds, until } from "../../../test/support/environments/running.ts";
import { runToEnd } from "../../runtime/processes/run-to-end.ts";
import { sendSignal } from "../../runtime/processes/signal.ts";
import { startHere } from "../../runtime/processes/start-here.ts";
import { openPty } from "./open-pty.ts";
import { HANG_MS } from "../../../test/support/eventually.ts";
import { moduleLiteral, scriptArgs } from "../../../test/support/source-script.ts";

const env = { PATH: process.env["PATH"] ?? "/usr/bin:/bin" };
const open = (script: string): Promise<Pty> =>
  openPty({ command: ["bash", "-c", script], env, cwd: "/tmp" }, {});

async function all(pty: Pty): Promise<string> {
  const pieces: Uint8Array[] = [];
  for await (const piece of pty.output) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}

describe("a terminal of this machine", () => {
  it("gives a program nothing but what it is told", async () => {
    const pty = await open("env | sort; pwd");
    const lines = (await all(pty)).split("\r\n");
    expect(lines.filter((line) => !/^(_|SHLVL|OLDPWD|PWD)=/.test(line))).toEqual([
      `PATH=${env.PATH}`,
      "TERM=xterm-256color",
      "/tmp",
      "",
    ]);
    await pty.close();
  });

  it("holds a program back that nobody reads, and loses nothing of it", async () => {
    const pty = await open("head -c 2000000 /dev/zero | tr '\\0' x; echo end");
    // Long enough to fill everything on the way.
    const early = await Promise.race([
      pty.exited,
      new Promise((resolve) => setTimeout(() => resolve("held back"), 300)),
    ]);
    expect(early).toBe("held back");
    expect(await all(pty)).toBe(`${"x".repeat(2_000_000)}end\r\n`);
    expect(await pty.exited).toEqual({ code: 0 });
    await pty.close();
  });

  it("takes a megabyte for a program that is not reading yet, and loses nothing of it", async () => {
    const pty = await open("stty raw -echo; echo ready; read -r -n 1 first; head -c 999999 | wc -c");
    const lines = pty.output[Symbol.asyncIterator]();
    await lines.next();
    await pty.write("y".repeat(1_000_000));
    expect(Buffer.from((await lines.next()).value ?? "").toString()).toContain("999999");
    await pty.close();
  });

  it("says when it has taken what was typed, which is when its program reads", async () => {
    const held = "until [ $go ]; do sleep 0.05; done";
    const pty = await open(
      `stty raw -echo; trap go=1 USR1; echo $$; ${held}; head -c 100000 >/dev/null; sleep 1000`,
    );
    const lines = pty.output[Symbol.asyncIterator]();
    const pid = Number(Buffer.from((await lines.next()).value ?? "").toString());
    // The kernel holds a little for a program that does not read.
    await pty.write("y");
    let taken = false;
    const writing = pty.write("y".repeat(99_999)).then(() => (taken = true));
    // Another terminal has been opened, has typed and has ended meanwhile.
    const other = await open("read -r line");
    await other.write("x\r");
    await other.exited;
    await other.close();
    expect(taken).toBe(false);
    sendSignal(pid, "SIGUSR1");
    await writing;
    const unread = pty.write("y".repeat(100_000));
    await pty.close();
    // Nobody takes it any more.
    await unread;
  });

  it("is not inherited by what is started meanwhile", async () => {
    const pty = await open("sleep 1000");
    const start = () => startHere({ command: ["ls", "-l", "/proc/self/fd"], env });
    const { stdout } = await runToEnd(start, { command: [], timeoutMs: HANG_MS });
    expect(stdout).not.toContain("ptmx");
    expect(readdirSync("/proc/self/fd").filter((fd) => isTerminal(fd))).toEqual([]);
    await pty.close();
  });

  it("reports a signal as 128 plus its number", async () => {
    const pty = await open("kill -TERM $$");
    expect(await pty.exited).toEqual({ code: 143 });
    await pty.close();
  });

  it("ends when a program leaves something behind that holds it", async () => {
    const seconds = uniqueSeconds();
    const pty = await open(`trap '' HUP; setsid sleep ${seconds} & echo done`);
    expect(await all(pty)).toContain("done");
    await pty.exited;
    await until(() => running(seconds) === 1);
    for (const pid of pidsOf(seconds)) sendSignal(pid, "SIGKILL");
    await gone(seconds);
    await pty.close();
  });

  it("says why it could not be opened", async () => {
    const pty = await openPty({ command: ["true"], env, cwd: "/no/such/place" }, {});
    expect(await all(pty)).toContain("/no/such/place");
    expect(await pty.exited).toEqual({ code: 126 });
    await pty.close();
  });

  it("does not outlive the process that opened it", async () => {
    const seconds = uniqueSeconds();
    const program = `
      const { openPty } = await import(${moduleLiteral("./open-pty.ts", import.meta.url)});
      const pty = await openPty({ command: ["bash", "-c", "echo up; sleep ${seconds}"], env: process.env }, {});
      for await (const piece of pty.output) process.stdout.write(piece);
    `;
    const hub = spawn(process.execPath, scriptArgs(program));
    await createLines(hub.stdout).next();
    await until(() => running(seconds) > 0);
    hub.kill("SIGKILL");
    await gone(seconds);
  });
});

function isTerminal(fd: string): boolean {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`).includes("ptmx");
  } catch {
    return false;
  }
}
