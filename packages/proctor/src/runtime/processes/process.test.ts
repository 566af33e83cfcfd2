import { spawn } from "node:child_process";
import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { createLines } from "../../../test/support/environments/lines.ts";
import { gone, pidsOf, running, uniqueSeconds, until } from "../../../test/support/environments/running.ts";
import { fromChild } from "./from-child.ts";
import { listProcesses } from "./process-table.ts";
import { runToEnd } from "./run-to-end.ts";
import { startedBy } from "./signal-children.ts";
import { sendSignal, signalGroup } from "./signal.ts";
import { startHere } from "./start-here.ts";
import { HANG_MS } from "../../../test/support/eventually.ts";

const env = { PATH: process.env["PATH"] ?? "" };
const start = (options: { command: readonly string[]; cwd?: string }) => startHere({ env, ...options });

describe("signals to processes", () => {
  it("are never sent to pids that mean our own group, everybody or the first process", async () => {
    for (const pid of [0, 1, -1, Number.NaN]) {
      expect(sendSignal(pid, 0)).toBe(false);
      expect(signalGroup(pid, 0)).toBe(false);
      expect(startedBy(pid, await listProcesses())).toEqual([]);
    }
  });
});

describe("a program of this machine", () => {
  it("has exited and says why when it cannot be started", async () => {
    for (const [command, code] of [
      [["no-such-program"], 127],
      [[fileURLToPath(import.meta.url)], 126],
      [["/"], 126],
      [[""], 127],
      [[], 127],
      [["a\0b"], 126],
      [["true", "x".repeat(3_000_000)], 126],
    ] as const) {
      const result = await runToEnd(start, { command, timeoutMs: HANG_MS });
      expect({ command: command[0], code: result.code }).toEqual({ command: command[0], code });
      expect(result.stderr).not.toBe("");
    }
  });

  it("cannot be started in a directory that is not there", async () => {
    const result = await runToEnd(start, { command: ["true"], cwd: "/no/such/place", timeoutMs: HANG_MS });
    expect(result).toMatchObject({ code: 127, stderr: expect.stringContaining("/no/such/place") });
  });

  it("can be a child process that was started elsewhere", async () => {
    const child = spawn("sh", ["-c", "read -r x; echo got $x; exit 3"], { detached: true });
    const program = fromChild(child);
    program.stdin.end("it\n");
    expect(await createLines(program.stdout).next()).toBe("got it");
    expect(await program.exited).toEqual({ code: 3 });
    program.signal("SIGTERM");
  });

  it("is signalled alone when it leads no group", async () => {
    const program = fromChild(spawn("sleep", ["1000"]), { group: false });
    program.signal("SIGINT");
    expect(await program.exited).toEqual({ code: 130 });
  });

  it("leaves no descriptor behind", async () => {
    const count = (): number => readdirSync("/proc/self/fd").length;
    await runToEnd(start, { command: ["true"], timeoutMs: HANG_MS });
    const before = count();
    for (let round = 0; round < 40; round++) {
      await runToEnd(start, { command: [round % 2 === 0 ? "true" : "no-such-program"], timeoutMs: HANG_MS });
    }
    // Pipes in stock come and go; those of forty programs would be more than a hundred.
    await until(() => count() <= before + 30);
  });

  it("does not delay the hub by what it left running", async () => {
    const seconds = uniqueSeconds();
    const result = await runToEnd(start, {
      command: ["sh", "-c", `sleep ${seconds} & echo $!`],
      timeoutMs: HANG_MS,
    });
    expect(result.code).toBe(0);
    sendSignal(Number(result.stdout), "SIGKILL");
    await gone(seconds);
  });

  it("may leave something running that goes on writing", async () => {
    const seconds = uniqueSeconds();
    const script = `(for i in $(seq 200); do echo "line $i" || exit; done; exec sleep ${seconds}) & exit 0`;
    const program = await runToEnd(start, { command: ["sh", "-c", script], timeoutMs: HANG_MS });
    expect(program.code).toBe(0);
    await until(() => running(seconds) === 1);
    for (const pid of pidsOf(seconds)) sendSignal(pid, "SIGKILL");
    await gone(seconds);
  });

  it("can be reached through its children by the time they were started", async () => {
    const program = start({
      command: [
        "bash",
        "-c",
        "sleep 1000 & a=$!; echo up; read -r x; sleep 1000 & wait $!; echo second $?; kill $a && echo first lives",
      ],
    });
    const lines = createLines(program.stdout);
    await lines.next();
    // The clock of processes has hundredths of a second.
    await new Promise((resolve) => setTimeout(resolve, 60));
    const since = Date.now();
    program.stdin.write("\n");
    await until(() => {
      void program.signalChildren("SIGTERM", since);
      return lines.waiting > 0;
    });
    expect(await lines.next()).toBe("second 143");
    expect(await lines.next()).toBe("first lives");
  });
});
