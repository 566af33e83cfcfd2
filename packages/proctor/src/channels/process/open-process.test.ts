import { randomUUID } from "node:crypto";
import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate, setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, describe, expect, test, vi } from "vitest";
import { baseEnvironment } from "./base-environment.ts";
import { openProcess } from "./open-process.ts";
import type { ProcessChannel, ProcessOptions, ProcessOutput } from "./open-process.ts";
import { readStat } from "../../runtime/processes/proc.ts";
import { findMarked } from "../../runtime/processes/strays.ts";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";

const linux = process.platform === "linux";
const REQUEST = `${JSON.stringify({ version: "1.0", task_id: randomUUID(), task: { description: "hello" } })}\n`;

const opened: ProcessChannel[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((channel) => channel.kill()));
});

function open(command: readonly string[], more: Partial<ProcessOptions> = {}): ProcessChannel {
  const channel = openProcess({
    command,
    env: { ...baseEnvironment(), PROCTOR_RUN_ID: randomUUID() },
    ...more,
  });
  opened.push(channel);
  return channel;
}

const shell = (script: string, more?: Partial<ProcessOptions>): ProcessChannel =>
  open(["sh", "-c", script], more);

function agent(name: string, ...args: string[]): ProcessChannel {
  const file = fileURLToPath(new URL(`../../../test/fixtures/agents/${name}.mjs`, import.meta.url));
  const channel = open([process.execPath, file, ...args]);
  void channel.write(REQUEST);
  return channel;
}

async function collect(channel: ProcessChannel): Promise<ProcessOutput[]> {
  const items: ProcessOutput[] = [];
  for await (const batch of channel) items.push(...batch);
  return items;
}

/** Reads on until a line holds the text; returns that line. The channel can be read further. */
async function readUntil(channel: ProcessChannel, text: string): Promise<string> {
  const iterator = channel[Symbol.asyncIterator]();
  for (;;) {
    const { value, done } = await iterator.next();
    if (done) throw new Error(`the process ended before it wrote ${text}`);
    for (const item of value) if (item.kind === "line" && item.text.includes(text)) return item.text;
  }
}

async function waitFor(condition: () => boolean): Promise<void> {
  while (!condition()) await setTimeout(5);
}

function alive(pid: number): boolean {
  if (linux) return readStat(pid)?.ended === false;
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

const linesOf = (items: readonly ProcessOutput[], stream: string): string[] =>
  items.flatMap((item) => (item.kind === "line" && item.stream === stream ? [item.text] : []));

describe("a process that ends", () => {
  test("delivers both pipes, their ends and the exit code, in that order", async () => {
    const items = await collect(shell("echo out; echo err >&2; printf tail; exit 7"));
    expect(items.filter((item) => "stream" in item && item.stream === "stdout")).toEqual([
      { kind: "line", stream: "stdout", text: "out", terminated: true, invalidUtf8: false },
      { kind: "line", stream: "stdout", text: "tail", terminated: false, invalidUtf8: false },
      { kind: "closed", stream: "stdout" },
    ]);
    expect(linesOf(items, "stderr")).toEqual(["err"]);
    expect(items.filter(({ kind }) => kind === "closed")).toHaveLength(2);
    expect(items.filter(({ kind }) => kind === "exit")).toHaveLength(1);
    expect(items.at(-1)).toEqual({ kind: "exit", code: 7, signal: null, leftover: 0 });
  });

  test("reports the signal that ended it", async () => {
    expect((await collect(shell("kill -ABRT $$"))).at(-1)).toMatchObject({ code: null, signal: "SIGABRT" });
  });

  test("has only the environment and the directory it was given", async () => {
    const cwd = realpathSync(mkdtempSync(join(tmpdir(), "proctor-cwd-")));
    const mark = randomUUID();
    const items = await collect(open(["/usr/bin/env"], { env: { ONLY: "this", PROCTOR_RUN_ID: mark }, cwd }));
    expect(linesOf(items, "stdout").sort()).toEqual(["ONLY=this", `PROCTOR_RUN_ID=${mark}`]);
    expect(linesOf(await collect(open(["/bin/pwd"], { cwd })), "stdout")).toEqual([cwd]);
    rmSync(cwd, { recursive: true });
  });

  test("loses nothing of what it wrote, however slowly it is read", async () => {
    const channel = openProcess({
      command: ["sh", "-c", "yes 0123456789 | head -n 100000"],
      env: baseEnvironment(),
      exitGraceMs: 1,
    });
    let lines = 0;
    let last: ProcessOutput | undefined;
    for await (const batch of channel) {
      for (let turn = 0; turn < 20; turn++) await setImmediate();
      lines += batch.filter((item) => item.kind === "line" && item.text === "0123456789").length;
      last = batch.at(-1);
    }
    expect(lines).toBe(100_000);
    expect(last).toMatchObject({ kind: "exit", code: 0 });
  });

  test("has a line over the limit cut, and the lines after it intact", async () => {
    const items = await collect(agent("long-line"));
    expect(items[0]).toEqual({
      kind: "overlong",
      stream: "stdout",
      head: "x".repeat(64 * 1024),
      droppedBytes: 50 * 1024 * 1024 - 64 * 1024,
    });
    expect(linesOf(items, "stdout").join("")).toContain("after the long line");
  });

  test("may write bytes that are no UTF-8", async () => {
    const items = await collect(agent("invalid-utf8"));
    const noise = { kind: "line", text: "noise \uFFFD\uFFFD end", terminated: true, invalidUtf8: true };
    expect(items).toContainEqual({ ...noise, stream: "stdout" });
    expect(items).toContainEqual({ ...noise, stream: "stderr" });
  });
});

describe("a program that cannot be started", () => {
  const directory = mkdtempSync(join(tmpdir(), "proctor-start-"));
  const plain = join(directory, "plain.txt");
  writeFileSync(plain, "text");
  const script = join(directory, "script");
  writeFileSync(script, "#!/no/such/interpreter\n");
  chmodSync(script, 0o755);
  afterAll(() => rmSync(directory, { recursive: true }));

  test.each<[string, string, string[], Partial<ProcessOptions>]>([
    ["not-found", "a name that is not in PATH", ["no-such-program-anywhere"], {}],
    ["not-found", "a path to nothing", [join(directory, "missing")], {}],
    ["not-found", "a path below a file", [join(plain, "below-a-file")], {}],
    ["not-found", "a script without its interpreter", [script], {}],
    ["not-executable", "a plain file", [plain], {}],
    ["not-executable", "a directory", [directory], {}],
    ["bad-cwd", "a missing working directory", ["true"], { cwd: join(directory, "missing") }],
    ["bad-cwd", "a file as working directory", ["true"], { cwd: plain }],
    ["other", "no command", [], {}],
    ["other", "a NUL in an argument", ["true", "a\0b"], {}],
    ["other", "an argument too long for the system", ["true", "x".repeat(8_000_000)], {}],
  ])("says %s for %s", async (reason, _what, command, more) => {
    const channel = open(command, more);
    expect(channel.pid).toBeUndefined();
    expect(await channel.write("hello\n")).toBe(false);
    channel.endInput();
    channel.signal("SIGTERM");
    expect(await collect(channel)).toEqual([{ kind: "not-started", reason, message: expect.any(String) }]);
    await channel.kill();
  });
});

describe.skipIf(!linux)("what a process leaves behind", () => {
  test("is killed when it is in the group", async () => {
    const items = await collect(shell("sleep 3600 & echo $!; sleep 3600 & echo $!"));
    expect(items.at(-1)).toEqual({ kind: "exit", code: 0, signal: null, leftover: 2 });
    expect(linesOf(items, "stdout").map(Number).filter(alive)).toEqual([]);
  });

  test("is killed when it is in the group and has no mark", async () => {
    const items = await collect(shell("sleep 3600 & echo $!", { env: baseEnvironment() }));
    expect(items.at(-1)).toEqual({ kind: "exit", code: 0, signal: null, leftover: 1 });
    expect(linesOf(items, "stdout").map(Number).filter(alive)).toEqual([]);
  });

  test("is killed when it fled into a session of its own, and holds our pipes", async () => {
    const items = await collect(agent("forks-daemon"));
    const pid = Number(/"daemon_pid":(\d+)/.exec(linesOf(items, "stderr").join(""))?.[1]);
    expect(pid).toBeGreaterThan(0);
    expect(alive(pid)).toBe(false);
    expect(items.at(-1)).toEqual({ kind: "exit", code: 0, signal: null, leftover: 1 });
  });

  test("is killed when it forked twice to lose its parent", async () => {
    const items = await collect(shell("setsid sh -c 'sleep 3600 & echo $!' & wait"));
    const [pid] = linesOf(items, "stdout").map(Number);
    expect(alive(pid ?? 0)).toBe(false);
    expect(items.at(-1)).toMatchObject({ kind: "exit", leftover: 1 });
  });

  /** Starts one that nothing marks, and lets its parent end once it has got away. */
  async function escape(command: string): Promise<{ channel: ProcessChannel; pid: number }> {
    const channel = shell(`env -i setsid sh -c 'echo $$ >&2; exec ${command}' & read -r go`, {
      exitGraceMs: 50,
    });
    const pid = Number(await readUntil(channel, ""));
    await channel.write("go\n");
    return { channel, pid };
  }

  test("does not keep us waiting when it cannot be found and holds the pipe in silence", async () => {
    const { channel, pid } = await escape("sleep 3600");
    const items = await collect(channel);
    expect(items).toEqual([
      { kind: "closed", stream: expect.any(String) },
      { kind: "closed", stream: expect.any(String) },
      { kind: "exit", code: 0, signal: null, leftover: 0 },
    ]);
    expect(alive(pid)).toBe(true);
    process.kill(pid, "SIGKILL");
  });

  test("does not keep us reading when it cannot be found and never stops writing", async () => {
    const { channel, pid } = await escape(`yes ${"y".repeat(1000)}`);
    let last: ProcessOutput | undefined;
    for await (const batch of channel) last = batch.at(-1);
    expect(last).toEqual({ kind: "exit", code: 0, signal: null, leftover: 0 });
    // Nobody holds the other end of its pipe any more, so it ends by itself.
    await waitFor(() => !alive(pid));
  });

  test("does not keep us reading when it cannot be found and writes a little at a time", async () => {
    const { channel, pid } = await escape('sh -c "while echo drip; do sleep 0.01; done"');
    expect((await collect(channel)).at(-1)).toMatchObject({ kind: "exit", code: 0 });
    await waitFor(() => !alive(pid));
  });
});

describe("stopping a process", () => {
  test("asks with a signal, and what the process says to it arrives", async () => {
    const channel = agent("sleeps");
    await readUntil(channel, "going to sleep");
    channel.signal("SIGTERM");
    const items = await collect(channel);
    expect(linesOf(items, "stdout").join("")).toContain('"status":"cancelled"');
    expect(items.at(-1)).toMatchObject({ kind: "exit", code: 0, signal: null });
  });

  test("kills what ignores the signal, with all its children, as often as it is asked to", async () => {
    const channel = shell("trap '' TERM INT; sleep 3600 & echo $!; echo ready; while :; do sleep 3600; done");
    const iterator = channel[Symbol.asyncIterator]();
    const pid = Number(
      (await iterator.next()).value?.flatMap((item: ProcessOutput) => ("text" in item ? [item.text] : []))[0],
    );
    channel.signal("SIGTERM");
    await Promise.all([channel.kill(), channel.kill()]);
    await channel.kill();
    expect(alive(pid)).toBe(false);
    expect(alive(channel.pid ?? 0)).toBe(false);
    expect((await collect(channel)).at(-1)).toMatchObject({ kind: "exit", code: null, signal: "SIGKILL" });
  });

  test("kills an agent that ignores every polite signal", async () => {
    const channel = agent("ignores-sigterm");
    await readUntil(channel, "I will not stop");
    channel.signal("SIGTERM");
    channel.signal("SIGINT");
    await channel.kill();
    expect((await collect(channel)).at(-1)).toMatchObject({ kind: "exit", signal: "SIGKILL" });
  });

  test("keeps what had been written before the kill", async () => {
    const channel = shell("echo early; sleep 3600");
    const reading = collect(channel);
    if (linux) await waitFor(() => Number(readIo(channel).wchar) >= 6);
    await channel.kill();
    expect(linesOf(await reading, "stdout")).toEqual(["early"]);
  });

  test.skipIf(!linux)("leaving the loop early kills the process and its strays", async () => {
    const runId = randomUUID();
    const channel = shell("setsid sleep 3600 & sleep 3600 & echo ready; wait", {
      env: { ...baseEnvironment(), PROCTOR_RUN_ID: runId },
    });
    for await (const batch of channel) if (batch.length > 0) break;
    expect(findMarked("PROCTOR_RUN_ID", runId)).toEqual([]);
  });

  test("leaving before reading anything kills the process, too", async () => {
    const channel = shell("sleep 3600");
    await channel[Symbol.asyncIterator]().return?.();
    expect(alive(channel.pid ?? 0)).toBe(false);
  });

  test("kill without ever reading releases everything, and the exit can still be read", async () => {
    const channel = shell("yes");
    await channel.kill();
    expect(alive(channel.pid ?? 0)).toBe(false);
    expect((await collect(channel)).at(-1)).toMatchObject({ kind: "exit", signal: "SIGKILL" });
  });

  test.skipIf(!linux)("kill without ever reading leaves no file open", async () => {
    const before = readdirSync("/proc/self/fd").length;
    const channels = Array.from({ length: 5 }, () => shell("exec yes"));
    await waitFor(() => channels.every((channel) => Number(readIo(channel).wchar) > 100_000));
    await Promise.all(channels.map((channel) => channel.kill()));
    await setImmediate();
    expect(readdirSync("/proc/self/fd").length).toBeLessThanOrEqual(before);
  });

  test("signals nobody after the exit", async () => {
    const channel = shell("exit 0");
    await collect(channel);
    const kill = vi.spyOn(process, "kill");
    channel.signal("SIGTERM");
    channel.pause();
    channel.resume();
    await channel.kill();
    expect(kill).not.toHaveBeenCalled();
    kill.mockRestore();
  });
});

describe.skipIf(!linux)("pausing a process", () => {
  const stopped = (channel: ProcessChannel): boolean =>
    readFileSync(`/proc/${channel.pid}/stat`, "utf8").includes(") T ");

  test("stops the process, and resuming lets it finish", async () => {
    const enough = join(temporaryFolder("pause"), "enough");
    const channel = agent("pausable", "1000000", enough);
    await readUntil(channel, "tick 2");
    channel.pause();
    await waitFor(() => stopped(channel));
    const before = readIo(channel).wchar;
    await setTimeout(60);
    expect(readIo(channel).wchar).toBe(before);
    channel.resume();
    await readUntil(channel, '"message":"tick');
    writeFileSync(enough, "");
    const items = await collect(channel);
    expect(items.at(-1)).toMatchObject({ kind: "exit", code: 0 });
  });

  test("does not keep a process from receiving a request to end", async () => {
    const channel = agent("sleeps");
    await readUntil(channel, "going to sleep");
    channel.pause();
    await waitFor(() => stopped(channel));
    channel.signal("SIGTERM");
    expect((await collect(channel)).at(-1)).toMatchObject({ kind: "exit", code: 0 });
  });

  test("does not keep a process from being killed", async () => {
    const channel = shell("exec sleep 3600");
    channel.pause();
    await waitFor(() => stopped(channel));
    await channel.kill();
    expect(alive(channel.pid ?? 0)).toBe(false);
  });
});

describe("input of a process", () => {
  test("is taken, and its end is seen", async () => {
    const channel = open(["cat"]);
    const text = "é".repeat(1_000_000);
    const reading = collect(channel);
    expect(await channel.write(`${text}\n`)).toBe(true);
    expect(await channel.write(Buffer.from("bytes\n"))).toBe(true);
    channel.endInput();
    const items = await reading;
    expect(linesOf(items, "stdout")).toEqual([text, "bytes"]);
    expect(await channel.write("too late\n")).toBe(false);
    channel.endInput();
  });

  test("is refused when the process closed it", async () => {
    const channel = shell("exec 0<&-; echo closed; exec sleep 3600");
    await readUntil(channel, "closed");
    expect(await channel.write("anybody?\n")).toBe(false);
    expect(await channel.write("still nobody?\n")).toBe(false);
  });

  test("waits while nobody reads it, and does not hold up the kill", async () => {
    const channel = agent("never-reads-stdin");
    let answered = false;
    const writing = channel.write(Buffer.alloc(4 * 1024 * 1024, "x")).then((accepted) => {
      answered = true;
      return accepted;
    });
    await setImmediate();
    expect(answered).toBe(false);
    await channel.kill();
    expect(await writing).toBe(false);
  });
});

describe.skipIf(!linux)("a flood of output", () => {
  test("blocks the process while nobody reads, at no cost in memory", async () => {
    const channel = shell("exec yes 0123456789012345678901234567890123456789");
    const iterator = channel[Symbol.asyncIterator]();
    await iterator.next();
    let written = -1;
    await waitFor(() => {
      const now = Number(readIo(channel).wchar);
      const still = now === written && readFileSync(`/proc/${channel.pid}/stat`, "utf8").includes(") S ");
      written = now;
      return still;
    });
    expect(written).toBeLessThan(4 * 1024 * 1024);
    await iterator.return?.();
  });
});

function readIo(channel: ProcessChannel): Record<string, string> {
  const text = readFileSync(`/proc/${channel.pid}/io`, "utf8");
  return Object.fromEntries(text.split("\n").map((line) => line.split(": ", 2)));
}
